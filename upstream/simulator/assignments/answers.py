"""Assignments as JSON: the list of a week, and one assignment."""

from collections.abc import Callable
from typing import Any

from upstream.simulator import dates
from upstream.simulator.access import Handler, json_endpoint, refuse_other_class, requested_monday
from upstream.simulator.assignments import data
from upstream.simulator.assignments.data import Assignment, description_of
from upstream.simulator.classes import class_of
from upstream.simulator.http_exchange import NOT_FOUND, Request, Response, as_json
from upstream.simulator.people import Person
from upstream.simulator.state import State
from upstream.simulator.subject_rooms.data import room_id

AssignmentHandler = Callable[[Assignment, State], Any]
"""Called with the assignment; the return value is sent as JSON."""


@json_endpoint
def of_week(request: Request, state: State, person: Person) -> Response:
    """Every assignment that overlaps the week."""
    monday = requested_monday(request, state)
    if isinstance(monday, Response):
        return monday
    assignments = data.of_week(class_of(person, state), monday)
    rows = [
        with_unknown_words(assignment.row(state.clock.today()), state) for assignment in assignments
    ]
    rows = state.assignments.apply(person.school, person.user_id, monday, rows)
    odd = rows and state.settings.week_assignments == "odd"
    return as_json(_odd(rows) if odd else rows)


def of_assignment(handler: AssignmentHandler) -> Handler:
    """An address of an assignment: 404 for an unknown one, 403 for one of another class."""

    @json_endpoint
    def handle(request: Request, state: State, person: Person) -> Response:
        assignment = find(request.args["assignment"], person, state)
        if isinstance(assignment, Response):
            return assignment
        answer = handler(assignment, state)
        return answer if isinstance(answer, Response) else as_json(answer)

    return handle


def find(text: str, person: Person, state: State) -> Assignment | Response:
    """The person's assignment with this id, or the response that refuses it."""
    if not text.isdecimal():
        return NOT_FOUND
    number = int(text)
    refusal = refuse_other_class(data.class_number(number), person, state)
    if refusal is not None:
        return refusal
    return data.find(class_of(person, state), number) or NOT_FOUND


@of_assignment
def view(assignment: Assignment, state: State) -> dict[str, Any]:
    today = state.clock.today()
    span = f"{dates.long(assignment.start)} - {dates.long(assignment.due)}"
    document = {
        "id": assignment.id,
        "title": assignment.title,
        "type": assignment.kind,
        "subTitle": span,
        "subjectNames": assignment.subject,
        "description": description_of(assignment, state),
        "publishDate": dates.without_year(assignment.published),
        "integrationType": None,
        "contents": [],
        "status": assignment.status(today),
        "endDate": f"{assignment.due:%Y-%m-%d}",
        "endTime": f"{assignment.due:%H:%M}",
        "subjectRoomId": room_id(assignment.school_class, assignment.room),
        "submissionStatus": assignment.handed_in(today),
        "resultReportStatus": assignment.reported(today),
    }
    if assignment.index == 2:  # Some schools send no more than this.
        for name in ("status", "endDate", "endTime", "subjectRoomId", "contents"):
            del document[name]
    return with_unknown_words(document, state)


# --- Rows that are harder to read ---

Row = dict[str, Any]

_UNKNOWN = {"submissionStatus": 3, "resultReportStatus": "ARCHIVED", "status": "POSTPONED"}

# Each replaces values of a row; None means a row that is null.
_CHANGES: list[Row | None] = [
    {"subTitle": "Hand-in due tis 10 feb. 00:00, Hemläxa, Swedish"},
    {"subTitle": "Due 2026-02-10 00:00 | Hemläxa"},
    {"subTitle": ""},
    {"subTitle": "Grupparbete, Kemi, laboration"},
    {"subTitle": None, "title": None},
    {"sortDate": "2026-03-17"},
    {"sortDate": "2026-03-17T08:20:00"},
    {"sortDate": 1_773_732_000_000},
    {"sortDate": ""},
    {"sortDate": None},
    None,
    _UNKNOWN,
    {"id": "text"},
]


def _odd(rows: list[Row]) -> list[Any]:
    """One row for each change, made from the given rows, and one without an id."""
    changed: list[Any] = []
    for index, change in enumerate(_CHANGES):
        row = rows[index % len(rows)]
        if change is None:
            changed.append(None)
        elif change.get("id") == "text":
            changed.append(row | {"id": str(row["id"])})
        else:
            changed.append(row | change)
    return [*changed, {name: value for name, value in rows[0].items() if name != "id"}]


def with_unknown_words(row: Row, state: State) -> Row:
    """The row, where the settings say so with unknown words instead of the known ones."""
    if state.settings.enums != "unknown":
        return row
    return row | {name: value for name, value in _UNKNOWN.items() if name in row}
