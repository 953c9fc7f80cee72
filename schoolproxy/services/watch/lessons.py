"""Lessons as the watch compares them, and what changed between two answers about the same week.

Pure functions. A lesson is recognised by upstream's number and the date, because numbers come again
each week. Where that says nothing (no number, or all lessons have new numbers), it is recognised by
its times and its name.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import blake2b
from typing import Any, Final, Literal, NamedTuple

from schoolproxy.services.matching import match
from schoolproxy.services.shown_lessons import is_cancelled, listed, plain

MAX_TEXT = 200
MAX_LESSONS = 500
_TIME = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(\.\d+)?)?\Z", re.ASCII)

ChangeKind = Literal["cancelled", "added", "moved", "room", "teacher"]


class WatchedLesson(NamedTuple):
    """The meaning of a lesson: no colours, no attendance. Times are `YYYY-MM-DDTHH:MM`; what is
    missing is empty."""

    event_id: str
    name: str
    start: str
    end: str
    room: str
    teacher: str

    @property
    def day(self) -> str:
        return self.start[:10]

    def fields(self) -> dict[str, str | None]:
        """With the names that upstream gives them, and texts as people read them."""
        return {
            "eventId": self.event_id or None,
            "name": plain(self.name),
            "startDate": self.start,
            "endDate": self.end or None,
            "room": listed(self.room),
            "teacher": listed(self.teacher),
        }


class ReadWeek(NamedTuple):
    """The lessons of one answer, without duplicates and in order. `unreadable` rows have no valid
    start."""

    lessons: tuple[WatchedLesson, ...]
    unreadable: int


# --- Reading ---


def read_week(rows: Iterable[dict[str, Any]], year: int, week: int) -> ReadWeek | None:
    """The lessons of an ISO week, or None if the answer cannot be of this week.

    A lesson that upstream strikes through is left out, so it is cancelled like one that is gone.
    Upstream's weeks have no year: near the end of one, it may mean another year than we do.
    """
    lessons: set[WatchedLesson] = set()
    unreadable = in_other_weeks = 0
    for row in rows:
        lesson = read_lesson(row)
        if lesson is None:
            unreadable += 1
        elif date.fromisoformat(lesson.day).isocalendar()[:2] != (year, week):
            in_other_weeks += 1
        elif not is_cancelled(row):
            lessons.add(lesson)
    if len(lessons) > MAX_LESSONS or (not lessons and (unreadable or in_other_weeks)):
        return None
    return ReadWeek(tuple(sorted(lessons)), unreadable)


def read_lesson(row: dict[str, Any]) -> WatchedLesson | None:
    """The lesson of a row; None without a valid start."""
    start = _read_time(row.get("startDate"))
    if not start:
        return None
    return WatchedLesson(
        event_id=text_of(row.get("eventId")),
        name=text_of(row.get("name")) or text_of(row.get("description")),
        start=start,
        end=_read_time(row.get("endDate")),
        room=_sorted_names(row.get("room")),
        teacher=_sorted_names(row.get("teacher")),
    )


def text_of(value: Any) -> str:
    """A text or a whole number as one line; empty for anything else."""
    if type(value) is int and abs(value) < 2**63:
        value = str(value)
    if not isinstance(value, str):
        return ""
    # A lone surrogate can be neither stored nor sent.
    return " ".join(value.split())[:MAX_TEXT].encode(errors="replace").decode()


def _read_time(value: Any) -> str:
    """`YYYY-MM-DDTHH:MM`; empty for what is no time."""
    parts = _TIME.match(value) if isinstance(value, str) else None
    if parts is None:
        return ""
    time = f"{parts[1]}T{parts[2]}"
    try:
        datetime.fromisoformat(time)
    except ValueError:
        return ""
    return time


def _sorted_names(value: Any) -> str:
    """Names with commas between them, sorted: upstream's order differs from answer to answer."""
    return ", ".join(sorted({name.strip() for name in text_of(value).split(",")} - {""}))


# --- Comparing ---

# What differs in a lesson that both answers have.
_FIELDS: Final[dict[ChangeKind, tuple[str, ...]]] = {
    "moved": ("start", "end"),
    "room": ("room",),
    "teacher": ("teacher",),
}


@dataclass(frozen=True, slots=True)
class Change:
    """`before` is None for an added lesson, and `after` for a cancelled one."""

    kind: ChangeKind
    before: WatchedLesson | None
    after: WatchedLesson | None

    @property
    def lesson(self) -> WatchedLesson:
        lesson = self.before or self.after
        assert lesson is not None  # noqa: S101 - for the types
        return lesson

    @property
    def day(self) -> str:
        return self.lesson.day

    @property
    def digest(self) -> str:
        """The same for the same change in a later answer. What else is new about the lesson is a
        change of its own."""
        lesson = self.lesson
        values: list[str] = [self.kind, lesson.event_id or lesson.name, lesson.start, lesson.end]
        if self.before and self.after:
            before = () if self.kind == "moved" else _values(self.before, self.kind)
            values += [*before, *_values(self.after, self.kind)]
        return blake2b("\0".join(values).encode(), digest_size=12).hexdigest()

    def fields(self) -> dict[str, Any]:
        """The change in the words of the API."""
        return {
            "change": self.kind,
            "date": self.day,
            "lesson": self.before.fields() if self.before else None,
            "after": self.after.fields() if self.after else None,
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Lessons that are in both answers, and those that are only in one."""

    pairs: Sequence[tuple[WatchedLesson, WatchedLesson]]
    gone: Sequence[WatchedLesson]
    new: Sequence[WatchedLesson]

    def changes(self) -> list[Change]:
        changes = [change for pair in self.pairs for change in _changes_of(*pair)]
        changes += [Change("cancelled", lesson, None) for lesson in self.gone]
        changes += [Change("added", None, lesson) for lesson in self.new]
        return sorted(changes, key=lambda change: (change.lesson.start, change.lesson, change.kind))

    def merged(self, accepted: set[str]) -> tuple[WatchedLesson, ...]:
        """The lessons before, with the changes of these digests."""
        lessons = [_merge(*pair, accepted) for pair in self.pairs]
        lessons += [
            lesson
            for lesson in self.gone
            if Change("cancelled", lesson, None).digest not in accepted
        ]
        lessons += [
            lesson for lesson in self.new if Change("added", None, lesson).digest in accepted
        ]
        return tuple(sorted(lessons))


def compare(before: Iterable[WatchedLesson], after: Iterable[WatchedLesson]) -> Comparison:
    """Find the lessons of one answer in the other."""
    keys = (tuple, _number_and_times, _number_and_day, _times_and_name)
    return Comparison(*match(sorted(set(before)), sorted(set(after)), keys))


def _number_and_times(lesson: WatchedLesson) -> tuple[str, ...] | None:
    return (lesson.event_id, lesson.start, lesson.end) if lesson.event_id else None


def _number_and_day(lesson: WatchedLesson) -> tuple[str, ...] | None:
    return (lesson.event_id, lesson.day) if lesson.event_id else None


def _times_and_name(lesson: WatchedLesson) -> tuple[str, ...]:
    return (lesson.start, lesson.end, lesson.name)


def _changes_of(before: WatchedLesson, after: WatchedLesson) -> list[Change]:
    return [
        Change(kind, before, after)
        for kind in _FIELDS
        if _values(before, kind) != _values(after, kind)
    ]


def _values(lesson: WatchedLesson, kind: ChangeKind) -> tuple[str, ...]:
    return tuple(getattr(lesson, name) for name in _FIELDS[kind])


def _merge(before: WatchedLesson, after: WatchedLesson, accepted: set[str]) -> WatchedLesson:
    """The lesson after, with what has not been accepted as it was before."""
    merged = after
    for change in _changes_of(before, after):
        if change.digest not in accepted:
            old_values = {name: getattr(before, name) for name in _FIELDS[change.kind]}
            merged = merged._replace(**old_values)
    return merged
