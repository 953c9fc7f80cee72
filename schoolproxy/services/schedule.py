"""A week's lessons, in the order and form that clients rely on."""

from typing import Any

import orjson
from django.utils import timezone

from accounts.callers import Caller
from schoolproxy.cache import CachedAnswer
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.services.shown_lessons import shown_lesson, start_of
from schoolproxy.services.watch import own_reads
from schoolproxy.weeks import nearest_year
from upstream.calls.lessons import fetch_lessons
from upstream.records import ChosenChild, ProvenSession
from upstream.shared_client import client

Lesson = dict[str, Any]


def schedule_read(*, week: int) -> SchoolRead:
    """The lessons of an ISO week, for the caller, or for a guardian's child, parallel ones too."""
    # The watch compares all lessons: one that the answer leaves out is not cancelled.
    lessons: list[Lesson] = []

    def fetch(web: ProvenSession) -> Fields:
        lessons[:] = fetch_lessons(client(), web=web, week=week)
        return _fields(week, arrange(lessons, keep_parallel=True))

    def after_fetch(caller: Caller, child: ChosenChild | None, _fields: Fields) -> None:
        own_reads.compare(caller, child, "lessons", lessons, week)

    return SchoolRead(f"lessons-{week}", fetch, counter="schedule_view", after_fetch=after_fetch)


def in_slots(answer: CachedAnswer) -> CachedAnswer:
    """An answer to `schedule_read` with only the first lesson of each slot."""
    fields: Fields = orjson.loads(answer.body)
    firsts: dict[tuple[str, str] | None, int] = {}
    for index, lesson in enumerate(fields["schedule"]):
        firsts.setdefault(_slot(lesson), index)
    if len(firsts) == len(fields["schedule"]):
        return answer
    for name in ("schedule", "shown"):
        fields[name] = [fields[name][index] for index in firsts.values()]
    return answer._replace(body=orjson.dumps(fields))


def _fields(week: int, lessons: list[Lesson]) -> Fields:
    """Upstream takes no year: its lessons say of which they are."""
    starts = (start_of(lesson) for lesson in lessons)
    year = next((start.isocalendar().year for start in starts if start), None)
    return {
        "week": week,
        "year": year or nearest_year(week, timezone.localdate()),
        "schedule": lessons,
        "shown": [shown_lesson(lesson) for lesson in lessons],
    }


def arrange(lessons: list[Lesson], *, keep_parallel: bool) -> list[Lesson]:
    """The lessons in ascending order, only the first for each `startDate` and `endDate`.

    Lessons without a `startDate` are dropped; fields stay as upstream sent them. With
    `keep_parallel`, only exact duplicates in a slot are dropped.
    """
    slots: dict[tuple[str, str], list[Lesson]] = {}
    for lesson in lessons:
        slot = _slot(lesson)
        if slot is None:
            continue
        in_slot = slots.setdefault(slot, [])
        if not in_slot or (keep_parallel and lesson not in in_slot):
            in_slot.append(lesson)
    return [lesson for slot in sorted(slots) for lesson in slots[slot]]


def _slot(lesson: Lesson) -> tuple[str, str] | None:
    """Start and end as upstream wrote them; None without a start."""
    start, end = lesson.get("startDate"), lesson.get("endDate")
    if not isinstance(start, str) or not start:
        return None
    return start, end if isinstance(end, str) else ""
