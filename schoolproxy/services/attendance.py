"""Attendance in a week, from what upstream says in its lessons."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Any, Final, Literal

import orjson
from django.utils.translation import gettext_lazy as _

from accounts.callers import Caller
from accounts.errors import InvalidInput
from schoolproxy.cache import CachedAnswer
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.services.missing import day_of
from schoolproxy.services.schedule import Lesson, schedule_read
from schoolproxy.services.shown_lessons import is_break, plain
from upstream.calls.json_values import whole_number
from upstream.errors import NotForThisRole

State = Literal["none", "absent", "excused", "unknown"]
STATES: Final = ("none", "absent", "excused", "unknown")
# `statusType`: nothing to say; two kinds of absence that the school approves.
_NOTHING: Final = 1
_APPROVED: Final = (3, 4)
# `status`: present, absent, absent with an explanation, reported in advance, leave granted. The
# first with minutes is somebody who came late.
_PRESENT: Final = 1
_STATUSES: Final = (_PRESENT, 2, 3, 4, 750)
_MINUTES_OF_A_DAY: Final = 24 * 60


def attendance_read(caller: Caller, *, week: int) -> SchoolRead:
    """The lessons of a week, which the schedule shares. Raises: NotForThisRole for teachers, who
    have no attendance of their own."""
    if caller.role == "teacher":
        raise NotForThisRole("a teacher's attendance")
    return replace(schedule_read(week=week), counter=None, feature="attendance")


def attendance_of(answer: CachedAnswer, *, year: int | None) -> CachedAnswer:
    """The attendance in an answer to `attendance_read`.

    Upstream takes no year: its lessons say of which they are. Raises: InvalidInput if that is not
    the ISO year that was asked for.
    """
    fields: Fields = orjson.loads(answer.body)
    del fields["shown"]
    rows = list(_lessons(fields.pop("schedule")))
    days = [day for day, _ in rows]
    if year not in (None, fields["year"]):
        raise InvalidInput({"year": [_("The school can only be asked for the nearest such week.")]})
    lessons = [lesson for _, lesson in rows]
    fields |= {
        "days": [
            {"date": str(day), "lessons": [lesson for at, lesson in rows if at == day]}
            for day in sorted(set(days))
        ],
        "summary": {
            "absent": sum(lesson["state"] == "absent" for lesson in lessons),
            "excused": sum(lesson["state"] == "excused" for lesson in lessons),
            "minutes": sum(
                lesson["minutes"] or 0
                for lesson in lessons
                if lesson["state"] in ("absent", "excused")
            ),
        },
    }
    return answer._replace(body=orjson.dumps(fields))


def _lessons(schedule: Iterable[Lesson]) -> Iterable[tuple[date, dict[str, Any]]]:
    """The day and the attendance of each lesson, in ascending order: breaks left out, and a lesson
    that comes twice once."""
    seen = set()
    for lesson in schedule:
        day = day_of(lesson["startDate"])
        event = _event(lesson.get("eventId"))
        key = (event, lesson["startDate"], str(lesson.get("endDate")))
        if day is None or is_break(lesson) or key in seen:
            continue
        if event is not None:
            seen.add(key)
        yield day, _attendance(lesson, event)


def _attendance(lesson: Lesson, event: str | None) -> dict[str, Any]:
    said = lesson.get("studentLessonStatus")
    details = said if isinstance(said, dict) else {}
    return {
        "eventId": event,
        "name": _text(lesson.get("name")) or "",
        "start": lesson["startDate"],
        "end": _text(lesson.get("endDate")),
        "state": state_of(said),
        "minutes": _minutes(details.get("absence")),
        "reason": _text(details.get("reason")),
        "comment": _text(details.get("comment")),
    }


def state_of(said: object) -> State:
    """What `studentLessonStatus` says; `unknown` for a status that is not known, never a guess."""
    if said is None:
        return "none"
    if not isinstance(said, dict):
        return "unknown"
    status, kind = said.get("status"), said.get("statusType")
    if status is None and kind is None:
        return "none"
    number, kind_number = whole_number(status), whole_number(kind)
    if number == 0 or kind_number == _NOTHING:
        return "none"
    if kind_number in _APPROVED:
        return "excused"
    if number == _PRESENT and not _minutes(said.get("absence")):
        return "unknown"  # nobody is called absent who may have been there
    return "absent" if number in _STATUSES else "unknown"


def _event(value: object) -> str | None:
    number = whole_number(value)
    return None if number is None else str(number)


def _minutes(value: object) -> int | None:
    number = whole_number(value)
    return number if number is not None and number <= _MINUTES_OF_A_DAY else None


def _text(value: object) -> str | None:
    """One line without markup; None for nothing, and for what is no text."""
    return plain(value) or None if isinstance(value, str) else None
