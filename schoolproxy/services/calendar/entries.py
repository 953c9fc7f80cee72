"""The entries of a calendar: lessons, countdowns, and a notice when they could not be updated."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.utils import timezone

from notes.models import Countdown
from schoolproxy.models.feeds import SIGNED_OUT, UPSTREAM_AWAY
from schoolproxy.services.schedule import Lesson, arrange
from schoolproxy.services.shown_lessons import (
    MAX_LENGTH,
    datetime_of,
    is_all_day,
    is_cancelled,
    last_day,
    listed,
    start_of,
    title_and_text,
)

# What a calendar shows of a lesson: not attendance, for example.
FIELDS = (
    "eventId", "name", "description", "startDate", "endDate", "allDay",
    "room", "teacher", "teachingGroup",
)  # fmt: skip
MAX_LESSONS = 1000
# The lessons could be updated, something else could not.
DATED_AWAY = "dated_away"
_NOTICES = {
    DATED_AWAY: (
        "Allt utom lektionerna kunde inte uppdateras; skolans system svarar inte",
        "Not everything but the lessons could be updated: the school's system does not answer. "
        "It will be tried again.",
    ),
    SIGNED_OUT: (
        "Schemat kunde inte uppdateras; logga in igen",
        "The schedule could not be updated. Please sign in to the service again.",
    ),
    UPSTREAM_AWAY: (
        "Schemat kunde inte uppdateras; skolans system svarar inte",
        "The schedule could not be updated: the school's system does not answer. "
        "It will be tried again.",
    ),
}


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """One event of a calendar.

    `start` and `end` are aware datetimes, or dates for whole days. `end` is exclusive, and None
    where it is not known. `uid` is the same as long as it is the same event, and reveals nothing
    about a person. `changed_at` is when we last saw a change of it, if somebody knows.
    """

    uid: str
    title: str
    start: date | datetime
    end: date | datetime | None = None
    location: str = ""
    text: str = ""
    changed_at: datetime | None = None
    cancelled: bool = False


def shown_fields(lessons: Sequence[Lesson]) -> list[Lesson]:
    """The lessons with only the fields that a calendar shows, without duplicates. A lesson that
    upstream calls cancelled has `cancelled`."""
    return arrange([_shown(lesson) for lesson in lessons[:MAX_LESSONS]], keep_parallel=True)


def _shown(lesson: Lesson) -> Lesson:
    shown = {
        name: value[:MAX_LENGTH] if isinstance(value, str) else value
        for name in FIELDS
        if isinstance(value := lesson.get(name), str | int)
    }
    if is_cancelled(lesson):
        shown["cancelled"] = True
    return shown


def lesson_entry(
    uid: str, lesson: Lesson, *, changed_at: int | None = None, gone: bool = False
) -> CalendarEntry:
    """The entry of a lesson with a valid start. `gone`: it is not in its week any more."""
    start, end = start_of(lesson), datetime_of(lesson.get("endDate"))
    if start is None:
        raise ValueError("a lesson without a valid start")
    if is_all_day(lesson):
        after = last_day(lesson, start) + timedelta(days=1)
        times: tuple[date, date | None] = start.date(), after
    else:
        times = start, end if end and end > start else None
    cancelled = gone or lesson.get("cancelled") is True
    title, text = _words(lesson, cancelled=cancelled)
    moment = None if changed_at is None else datetime.fromtimestamp(changed_at, UTC)
    return CalendarEntry(uid, title, *times, listed(lesson.get("room")), text, moment, cancelled)


def _words(lesson: Lesson, *, cancelled: bool) -> tuple[str, str]:
    """The title and the text of a lesson."""
    title, described = title_and_text(lesson)
    lines = [
        "Inställd" if cancelled else "",  # for programs that do not show the status
        described,
        _labelled("Lärare", lesson.get("teacher")),
        _labelled("Grupp", lesson.get("teachingGroup")),
    ]
    return title, "\n".join(line for line in lines if line)


def _labelled(label: str, value: Any) -> str:
    text = listed(value)
    return f"{label}: {text}" if text else ""


def countdown_entry(countdown: Countdown) -> CalendarEntry:
    """A countdown to midnight in Stockholm lasts a whole day, any other one hour. Its uid never
    changes, so that calendar programs move the event instead of adding another."""
    start = timezone.localtime(countdown.target_at)
    all_day = start.time() == time()
    return CalendarEntry(
        uid=f"{countdown.pk.hex}@countdown",
        title=f"{countdown.emoji} {countdown.title}".strip(),
        start=start.date() if all_day else start,
        end=start.date() + timedelta(days=1) if all_day else start + timedelta(hours=1),
        text=countdown.description,
        changed_at=countdown.updated_at,
    )


def failure_notice(failure: str, *, now: datetime, since: datetime | None) -> CalendarEntry:
    """An all-day entry of today, because calendar programs do not show errors. `failure` is
    SIGNED_OUT, UPSTREAM_AWAY or DATED_AWAY; `since` is when the lessons were fetched, if
    there are any."""
    swedish, english = _NOTICES[failure]
    today = timezone.localdate(now)
    changed_at = timezone.make_aware(datetime.combine(today, time()))
    lines = [english]
    if since is not None:
        changed_at = max(changed_at, since)
        when = f"{timezone.localtime(since):%Y-%m-%d %H:%M}"
        lines.append(f"Senast uppdaterat / last updated: {when}")
    uid, text = f"{failure}-{today}@notice", "\n".join(lines)
    return CalendarEntry(uid, swedish, today, text=text, changed_at=changed_at)
