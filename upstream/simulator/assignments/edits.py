"""Changes of people's assignments that a test scripts: they show in the list of a week."""

import threading
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from upstream.simulator import dates

Row = dict[str, Any]
Edit = Callable[[date, list[Row]], list[Row]]
_NEW_ID = 8_000_000


class AssignmentEdits:
    """Edits of the rows of people's weeks, in their order. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._edits: dict[tuple[str, int], list[Edit]] = {}
        self._count = 0

    def add(self, school: str, user_id: int, title: str, due: datetime) -> int:
        """Add an assignment to the week in which it is due; returns its id."""
        with self._lock:
            self._count += 1
            number = _NEW_ID + self._count
        row = _new_row(number, title, due)
        week = _monday(due)
        self._keep(school, user_id, lambda at, rows: [*rows, row] if at == week else rows)
        return number

    def retitle(self, school: str, user_id: int, number: int, title: str) -> None:
        self._change(school, user_id, number, {"title": title})

    def publish(self, school: str, user_id: int, number: int) -> None:
        """Publish the assessment of an assignment."""
        self._change(school, user_id, number, {"resultReportStatus": "PUBLISHED"})

    def apply(self, school: str, user_id: int, monday: date, rows: list[Row]) -> list[Row]:
        """The rows of the week that begins on this Monday, after all edits."""
        with self._lock:
            edits = list(self._edits.get((school, user_id), ()))
        for edit in edits:
            rows = edit(monday, rows)
        return rows

    def _change(self, school: str, user_id: int, number: int, values: Row) -> None:
        def edit(_monday: date, rows: list[Row]) -> list[Row]:
            return [each | values if each["id"] == number else each for each in rows]

        self._keep(school, user_id, edit)

    def _keep(self, school: str, user_id: int, edit: Edit) -> None:
        with self._lock:
            self._edits.setdefault((school, user_id), []).append(edit)


def _monday(day: date) -> date:
    return date.fromisocalendar(*day.isocalendar()[:2], 1)


def _new_row(number: int, title: str, due: datetime) -> Row:
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
