"""What a calendar has shown: which lesson is which entry, when it changed, and what was cancelled.

Pure functions. A lesson stays the entry that it was as long as it can be recognised: by upstream's
number and its day, or by its times and its name when it was numbered anew.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

import orjson
from django.utils import timezone

from accounts.encryption import keyed_hash
from schoolproxy.services.calendar.entries import (
    MAX_LESSONS,
    CalendarEntry,
    lesson_entry,
)
from schoolproxy.services.matching import match
from schoolproxy.services.schedule import Lesson
from schoolproxy.services.shown_lessons import start_of
from schoolproxy.services.watch.confirmation import EMPTY_SECONDS

# An ISO year and week.
Week = tuple[int, int]
# The weeks that were read, and how many rows in each said no valid start.
WeeksRead = Mapping[Week, int]


@dataclass(frozen=True, slots=True)
class KnownLesson:
    """A lesson (the fields that a calendar shows) and its `uid`. `changed_at` is when a change of
    it was last seen, in Unix seconds (None: nobody keeps that), and `gone` says that it is not in
    its week any more. The lesson has `missingSince` (Unix seconds) while its week came back empty,
    and that is not believed yet."""

    uid: str
    changed_at: int | None
    gone: bool
    lesson: Lesson

    @property
    def entry(self) -> CalendarEntry:
        return lesson_entry(self.uid, self.lesson, changed_at=self.changed_at, gone=self.gone)


def weeks_read(weeks: Sequence[Week], answers: Iterable[Sequence[Lesson]]) -> WeeksRead:
    """Which of the weeks these answers are. Upstream's weeks have no year: an answer with lessons
    of other weeks only is no answer."""
    read: dict[Week, int] = {}
    for week, rows in zip(weeks, answers, strict=True):
        starts = [start_of(row) for row in rows]
        if not rows or week in {start.isocalendar()[:2] for start in starts if start}:
            read[week] = starts.count(None)
    return read


def follow(
    before: Iterable[KnownLesson],
    lessons: Iterable[Lesson],
    *,
    owner: str,
    read: WeeksRead,
    at: datetime | None,
) -> list[KnownLesson]:
    """The lessons of an answer of upstream, as what they were before, ordered by time.

    Lessons that are gone from a week that was `read` are kept until their day is over; those of a
    week that was not read stay as they were, and those of one that came back empty until it is
    still empty half an hour later, as in the watch. `owner` names the account, and the child. `at`
    is when upstream answered.
    """
    stamp = None if at is None else int(at.timestamp())
    now = [KnownLesson("", stamp, False, lesson) for lesson in lessons if start_of(lesson)]
    # A lesson that is there is recognised before one that is gone.
    old = sorted(before, key=lambda known: known.gone)
    pairs, missing, new = match(old, sorted(now, key=_exactly), _KEYS)
    held = {_week(known) for known in now} | {week for week, rows in read.items() if rows}
    followed = [_followed(*pair) for pair in pairs] + _missing(missing, read, held, at)
    taken = {known.uid for known in followed}
    for known in new:
        uid = _new_uid(owner, known.lesson, taken)
        taken.add(uid)
        followed.append(replace(known, uid=uid))
    return sorted(followed, key=lambda known: (known.lesson["startDate"], known.uid))


def lesson_entries(lessons: Iterable[Lesson], *, owner: str) -> list[CalendarEntry]:
    """One entry for each lesson with a valid start, for a calendar that keeps no history."""
    return [known.entry for known in follow((), lessons, owner=owner, read={}, at=None)]


def shown_entries(known: Iterable[KnownLesson], today: date) -> list[CalendarEntry]:
    """The entries, without lessons that are gone and whose day is over."""
    return [row.entry for row in known if not (row.gone and _is_over(row.entry, today))]


def has_ahead(known: Iterable[KnownLesson], at: datetime | None) -> bool:
    """Whether one of them is still to come, or not over on this day."""
    return at is not None and any(
        not row.gone and not _is_over(row.entry, timezone.localdate(at)) for row in known
    )


def to_values(known: Iterable[KnownLesson]) -> list[Any]:
    """For JSON; `from_values` reads them."""
    return [[row.uid, row.changed_at, row.gone, row.lesson] for row in known]


def from_values(values: Iterable[Any]) -> list[KnownLesson]:
    return [KnownLesson(*row) for row in values]


def _followed(old: KnownLesson, new: KnownLesson) -> KnownLesson:
    if new.lesson == old.lesson and not old.gone:
        return old
    same = replace(new, uid=old.uid, changed_at=old.changed_at)
    return same if same.entry == old.entry else replace(new, uid=old.uid)


def _missing(
    missing: Sequence[KnownLesson], read: WeeksRead, held: Collection[Week], at: datetime | None
) -> list[KnownLesson]:
    """Those that are still shown. As many as a week has rows that cannot be read are not cancelled:
    these may be the same. `held` are the weeks that are not empty."""
    if at is None:
        return []
    today = timezone.localdate(at)
    current = [row for row in missing if not _is_over(row.entry, today)]
    numbers = Counter(_week(row) for row in current if not row.gone)
    cancelled = {week for week in numbers if week in read and numbers[week] > read[week]}
    stamp = int(at.timestamp())
    recent = [
        _cancelled(row, stamp, is_empty=_week(row) not in held)
        if not row.gone and _week(row) in cancelled
        else row
        for row in current
    ]
    return recent[:MAX_LESSONS]


def _cancelled(known: KnownLesson, stamp: int, *, is_empty: bool) -> KnownLesson:
    """The lesson as one that is gone, unless its week has only just come back empty."""
    since = known.lesson.get("missingSince", stamp)
    if is_empty and stamp - since < EMPTY_SECONDS:
        return replace(known, lesson=known.lesson | {"missingSince": since})
    return replace(known, gone=True, changed_at=stamp)


def _new_uid(owner: str, lesson: Lesson, taken: set[str]) -> str:
    """It is the same as long as nothing is known of the lesson but its number and day."""
    start = start_of(lesson)
    day = "" if start is None or lesson.get("dated") else str(start.date())
    name = keyed_hash("calendar entry", owner, str(_identity(lesson)), day)[:32]
    place = "dated" if "dated" in lesson else "schedule"
    number = 1
    while f"{name}-{number}@{place}" in taken:
        number += 1
    return f"{name}-{number}@{place}"


def _is_over(entry: CalendarEntry, today: date) -> bool:
    end = entry.end or entry.start
    if isinstance(end, datetime):
        return end.date() < today
    return (end - timedelta(days=1) if entry.end else end) < today


def _week(known: KnownLesson) -> Week:
    return known.entry.start.isocalendar()[:2]


# --- What two lessons have in common that are the same ---


def _identity(lesson: Lesson) -> Hashable:
    number = lesson.get("eventId")
    return f"{lesson.get('name')}\0{lesson.get('teachingGroup')}" if number is None else number


def _exactly(known: KnownLesson) -> tuple[str, bytes]:
    lesson = known.lesson
    return lesson["startDate"], orjson.dumps(lesson, option=orjson.OPT_SORT_KEYS)


def _number_and_times(known: KnownLesson) -> Hashable:
    return _identity(known.lesson), known.lesson.get("startDate"), known.lesson.get("endDate")


def _number_and_day(known: KnownLesson) -> Hashable:
    start = start_of(known.lesson)
    return _identity(known.lesson), start and start.date()


def _times_and_name(known: KnownLesson) -> Hashable:
    lesson = known.lesson
    return lesson.get("startDate"), lesson.get("endDate"), lesson.get("name")


def _number_of_dated(known: KnownLesson) -> Hashable:
    """The numbers of lessons come again each week; those of exams and events do not."""
    return _identity(known.lesson) if known.lesson.get("dated") else None


_KEYS = (_exactly, _number_and_times, _number_and_day, _number_of_dated, _times_and_name)
