"""The personal data of this app. School data is only in the store, sealed, for minutes."""

from collections.abc import Iterator

from accounts.personal_data import Document, PersonalData, Table
from schoolproxy.models import CalendarFeed, ChildCalendarFeed, DoneAssignment, Watch
from schoolproxy.services.done import drop_done
from schoolproxy.services.feeds import drop_all_feeds
from schoolproxy.services.watch.watches import drop_watch

_WITHHELD = {
    "address": "a secret token; encrypted, and shown at /api/schedule/feed",
    "address_hash": "for look-up; a keyed hash",
    "weeks": "lessons from the school's system; encrypted",
    "history": "the same lessons with the times of changes, and those that are gone; encrypted",
    "dated": "exams, events and plannings in the same way; encrypted",
    "include": "what the calendar has; shown at /api/schedule/feed",
    "weeks_at": "when they were read",
    "asked_at": "when the school was last asked",
    "trouble": "why that failed",
}
TABLES = [
    Table(
        model="schoolproxy.CalendarFeed",
        purpose="a calendar for programs that cannot sign in",
        retention="until it is revoked; the weeks for at most 30 days",
        erasure="deleted",
        personal=["created_at", "name"],
        withheld=_WITHHELD,
        technical=["account"],
    ),
    Table(
        model="schoolproxy.ChildCalendarFeed",
        purpose="a guardian's calendar of one child",
        retention=(
            "until it is revoked; the weeks for at most 30 days, or until the school no longer "
            "lists the child"
        ),
        erasure="deleted",
        personal=["created_at", "child_id", "org_id", "name"],
        withheld=_WITHHELD,
        technical=["id", "account"],
    ),
    Table(
        model="schoolproxy.Watch",
        purpose="looking at the school for people who want to hear of changes",
        retention="until the person opts out; what was seen until the last login ends",
        erasure="deleted",
        personal=["since", "last_look_at", "child_id", "org_id"],
        withheld={
            "state": "lessons, assignments, results, news and messages of the school; encrypted",
            "session_id": "the login whose token is used",
            "status": "whether the school can be asked",
            "next_look_at": "when the school is asked next",
        },
        technical=["id", "account", "confirms", "claimed_until", "version"],
    ),
    Table(
        model="schoolproxy.ScheduleChange",
        purpose="showing how a schedule has changed",
        retention="30 days",
        erasure="deleted",
        withheld={
            "at": "shown at /api/schedule/changes",
            "child_id": "shown at /api/schedule/changes",
            "change": "the lesson before and after; encrypted, shown at /api/schedule/changes",
        },
        technical=["id", "account"],
    ),
    Table(
        model="schoolproxy.DoneAssignment",
        purpose="ticking off on all devices what is done",
        retention="13 months after the assignment is due, or until it is taken back",
        erasure="deleted",
        personal=["child_id", "assignment_id", "due_on", "done_at"],
        technical=["id", "account"],
    ),
]


def export(account_id: int) -> Iterator[Document]:
    feeds = CalendarFeed.objects.filter(pk=account_id).values_list("created_at", "name")
    yield "calendar_feed.json", [{"createdAt": at, "name": name or None} for at, name in feeds]
    about = ChildCalendarFeed.objects.filter(account=account_id).order_by("pk")
    yield (
        "child_calendar_feeds.json",
        [
            {
                "createdAt": feed.created_at,
                "child": str(feed.child_id),
                "org": None if feed.org_id is None else str(feed.org_id),
                "name": feed.name or None,
            }
            for feed in about.only("created_at", "child_id", "org_id", "name")
        ],
    )
    watches = Watch.objects.filter(account=account_id).order_by("child_id")
    yield (
        "watches.json",
        [
            {
                "child": str(watch.child_id) if watch.child_id else None,
                "org": None if watch.org_id is None else str(watch.org_id),
                "since": watch.since,
                "lastLookAt": watch.last_look_at,
            }
            for watch in watches.defer("state")
        ],
    )
    ticks = DoneAssignment.objects.filter(account=account_id).order_by("pk")
    yield (
        "done_assignments.json",
        [
            {
                "child": str(tick.child_id) if tick.child_id else None,
                "assignmentId": str(tick.assignment_id),
                "dueOn": tick.due_on,
                "doneAt": tick.done_at,
            }
            for tick in ticks
        ],
    )


def erase(account_id: int) -> None:
    drop_all_feeds(account_id)
    drop_watch(account_id)
    drop_done(account_id)


PERSONAL_DATA = PersonalData(TABLES, export, erase)
