"""Upstream's lessons as calendar entries. Pure.

Their times carry no zone and no year beyond their own: they are what the clock on the wall in
Stockholm shows. Their texts may hold markup and lists without blanks.
"""

import html
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from hashlib import sha256
from typing import Any

import nh3
import orjson
from django.utils import timezone

from schoolproxy.models.feeds import SIGNED_OUT, UPSTREAM_AWAY
from schoolproxy.services.schedule import Lesson, arrange

# All that a calendar shows. Attendance and the rest is nobody's business there.
FIELDS = (
    "eventId", "name", "description", "startDate", "endDate", "allDay",
    "room", "teacher", "teachingGroup",
)  # fmt: skip
LONGEST = 300
TITLE_LONGEST = 100
# Lessons beyond these are a mistake, and a calendar program would choke on them.
YEARS = range(1990, 2101)
MOST_LESSONS = 1000


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
class Entry:
    """One event of a calendar.

    `start` and `end` are aware datetimes, or both plain dates for whole days; `end` is where it
    is over (for dates, the day after the last), None where nobody said. `uid` stays the same as
    long as it is the same event, and tells nothing about anyone.
    """

    uid: str
    title: str
    start: date | datetime
    end: date | datetime | None = None
    place: str = ""
    text: str = ""


def slim(lessons: Sequence[Lesson]) -> list[Lesson]:
    """The lessons with the fields that a calendar shows, each once: two weeks may tell of one."""
    kept = [
        {
            name: value[:LONGEST] if isinstance(value, str) else value
            for name in FIELDS
            if isinstance(value := lesson.get(name), str | int)
        }
        for lesson in lessons[:MOST_LESSONS]
    ]
    return arrange(kept, keep_parallel=True)


def entries_of(lessons: Sequence[Lesson], *, school: str) -> list[Entry]:
    """One entry a lesson, in time's order; what has no start that can be read is left out.

    Lessons that share a slot all stay. An entry's uid comes from the school, upstream's id of
    the lesson and its start: the same for everyone who has the lesson.
    """
    seen: Counter[str] = Counter()
    entries: list[Entry] = []
    for lesson in sorted(lessons, key=lambda lesson: orjson.dumps(lesson, option=_SORTED)):
        start = _moment(lesson.get("startDate"))
        if start is None:
            continue
        uid = _uid(school, lesson, start)
        seen[uid] += 1  # an id is not known to be one lesson's alone
        entries.append(_entry(lesson, start, f"{uid}-{seen[uid]}@schedule"))
    return sorted(entries, key=lambda entry: (str(entry.start), entry.uid))


_SORTED = orjson.OPT_SORT_KEYS


def _entry(lesson: Lesson, start: datetime, uid: str) -> Entry:
    end = _moment(lesson.get("endDate"))
    name, described = _plain(lesson.get("name")), _plain(lesson.get("description"))
    title = described if 0 < len(described) <= TITLE_LONGEST else name or described[:TITLE_LONGEST]
    lines = [
        described if described != title else "",
        _labelled("Lärare", lesson.get("teacher")),
        _labelled("Grupp", lesson.get("teachingGroup")),
    ]
    text = "\n".join(line for line in lines if line)
    place = _listed(lesson.get("room"))
    if lesson.get("allDay") is True or _is_bare(lesson.get("startDate")):
        last = _last_day(start, end, bare=_is_bare(lesson.get("endDate")))
        return Entry(uid, title or "?", start.date(), last + timedelta(days=1), place, text)
    return Entry(uid, title or "?", start, end if end and end > start else None, place, text)


def _uid(school: str, lesson: Lesson, start: datetime) -> str:
    identity = lesson.get("eventId")
    if identity is None:
        identity = f"{lesson.get('name')}\0{lesson.get('teachingGroup')}"
    return sha256(f"{school}\0{identity}\0{start.isoformat()}".encode()).hexdigest()[:32]


def _moment(value: Any) -> datetime | None:
    """A time of theirs; None for what is none."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value.strip())
        if moment.tzinfo is not None:
            moment = timezone.make_naive(moment)
    except (ValueError, OverflowError):
        return None
    return timezone.make_aware(moment) if moment.year in YEARS else None


def _is_bare(value: Any) -> bool:
    """A date without a time."""
    return isinstance(value, str) and ":" not in value


def _last_day(start: datetime, end: datetime | None, *, bare: bool) -> date:
    """The last of its days: an end at midnight is the end of the day before."""
    if end is None or end.date() <= start.date():
        return start.date()
    if not bare and end.time() == time():
        return end.date() - timedelta(days=1)
    return end.date()


def _plain(value: Any) -> str:
    """One line without markup."""
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if "<" in text or "&" in text:
        text = html.unescape(nh3.clean(text, tags=set()))
    return " ".join(text.split())


def _listed(value: Any) -> str:
    """Their list, with a blank behind each comma."""
    return ", ".join(filter(None, (part.strip() for part in _plain(value).split(","))))


def _labelled(label: str, value: Any) -> str:
    listed = _listed(value)
    return f"{label}: {listed}" if listed else ""


def notice(trouble: str, *, now: datetime, since: datetime | None) -> Entry:
    """Today's entry about a trouble; `since` is when the lessons were read, None without any."""
    swedish, english = _NOTICES[trouble]
    today = timezone.localdate(now)
    lines = [english]
    if since is not None:
        when = f"{timezone.localtime(since):%Y-%m-%d %H:%M}"
        lines.append(f"Senast uppdaterat / last updated: {when}")
    return Entry(f"{trouble}-{today}@notice", swedish, today, text="\n".join(lines))
