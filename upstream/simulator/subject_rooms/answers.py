"""Subject rooms as JSON: the list, one room, and what is in it."""

from collections.abc import Callable
from typing import Any

from upstream.simulator import dates, plannings
from upstream.simulator.access import Handler, json_endpoint, refuse_other_class
from upstream.simulator.assignments import data as assignments
from upstream.simulator.assignments.answers import with_unknown_words
from upstream.simulator.assignments.data import Assignment
from upstream.simulator.classes import SchoolClass, class_of
from upstream.simulator.http_exchange import NOT_FOUND, Request, Response, as_html, as_json
from upstream.simulator.people import Person
from upstream.simulator.plannings import Part
from upstream.simulator.state import State
from upstream.simulator.subject_rooms import data as rooms

_BROKEN = as_html("<html><body><h1>HTTP Status 500</h1></body></html>", 500)

RoomHandler = Callable[[SchoolClass, int, State], Any]
"""Called with the class and the index of the room; the return value is sent as JSON."""


@json_endpoint
def list_rooms(_request: Request, state: State, person: Person) -> Response:
    return as_json(rooms.rooms_of(class_of(person, state), state.settings.rooms))


def _in_room(handler: RoomHandler) -> Handler:
    """An address of a room: 404 for an unknown room, 403 for a room of another class."""

    @json_endpoint
    def answer(request: Request, state: State, person: Person) -> Response:
        return _answer_for(request.args["room"], person, state, handler)

    return answer


def _in_queried_room(handler: RoomHandler) -> Handler:
    @json_endpoint
    def answer(request: Request, state: State, person: Person) -> Response:
        return _answer_for(request.query.get("activityId", ""), person, state, handler)

    return answer


def _answer_for(text: str, person: Person, state: State, handler: RoomHandler) -> Response:
    if not text.isdecimal():
        return NOT_FOUND
    number, index = rooms.parse_room_id(int(text))
    refusal = refuse_other_class(number, person, state)
    if refusal is not None:
        return refusal
    if not 0 <= index < min(state.settings.rooms, len(rooms.SUBJECTS)):
        return NOT_FOUND
    data = handler(class_of(person, state), index, state)
    return data if isinstance(data, Response) else as_json(data)


@_in_room
def entities(school_class: SchoolClass, index: int, state: State) -> Any:
    if index == state.settings.broken_room:
        return _BROKEN
    today = state.clock.today()
    parts = plannings.parts_in_room(school_class, index, today)
    return [
        *(
            _assignment_entity(assignment, state)
            for assignment in assignments.of_room(school_class, index, today)
        ),
        *(_planning_entity(part) for part in parts[:1]),
    ]


def _assignment_entity(assignment: Assignment, state: State) -> dict[str, Any]:
    row = assignment.row(state.clock.today())
    return {
        "id": assignment.id,
        "assignmentId": assignment.id,
        "planningId": None,
        "activityId": row["activityId"],
        "title": row["title"],
        "subTitle": f"{dates.short(assignment.due)}, {assignment.kind}, {assignment.subject}",
        "description": '<p class="tinymce-p">Ta med r&auml;knare&nbsp;&ndash; '
        '<a href="right_student_planning.jsp?requestid=7&type=1">planering</a></p>',
        "sortDate": row["sortDate"],
        "read": row["read"],
        "status": assignment.status(state.clock.today()),
    }


def _planning_entity(part: Part) -> dict[str, Any]:
    """Has no `assignmentId`, which distinguishes it from an assignment."""
    row = part.row()
    return {
        "id": row["id"],
        "planningId": row["planningId"],
        "activityId": row["activityId"],
        "title": row["title"],
        "subTitle": f"{part.span()}. Planering, {rooms.subject_of(part.room)}",
        "sortDate": None,
        "read": row["read"],
    }


@_in_room
def table(school_class: SchoolClass, index: int, state: State) -> list[dict[str, Any]]:
    today = state.clock.today()
    assignment_rows = [
        {
            "id": assignment.id,
            "partId": None,
            "entityType": "ASSIGNMENT",
            "activityId": rooms.room_id(school_class, index),
            "title": assignment.title,
            "subTitle": assignment.teaser,
            "type": assignment.kind,
            "endDate": f"{assignment.due:%Y-%m-%d}",
            "endTime": f"{assignment.due:%H:%M}",
            "submissionDate": None,
            "submissionStatus": assignment.handed_in(today),
            "resultReportStatus": assignment.reported(today),
            "status": assignment.status(today),
            "subjectNames": [assignment.subject],
            "read": assignment.is_over(today),
        }
        for assignment in assignments.of_room(school_class, index, today)
    ]
    planning_rows = [
        {
            "id": plannings.planning_id(school_class, index),
            "partId": part.id,
            "entityType": "PLANNING",
            "activityId": rooms.room_id(school_class, index),
            "title": part.title,
            "type": "Planering",
            "endDate": f"{part.end}",
            "submissionDate": None,
            "submissionStatus": "NO_STATUS",
            "resultReportStatus": None,
            "status": "ACTIVE",
        }
        for part in plannings.parts_in_room(school_class, index, today)
    ]
    return [*assignment_rows, *planning_rows]


def _overview(index_in_week: int) -> RoomHandler:
    """Short rows of the tests (0) or of the submissions (1)."""
    names = ("id", "title", "subTitle", "read")

    def rows(school_class: SchoolClass, index: int, state: State) -> list[dict[str, Any]]:
        today = state.clock.today()
        return [
            {name: assignment.row(today)[name] for name in names}
            for assignment in assignments.of_room(school_class, index, today)
            if assignment.index == index_in_week
        ]

    return rows


@_in_room
def results(school_class: SchoolClass, index: int, state: State) -> list[dict[str, Any]]:
    today = state.clock.today()
    names = ("assignmentId", "activityId", "title", "assignmentType", "teacher", "publishDate")
    return [
        {**{name: assignment.grid_row(today)[name] for name in names}, "read": True}
        for assignment in assignments.of_room(school_class, index, today)
        if assignment.is_over(today)
    ]


@_in_room
def one(school_class: SchoolClass, index: int, _state: State) -> dict[str, Any]:
    return rooms.room(school_class, index)


@_in_room
def unread(_class: SchoolClass, index: int, _state: State) -> Any:
    return rooms.unread_of(index)


@_in_room
def teachers(_class: SchoolClass, index: int, state: State) -> list[dict[str, Any]] | None:
    return rooms.teachers_of(index, state.settings.teachers)


@_in_room
def assignment_grid(school_class: SchoolClass, index: int, state: State) -> list[dict[str, Any]]:
    today = state.clock.today()
    return [
        assignment.grid_row(today) for assignment in assignments.of_room(school_class, index, today)
    ]


_MISSING = {"submissionStatus": "EXPIRED_NOT_SUBMITTED"}


@json_endpoint
def all_assignments(_request: Request, state: State, person: Person) -> Response:
    """The grids of all rooms in one list."""
    own, today = class_of(person, state), state.clock.today()
    who = person.school, person.user_id
    rows = [
        assignment.grid_row(today)
        | (_MISSING if state.assignments.is_missing(*who, assignment.id) else {})
        for index in range(state.settings.rooms)
        for assignment in assignments.of_room(own, index, today)
    ]
    return as_json([with_unknown_words(row, state) for row in rows])


@_in_room
def planning_grid(school_class: SchoolClass, index: int, state: State) -> list[dict[str, Any]]:
    parts = plannings.parts_in_room(school_class, index, state.clock.today())
    return [part.grid_row() for part in parts]


@json_endpoint
def all_plannings(_request: Request, state: State, person: Person) -> Response:
    """The grids of all rooms in one list; the first row twice, as for two groups."""
    own, today = class_of(person, state), state.clock.today()
    rows = [
        part.grid_row()
        for index in range(state.settings.rooms)
        for part in plannings.parts_in_room(own, index, today)
    ]
    return as_json([*rows[:1], *rows])


examinations = _in_queried_room(_overview(0))
submissions = _in_queried_room(_overview(1))
