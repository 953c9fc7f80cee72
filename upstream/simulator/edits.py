"""Changes of people's lessons and assignments that a test or the control route scripts."""

import itertools
import threading
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from upstream.simulator import dates

Row = dict[str, Any]
Edit = Callable[[list[Row]], list[Row]]
KINDS = ("cancelled", "added", "trip", "moved", "room", "teacher", "status", "emptied")


class _Edits:
    """Edits of the rows of people's weeks, in their order. Thread-safe."""

    first_id: int

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._edits: dict[tuple[str, int], list[tuple[date | None, Edit]]] = {}
        self._ids = itertools.count(self.first_id)

    def _keep(self, school: str, user_id: int, monday: date | None, edit: Edit) -> None:
        """Add an edit of the week that begins on this Monday; None: of every week."""
        with self._lock:
            self._edits.setdefault((school, user_id), []).append((monday, edit))

    def apply(self, school: str, user_id: int, monday: date, rows: list[Row]) -> list[Row]:
        """The rows of the week that begins on this Monday, after all edits."""
        with self._lock:
            edits = list(self._edits.get((school, user_id), ()))
        for at, edit in edits:
            if at in (monday, None):
                rows = edit(rows)
        return rows


class ScheduleEdits(_Edits):
    first_id = 9_000_001

    def add(
        self, school: str, user_id: int, kind: str, day: date, start: str = "", value: str = ""
    ) -> None:
        """Change what begins at `start` (HH:MM) on a day: `cancelled`, `added` (`value` is its
        name), `trip` (all day, to the day `value`), `moved` (`value` is the new start), `room`,
        `teacher`, `status` (a number; 3: cancelled, but still in the list). `emptied` empties the
        week.

        Raises: ValueError for another kind.
        """
        if kind not in KINDS:
            raise ValueError(f"kind is one of {', '.join(KINDS)}")
        edit = _lesson_edit(kind, f"{day}T{start}", value, next(self._ids))
        self._keep(school, user_id, _monday(day), edit)

    def undo(self, school: str, user_id: int) -> None:
        """Take the last edit of a person back."""
        with self._lock:
            self._edits[school, user_id].pop()


class AssignmentEdits(_Edits):
    """They show in the list of a week, and in the calendar as tests."""

    first_id = 8_000_001

    def __init__(self) -> None:
        super().__init__()
        self._added: dict[tuple[str, int], list[Row]] = {}
        self.published: set[tuple[str, int, int]] = set()
        """School, person and assignment."""
        self._missing: set[tuple[str, int, int]] = set()

    def added_of(self, school: str, user_id: int) -> list[Row]:
        """What was added for a person, as it is now."""
        with self._lock:
            rows = list(self._added.get((school, user_id), ()))
            edits = list(self._edits.get((school, user_id), ()))
        for at, edit in edits:
            if at is None:
                rows = edit(rows)
        return rows

    def add(self, school: str, user_id: int, title: str, due: datetime) -> int:
        """Add an assignment to the week in which it is due; returns its id."""
        number = next(self._ids)
        row = _new_assignment(number, title, due)
        self._added.setdefault((school, user_id), []).append(row)
        self._keep(school, user_id, _monday(due), lambda rows: [*rows, row])
        return number

    def retitle(self, school: str, user_id: int, number: int, title: str) -> None:
        self.change(school, user_id, number, {"title": title})

    def move(self, school: str, user_id: int, number: int, title: str, due: datetime) -> None:
        """Let an assignment that was added be due in another week."""
        row = _new_assignment(number, title, due)

        def edit(rows: list[Row]) -> list[Row]:
            return [other for other in rows if other["id"] != number or other == row]

        self._added.setdefault((school, user_id), []).append(row)
        self._keep(school, user_id, _monday(due), lambda rows: [*rows, row])
        self._keep(school, user_id, None, edit)

    def publish(self, school: str, user_id: int, number: int) -> None:
        """Publish the assessment of an assignment, which is in the list of results then."""
        self.change(school, user_id, number, {"resultReportStatus": "PUBLISHED"})
        self.published.add((school, user_id, number))

    def miss(self, school: str, user_id: int, number: int, *, missing: bool = True) -> None:
        """Say in the list of all rooms that an assignment was not handed in, or take that back."""
        change = self._missing.add if missing else self._missing.discard
        change((school, user_id, number))

    def is_missing(self, school: str, user_id: int, number: int) -> bool:
        return (school, user_id, number) in self._missing

    def remove(self, school: str, user_id: int, number: int) -> None:
        self._keep(school, user_id, None, lambda rows: [row for row in rows if row["id"] != number])

    def change(self, school: str, user_id: int, number: int, values: Row) -> None:
        def edit(rows: list[Row]) -> list[Row]:
            return [row | values if row["id"] == number else row for row in rows]

        self._keep(school, user_id, None, edit)


def _monday(day: date) -> date:
    return date.fromisocalendar(*day.isocalendar()[:2], 1)


def _lesson_edit(kind: str, moment: str, value: str, number: int) -> Edit:
    if kind == "emptied":
        return lambda _lessons: []
    if kind == "added":
        return lambda lessons: [*lessons, _new_lesson(moment, value, number)]
    if kind == "trip":
        return lambda lessons: [*lessons, _trip(moment[:10], value, number)]
    if kind == "cancelled":
        return lambda lessons: [lesson for lesson in lessons if lesson["startDate"] != moment]
    changed: Row = {kind: int(value) if kind == "status" else value}
    if kind == "moved":
        changed = {"startDate": f"{moment[:10]}T{value}"}
    return lambda lessons: [
        lesson | changed if lesson["startDate"] == moment else lesson for lesson in lessons
    ]


def _new_lesson(moment: str, name: str, number: int) -> Row:
    end = f"{moment[:11]}{(int(moment[11:13]) + 1) % 24:02}{moment[13:]}"
    return {
        "eventId": number,
        "name": name,
        "description": name,
        "startDate": moment,
        "endDate": end,
        "eventColor": "#cccccc",
        "room": "",
        "teacher": "",
        "teachingGroup": "8C",
        "dayId": date.fromisoformat(moment[:10]).weekday(),
        "status": 2,
        "category": "lesson",
    }


def _trip(first: str, last: str, number: int) -> Row:
    """An event of several days, described with markup."""
    name = "<p>L&auml;gerskola &amp; <b>friluftsliv</b></p>"
    lesson = _new_lesson(f"{first}T00:00", name, number)
    return lesson | {"allDay": True, "endDate": f"{last}T23:59"}


def _new_assignment(number: int, title: str, due: datetime) -> Row:
    return {
        "id": number,
        "activityId": None,
        "title": title,
        "subTitle": "",
        "read": False,
        "submissionStatus": "NO_STATUS",
        "resultReportStatus": "NOT_REPORTED",
        "sortDate": dates.row(due),
    }
