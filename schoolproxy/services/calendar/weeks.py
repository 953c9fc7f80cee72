"""The weeks of a calendar: which they are, their lessons, and the session's own `.ics`."""

from datetime import UTC, datetime, time, timedelta
from functools import partial

import orjson
from django.utils import timezone

from accounts.callers import Caller
from schoolproxy.cache import CachedAnswer
from schoolproxy.limits import CALENDAR_WEEKS
from schoolproxy.models.feeds import UPSTREAM_AWAY
from schoolproxy.parts import needed
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.services.calendar.entries import Entry, entries_of, notice, slim
from schoolproxy.services.calendar.ical import calendar_text
from schoolproxy.services.feed_sources import entries_from_sources
from upstream.calls.lessons import fetch_lessons
from upstream.fan_out import gather
from upstream.records import WebSession
from upstream.shared_client import client


def weeks_from_now() -> list[int]:
    """The ISO weeks of a calendar that names none; the year turns in between without harm."""
    today = timezone.localdate()
    return [(today + timedelta(weeks=n)).isocalendar().week for n in range(CALENDAR_WEEKS)]


def calendar_read(weeks: list[int]) -> SchoolRead:
    """The lessons of these ISO weeks, with the fields that a calendar shows: all, or an error."""

    def fetch(caller: Caller, web: WebSession) -> Fields:
        call = partial(fetch_lessons, client(), school=caller.school, web=web, role=caller.role)
        found = gather(client(), caller.school, [partial(call, week=week) for week in weeks])
        return {"lessons": slim([lesson for lessons in found for lesson in needed(lessons)])}

    return SchoolRead(f"calendar-{'-'.join(map(str, weeks))}", fetch)


def calendar_of_answer(caller: Caller, answer: CachedAnswer) -> bytes:
    """The caller's calendar from an answer to `calendar_read`. A stale one says so in an entry."""
    entries = entries_of(orjson.loads(answer.body)["lessons"], school=caller.school)
    if answer.stale_since is not None:
        since = datetime.fromtimestamp(answer.stale_since / 1000, UTC)
        entries.append(notice(UPSTREAM_AWAY, now=datetime.now(UTC), since=since))
    return whole_calendar(caller.account_id, entries)


def whole_calendar(account_id: int, entries: list[Entry]) -> bytes:
    """The text of somebody's calendar: these entries and those of the other apps.

    It is stamped with the beginning of the week, not with the moment: what has not changed is
    then the same text, and a program that has it need not load it again.
    """
    today = timezone.localdate()
    monday = timezone.make_aware(datetime.combine(today - timedelta(days=today.weekday()), time()))
    return calendar_text([*entries, *entries_from_sources(account_id)], stamp=monday)
