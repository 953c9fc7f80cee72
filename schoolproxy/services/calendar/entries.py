"""The entries of a calendar: lessons, countdowns, and a notice when they could not be updated.

Upstream's times have no time zone and mean Stockholm. Its texts may have markup, and lists without
spaces.
"""

import html
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import partial
from hashlib import sha256
from typing import Any

import nh3
import orjson
from django.utils import timezone

from accounts.invisible_characters import visible_text
from notes.models import Countdown
from schoolproxy.models.feeds import SIGNED_OUT, UPSTREAM_AWAY
from schoolproxy.services.schedule import Lesson, arrange
from upstream.pages.html import BLOCKS

# What a calendar shows of a lesson: not attendance, for example.
FIELDS = (
    "eventId", "name", "description", "startDate", "endDate", "allDay",
    "room", "teacher", "teachingGroup",
)  # fmt: skip
MAX_LENGTH = 300
MAX_TITLE = 100
# Anything beyond is an error of upstream's, and calendar programs may fail on it.
YEARS = range(1990, 2101)
MAX_LESSONS = 1000
_BLOCK = re.compile(rf"<(?=/?(?:{'|'.join(sorted(BLOCKS))})\b)", re.IGNORECASE)
_NOTICES = {
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
    about a person.
    """

    uid: str
    title: str
    start: date | datetime
    end: date | datetime | None = None
    location: str = ""
    text: str = ""


def shown_fields(lessons: Sequence[Lesson]) -> list[Lesson]:
    """The lessons with only the fields that a calendar shows, without duplicates."""
    shown = [
        {
            name: value[:MAX_LENGTH] if isinstance(value, str) else value
            for name in FIELDS
            if isinstance(value := lesson.get(name), str | int)
        }
        for lesson in lessons[:MAX_LESSONS]
    ]
    return arrange(shown, keep_parallel=True)


def lesson_entries(lessons: Sequence[Lesson], *, school: str) -> list[CalendarEntry]:
    """One entry for each lesson with a valid start, ordered by time. Its uid (from the school,
    upstream's id and the start) is the same for everyone who has the lesson."""
    seen: Counter[str] = Counter()
    entries: list[CalendarEntry] = []
    for lesson in sorted(lessons, key=partial(orjson.dumps, option=orjson.OPT_SORT_KEYS)):
        start = _datetime(lesson.get("startDate"))
        if start is None:
            continue
        uid = _uid(school, lesson, start)
        seen[uid] += 1  # several lessons may share an id
        entries.append(_entry(lesson, start, f"{uid}-{seen[uid]}@schedule"))
    return sorted(entries, key=lambda entry: (str(entry.start), entry.uid))


def _entry(lesson: Lesson, start: datetime, uid: str) -> CalendarEntry:
    end = _datetime(lesson.get("endDate"))
    name, described = _plain(lesson.get("name")), _plain(lesson.get("description"))
    title = described if 0 < len(described) <= MAX_TITLE else name or described[:MAX_TITLE] or "?"
    lines = [
        described if described != title else "",
        _labelled("Lärare", lesson.get("teacher")),
        _labelled("Grupp", lesson.get("teachingGroup")),
    ]
    text = "\n".join(line for line in lines if line)
    location = _list(lesson.get("room"))
    if lesson.get("allDay") is True or _is_date(lesson.get("startDate")):
        last = _last_day(start, end, date_only=_is_date(lesson.get("endDate")))
        return CalendarEntry(uid, title, start.date(), last + timedelta(days=1), location, text)
    return CalendarEntry(uid, title, start, end if end and end > start else None, location, text)


def _uid(school: str, lesson: Lesson, start: datetime) -> str:
    identity = lesson.get("eventId")
    if identity is None:
        identity = f"{lesson.get('name')}\0{lesson.get('teachingGroup')}"
    return sha256(f"{school}\0{identity}\0{start.isoformat()}".encode()).hexdigest()[:32]


def _datetime(value: Any) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value.strip())
        if moment.tzinfo is not None:
            moment = timezone.make_naive(moment)
    except (ValueError, OverflowError):
        return None
    return timezone.make_aware(moment) if moment.year in YEARS else None


def _is_date(value: Any) -> bool:
    """Whether it is a date without a time."""
    return isinstance(value, str) and ":" not in value


def _last_day(start: datetime, end: datetime | None, *, date_only: bool) -> date:
    """The last day of an all-day lesson. An end at midnight belongs to the day before."""
    if end is None or end.date() <= start.date():
        return start.date()
    if not date_only and end.time() == time():
        return end.date() - timedelta(days=1)
    return end.date()


def _plain(value: Any) -> str:
    """The value as one line without markup and invisible characters, a space between blocks."""
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if "<" in text or "&" in text:
        text = html.unescape(nh3.clean(_BLOCK.sub(" <", text), tags=set()))
    return " ".join(visible_text(text).split())


def _list(value: Any) -> str:
    """A comma-separated list of upstream's, with a space after each comma."""
    return ", ".join(filter(None, (part.strip() for part in _plain(value).split(","))))


def _labelled(label: str, value: Any) -> str:
    listed = _list(value)
    return f"{label}: {listed}" if listed else ""


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
    )


def failure_notice(failure: str, *, now: datetime, since: datetime | None) -> CalendarEntry:
    """An all-day entry of today, because calendar programs do not show errors. `failure` is
    SIGNED_OUT or UPSTREAM_AWAY; `since` is when the lessons were fetched, if there are any."""
    swedish, english = _NOTICES[failure]
    today = timezone.localdate(now)
    lines = [english]
    if since is not None:
        when = f"{timezone.localtime(since):%Y-%m-%d %H:%M}"
        lines.append(f"Senast uppdaterat / last updated: {when}")
    return CalendarEntry(f"{failure}-{today}@notice", swedish, today, text="\n".join(lines))
