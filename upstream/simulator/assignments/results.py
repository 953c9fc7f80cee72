"""Results: the list of all rooms, and what differs between the assessments of assignments."""

from typing import Any

from upstream.simulator import dates
from upstream.simulator.access import json_endpoint
from upstream.simulator.assignments.data import Assignment, of_room
from upstream.simulator.classes import class_of
from upstream.simulator.http_exchange import Request, Response, as_json
from upstream.simulator.people import Person
from upstream.simulator.state import State

Row = dict[str, Any]

# A review is HTML, words, a letter or nothing.
_REVIEWS = (
    "<p>Bra jobbat&nbsp;&ndash; forts&auml;tt s&aring;!</p>",
    "B",
    "Ej närvarande",
    "",
    "<p>D&nbsp;</p>",
)
# Levels that are no letters.
_LEVELS: tuple[Row, ...] = (
    {"levelEnum": "ON_THE_WAY", "value": 3, "description": "På god väg"},
    {"levelEnum": "NOT_ASSESSED", "value": None, "description": ""},
)
_MOMENTS: tuple[list[Row], ...] = (
    [
        {"id": 31, "name": "Del A", "points": 11, "max": 16},
        {"name": "Del B – muntlig", "points": 7.5, "max": 10},
    ],
    [{"name": "Del A", "points": 14, "max": 20}, {"name": "Del B", "points": None, "max": 10}],
    [],
)


@json_endpoint
def of_all_rooms(_request: Request, state: State, person: Person) -> Response:
    """The newest first."""
    odd = state.settings.results == "odd"
    hidden = state.unpublished_results
    shown = [
        assignment
        for assignment in published(person, state, homework=odd)
        if assignment.id not in hidden
    ]
    shown.sort(key=lambda assignment: (assignment.due, assignment.id), reverse=True)
    rows = [_row(assignment, place) for place, assignment in enumerate(shown)]
    return as_json(_odd(rows) if odd else rows)


def published(person: Person, state: State, *, homework: bool = False) -> list[Assignment]:
    """What is over, and what a test has published."""
    own, today = class_of(person, state), state.clock.today()
    who, edited = (person.school, person.user_id), state.assignments.published
    return [
        assignment
        for index in range(state.settings.rooms)
        for assignment in of_room(own, index, today)
        if (*who, assignment.id) in edited
        or (assignment.is_over(today) and (assignment.index < 2 or homework))
    ]


def _row(assignment: Assignment, place: int) -> Row:
    """The row of a result; the two newest are unread. It has no grade."""
    return {
        "assignmentId": assignment.id,
        "activityId": None,
        "title": assignment.title,
        "subjects": [{"name": assignment.subject, "color": "#9fe2a0"}],
        "assignmentType": assignment.kind,
        "teacher": "Torbjörn Ekvik",
        "publishDate": dates.row(assignment.due),
        "read": place >= 2,
    }


def _odd(rows: list[Row]) -> list[Any]:
    """The rows, some of them changed, and some that are none."""
    changes: list[Row] = [
        {"subjects": None},
        {"subjects": ["Kemi", "Fysik"], "teacher": None},
        {"assignmentId": str(rows[2]["assignmentId"]), "publishDate": "", "read": None},
        {"assignmentType": None, "title": None, "subjects": [{"name": ""}]},
    ]
    changed: list[Any] = [row | change for row, change in zip(rows, changes, strict=False)]
    del changed[0]["subjects"]
    without_id = {name: value for name, value in rows[0].items() if name != "assignmentId"}
    return [*changed, None, without_id, rows[4] | {"assignmentId": -1}, rows[3], *rows[4:]]


def review_of(assignment: Assignment) -> str:
    return _REVIEWS[(assignment.week + assignment.school_class.number) % len(_REVIEWS)]


def criteria_of(assignment: Assignment) -> list[Row]:
    """A criterion whose level is no letter; only in every second week."""
    if assignment.week % 2:
        return []
    return [{"level": _LEVELS[assignment.week // 2 % len(_LEVELS)], "steps": []}]


def moments_of(assignment: Assignment) -> list[Row]:
    return _MOMENTS[(assignment.week + 2) % len(_MOMENTS)]
