"""Which weeks a calendar shows, their lessons, and the calendar made of them."""

from datetime import UTC, datetime, time, timedelta
from functools import partial

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
    lesson_entries,
    shown_fields,
)
from schoolproxy.services.calendar.ical import calendar_text
from upstream.calls.lessons import fetch_lessons
from upstream.fan_out import gather, value_or_raise
from upstream.records import ProvenSession
from upstream.shared_client import client


def weeks_from_now() -> list[int]:
    """The ISO weeks of a calendar whose query names none. They may cross the end of a year."""
    today = timezone.localdate()
    return [(today + timedelta(weeks=n)).isocalendar().week for n in range(CALENDAR_WEEKS)]


def calendar_read(weeks: list[int]) -> SchoolRead:
    """The lessons of these ISO weeks, as a calendar shows them. It fails when one week fails."""

    def fetch(web: ProvenSession) -> Fields:
        calls = [partial(fetch_lessons, client(), web=web, week=week) for week in weeks]
        found = gather(client(), web.school, calls)
        lessons = [lesson for part in found for lesson in value_or_raise(part)]
        return {"lessons": shown_fields(lessons)}

    return SchoolRead(f"calendar-{'-'.join(map(str, weeks))}", fetch)


def render_calendar(caller: Caller, answer: CachedAnswer) -> bytes:
    """The caller's calendar from an answer to `calendar_read`. A stale one says so in an entry."""
    fields = orjson.loads(answer.body)
    entries = lesson_entries(fields["lessons"], school=caller.school)
    if answer.stale_since is not None:
        since = from_milliseconds(answer.stale_since)
        entries.append(failure_notice(UPSTREAM_AWAY, now=datetime.now(UTC), since=since))
    return render_entries(caller.account_id, entries, child=fields.get("child", {}).get("name", ""))


def render_entries(account_id: int, entries: list[CalendarEntry], *, child: str = "") -> bytes:
    """An account's calendar: these entries, and its countdowns without the archived ones. A
    guardian's is named after the child. Its timestamp is the beginning of the week, so that an
    unchanged calendar has the same bytes and the same ETag."""
    today = timezone.localdate()
    monday = timezone.make_aware(datetime.combine(today - timedelta(days=today.weekday()), time()))
    countdowns = [row for row in list_countdowns(account_id) if not row.archived]
    shown = [*entries, *map(countdown_entry, countdowns)]
    return calendar_text(shown, stamp=monday, child=child)
