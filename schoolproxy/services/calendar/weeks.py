"""Which weeks a calendar shows, their lessons, and the calendar made of them."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from itertools import chain

import orjson
from django.utils import timezone

from accounts.callers import Caller
from accounts.timestamps import from_milliseconds
from notes.services.countdowns import list_countdowns
from schoolproxy.cache import CachedAnswer
from schoolproxy.limits import CALENDAR_WEEKS
from schoolproxy.models.feeds import UPSTREAM_AWAY
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.services.calendar.entries import (
    CalendarEntry,
    countdown_entry,
    failure_notice,
    shown_fields,
)
from schoolproxy.services.calendar.history import Week, lesson_entries
from schoolproxy.services.calendar.ical import calendar_text
from schoolproxy.services.schedule import Lesson
from upstream.calls.lessons import fetch_lessons
from upstream.fan_out import gather, value_or_raise
from upstream.records import ProvenSession
from upstream.shared_client import client


def weeks_after(today: date) -> list[Week]:
    """The ISO years and weeks of a feed, and of a calendar whose query names none."""
    return [(today + timedelta(weeks=n)).isocalendar()[:2] for n in range(CALENDAR_WEEKS)]


def weeks_from_now() -> list[int]:
    """The numbers of these weeks. They may cross the end of a year."""
    return [week for _year, week in weeks_after(timezone.localdate())]


def fetch_weeks(web: ProvenSession, weeks: Iterable[int]) -> list[list[Lesson]]:
    """What upstream sends for these ISO weeks. Raises: the first failure when one week fails."""
    calls = [partial(fetch_lessons, client(), web=web, week=week) for week in weeks]
    return [value_or_raise(answer) for answer in gather(client(), web.school, calls)]


def calendar_read(weeks: list[int]) -> SchoolRead:
    """The lessons of these ISO weeks, as a calendar shows them. It fails when one week fails."""

    def fetch(web: ProvenSession) -> Fields:
        return {"lessons": shown_fields(list(chain(*fetch_weeks(web, weeks))))}

    return SchoolRead(f"calendar-{'-'.join(map(str, weeks))}", fetch)


def render_calendar(caller: Caller, answer: CachedAnswer) -> bytes:
    """The caller's calendar from an answer to `calendar_read`. A stale one says so in an entry."""
    fields = orjson.loads(answer.body)
    child = fields.get("child", {})
    entries = lesson_entries(
        fields["lessons"], owner=owner_of_entries(caller.account_id, child.get("id"))
    )
    if answer.stale_since is not None:
        since = from_milliseconds(answer.stale_since)
        entries.append(failure_notice(UPSTREAM_AWAY, now=datetime.now(UTC), since=since))
    return render_entries(caller.account_id, entries, child=child.get("name", ""))


def owner_of_entries(account_id: int, child_id: str | int | None) -> str:
    """Whose entries have the same uid, in a feed and with a session."""
    return f"{account_id}:{child_id or 0}"


def render_entries(
    account_id: int,
    entries: list[CalendarEntry],
    *,
    child: str = "",
    name: str = "",
    countdowns: bool = True,
) -> bytes:
    """An account's calendar: these entries, and its countdowns without the archived ones. Without
    a name, a guardian's is named after the child. The timestamp of entries that have none is the
    beginning of the week, so that an unchanged calendar has the same bytes and the same ETag."""
    today = timezone.localdate()
    monday = timezone.make_aware(datetime.combine(today - timedelta(days=today.weekday()), time()))
    rows = list_countdowns(account_id) if countdowns else []
    shown = [*entries, *(countdown_entry(row) for row in rows if not row.archived)]
    return calendar_text(shown, stamp=monday, child=child, name=name)
