"""What the watch keeps of a lesson, read from whatever upstream sent."""

import re
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, NamedTuple

from schoolproxy.services.shown_lessons import is_cancelled, listed, plain

MAX_TEXT = 200
MAX_LESSONS = 500
_TIME = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(\.\d+)?)?\Z", re.ASCII)


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
    """The lessons of one answer, each once and in order. `unreadable` rows say no valid start."""

    lessons: tuple[WatchedLesson, ...]
    unreadable: int


def read_week(rows: Iterable[dict[str, Any]], year: int, week: int) -> ReadWeek | None:
    """The lessons of an ISO week, or None if the answer cannot be of this week.

    A lesson that upstream strikes through is not there, so it is cancelled like one that is gone.
    Upstream's weeks have no year: near the end of one, it may mean another year than we do.
    """
    lessons: set[WatchedLesson] = set()
    unreadable = elsewhere = 0
    for row in rows:
        lesson = read_lesson(row)
        if lesson is None:
            unreadable += 1
        elif date.fromisoformat(lesson.day).isocalendar()[:2] != (year, week):
            elsewhere += 1
        elif not is_cancelled(row):
            lessons.add(lesson)
    if len(lessons) > MAX_LESSONS or (not lessons and (unreadable or elsewhere)):
        return None
    return ReadWeek(tuple(sorted(lessons)), unreadable)


def read_lesson(row: dict[str, Any]) -> WatchedLesson | None:
    """The lesson of a row; None without a valid start."""
    start = _moment(row.get("startDate"))
    if not start:
        return None
    return WatchedLesson(
        event_id=text_of(row.get("eventId")),
        name=text_of(row.get("name")) or text_of(row.get("description")),
        start=start,
        end=_moment(row.get("endDate")),
        room=_list(row.get("room")),
        teacher=_list(row.get("teacher")),
    )


def _moment(value: Any) -> str:
    found = _TIME.match(value) if isinstance(value, str) else None
    if found is None:
        return ""
    moment = f"{found[1]}T{found[2]}"
    try:
        datetime.fromisoformat(moment)
    except ValueError:
        return ""
    return moment


def text_of(value: Any) -> str:
    """A text or a whole number as one line; empty for anything else."""
    if type(value) is int and abs(value) < 2**63:
        value = str(value)
    if not isinstance(value, str):
        return ""
    # A lone surrogate can be neither stored nor sent.
    return " ".join(value.split())[:MAX_TEXT].encode(errors="replace").decode()


def _list(value: Any) -> str:
    """The names in a list with commas, in one order: upstream's differs from answer to answer."""
    return ", ".join(sorted({each.strip() for each in text_of(value).split(",")} - {""}))
