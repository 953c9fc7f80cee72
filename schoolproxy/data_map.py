"""The personal data of this app. School data is only in the store, sealed, for minutes."""

from collections.abc import Iterator

from accounts.personal_data import Document, PersonalData, Table
from schoolproxy.models import CalendarFeed, ChildCalendarFeed
from schoolproxy.services.feeds import drop_all_feeds

_WITHHELD = {
    "address": "a secret token; encrypted, and shown at /api/schedule/feed",
    "address_hash": "for look-up; a keyed hash",
    "weeks": "lessons from the school's system; sealed",
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
        personal=["created_at"],
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
        personal=["created_at", "child_id", "org_id"],
        withheld=_WITHHELD,
        technical=["id", "account"],
    ),
]


def export(account_id: int) -> Iterator[Document]:
    feeds = CalendarFeed.objects.filter(pk=account_id).values_list("created_at", flat=True)
    yield "calendar_feed.json", [{"createdAt": created_at} for created_at in feeds]
    about = ChildCalendarFeed.objects.filter(account=account_id).order_by("pk")
    rows = about.values_list("created_at", "child_id", "org_id")
    yield (
        "child_calendar_feeds.json",
        [
            {"createdAt": created_at, "child": str(child), "org": None if org is None else str(org)}
            for created_at, child, org in rows
        ],
    )


PERSONAL_DATA = PersonalData(TABLES, export, drop_all_feeds)
