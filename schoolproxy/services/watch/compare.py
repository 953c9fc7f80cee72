"""What changed between two answers about the same week. Pure functions.

A lesson is known by upstream's number and the date, because numbers come again each week. Where
that says nothing (no number, or numbers were given anew), it is known by its times and its name.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final, Literal

from schoolproxy.services.matching import match
from schoolproxy.services.watch.lessons import WatchedLesson

ChangeKind = Literal["cancelled", "added", "moved", "room", "teacher"]
Pair = tuple[WatchedLesson, WatchedLesson]
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
        """The same for the same change seen again. What else is new about the lesson is a change
        of its own."""
        lesson = self.lesson
        said: list[str] = [self.kind, lesson.event_id or lesson.name, lesson.start, lesson.end]
        if self.before and self.after:
            before = () if self.kind == "moved" else _values(self.before, self.kind)
            said += [*before, *_values(self.after, self.kind)]
        return blake2b("\0".join(said).encode(), digest_size=12).hexdigest()

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

    pairs: Sequence[Pair]
    gone: Sequence[WatchedLesson]
    new: Sequence[WatchedLesson]

    def changes(self) -> list[Change]:
        found = [change for pair in self.pairs for change in _changes_of(*pair)]
        found += [Change("cancelled", lesson, None) for lesson in self.gone]
        found += [Change("added", None, lesson) for lesson in self.new]
        return sorted(found, key=lambda change: (change.lesson.start, change.lesson, change.kind))

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
    """Find each lesson of one answer in the other."""
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
    kept = after
    for change in _changes_of(before, after):
        if change.digest not in accepted:
            kept = kept._replace(**{name: getattr(before, name) for name in _FIELDS[change.kind]})
    return kept
