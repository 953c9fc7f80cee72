"""Changes of schedules that a test or the control route scripts."""

import threading
from collections.abc import Callable
from datetime import date
from typing import Any

Lesson = dict[str, Any]
Edit = Callable[[list[Lesson]], list[Lesson]]
KINDS = ("cancelled", "added", "moved", "room", "teacher", "emptied")
_NEW_ID = 9_000_000


class ScheduleEdits:
    """Edits of people's lessons, in their order. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._edits: dict[tuple[str, int], list[tuple[date, Edit]]] = {}
        self._count = 0

    def add(
        self, school: str, user_id: int, kind: str, day: date, start: str = "", value: str = ""
    ) -> None:
        """Change what begins at `start` (HH:MM) on a day: `cancelled`, `added` (`value` is its
        name), `moved` (`value` is the new start), `room`, `teacher`. `emptied` empties the week.

        Raises: ValueError for another kind.
        """
        if kind not in KINDS:
            raise ValueError(f"kind is one of {', '.join(KINDS)}")
        with self._lock:
            self._count += 1
            edit = _edit(kind, f"{day}T{start}", value, _NEW_ID + self._count)
            monday = date.fromisocalendar(*day.isocalendar()[:2], 1)
            self._edits.setdefault((school, user_id), []).append((monday, edit))

    def clear(self) -> None:
        """Take all edits back."""
        with self._lock:
            self._edits = {}

    def undo(self, school: str, user_id: int) -> None:
        """Take the last edit of a person back."""
        with self._lock:
            self._edits[school, user_id].pop()

    def apply(self, school: str, user_id: int, monday: date, lessons: list[Lesson]) -> list[Lesson]:
        """The lessons of the week that begins on this Monday, after all edits."""
        with self._lock:
            edits = [each for at, each in self._edits.get((school, user_id), ()) if at == monday]
        for edit in edits:
            lessons = edit(lessons)
        return lessons


def _edit(kind: str, moment: str, value: str, number: int) -> Edit:
    if kind == "emptied":
        return lambda _lessons: []
    if kind == "added":
        return lambda lessons: [*lessons, _new_lesson(moment, value, number)]
    if kind == "cancelled":
        return lambda lessons: [each for each in lessons if each["startDate"] != moment]
    changed = {kind: value}
    if kind == "moved":
        changed = {"startDate": f"{moment[:10]}T{value}"}
    return lambda lessons: [
        each | changed if each["startDate"] == moment else each for each in lessons
    ]


def _new_lesson(moment: str, name: str, number: int) -> Lesson:
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
