"""Subject rooms: the list, one of them, and what is in it."""

from collections.abc import Callable
from typing import Any

from upstream.simulator import coursework, plannings, rooms, swedish_dates
from upstream.simulator.answers.access import Handler, json_endpoint, refuse_other_class
from upstream.simulator.classes import SchoolClass, class_of
from upstream.simulator.coursework import Assignment
from upstream.simulator.http_exchange import NOT_FOUND, Request, Response, as_html, as_json
from upstream.simulator.people import Person
from upstream.simulator.plannings import Part
from upstream.simulator.state import State

_BROKEN = as_html("<html><body><h1>HTTP Status 500</h1></body></html>", 500)

InRoom = Callable[[SchoolClass, int, State], Any]
"""Called with the class and the index of the room; what it returns is sent as JSON."""


@json_endpoint
def every(_request: Request, state: State, person: Person) -> Response:
    return as_json(rooms.rooms_of(class_of(person, state), state.settings.rooms))


@json_endpoint
def every_unread(_request: Request, state: State, _person: Person) -> Response:
    """Of all rooms together."""
    several = [rooms.unread_of(index, "object") for index in range(state.settings.rooms)]
    names = ("assignments", "plannings", "results", "sum")
    return as_json({name: sum(one[name] for one in several) for name in names})


def in_room(handler: InRoom) -> Handler:
    """An address below a room of the person's class: 404 for no such room, 403 for another's."""

    @json_endpoint
    def answer(request: Request, state: State, person: Person) -> Response:
        return _found(request.args["room"], person, state, handler)

    return answer


def _of_room_in_query(handler: InRoom) -> Handler:
    @json_endpoint
    def answer(request: Request, state: State, person: Person) -> Response:
        return _found(request.query.get("activityId", ""), person, state, handler)

    return answer


def _found(text: str, person: Person, state: State, handler: InRoom) -> Response:
    if not text.isdecimal():
        return NOT_FOUND
    number, index = rooms.class_and_index(int(text))
    refusal = refuse_other_class(number, person, state)
    if refusal is not None:
        return refusal
    if not 0 <= index < min(state.settings.rooms, len(rooms.SUBJECTS)):
        return NOT_FOUND
    data = handler(class_of(person, state), index, state)
    return data if isinstance(data, Response) else as_json(data)


def _entities(school_class: SchoolClass, index: int, state: State) -> Any:
    if index == state.settings.broken_room:
        return _BROKEN
    today = state.clock.today()
    assignments = coursework.of_room(school_class, index, today)
    parts = plannings.parts_in_room(school_class, index, today)
    return [
        *(_assignment_entity(assignment, state) for assignment in assignments),
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
        "subTitle": f"{swedish_dates.short(assignment.due)}, {assignment.kind}, "
        f"{assignment.subject}",
        "description": '<p class="tinymce-p">Ta med r&auml;knare&nbsp;&ndash; '
        '<a href="right_student_planning.jsp?requestid=7&type=1">planering</a></p>',
        "sortDate": row["sortDate"],
        "read": row["read"],
        "status": assignment.status(state.clock.today()),
    }


def _planning_entity(part: Part) -> dict[str, Any]:
    """Without `assignmentId`: that and `planningId` are how the two are told apart."""
    row = part.row()
    return {
        "id": row["id"],
        "planningId": row["planningId"],
        "activityId": row["activityId"],
        "title": row["title"],
        "subTitle": f"{part.dates()}. Planering, {rooms.subject_of(part.room)}",
        "sortDate": None,
        "read": row["read"],
    }


def _table(school_class: SchoolClass, index: int, state: State) -> list[dict[str, Any]]:
    today = state.clock.today()
    assignments = [
        {
            "id": one.id,
            "partId": None,
            "entityType": "ASSIGNMENT",
            "activityId": rooms.room_id(school_class, index),
            "title": one.title,
            "subTitle": one.teaser,
            "type": one.kind,
            "endDate": f"{one.due:%Y-%m-%d}",
            "endTime": f"{one.due:%H:%M}",
            "submissionDate": None,
            "submissionStatus": one.handed_in(today),
            "resultReportStatus": one.reported(today),
            "status": one.status(today),
            "subjectNames": [one.subject],
            "read": one.is_over(today),
        }
        for one in coursework.of_room(school_class, index, today)
    ]
    parts = [
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
    return [*assignments, *parts]


def _overview(index_in_week: int) -> InRoom:
    """Short rows of the tests (0) or of what is handed in (1)."""
    names = ("id", "title", "subTitle", "read")

    def rows(school_class: SchoolClass, index: int, state: State) -> list[dict[str, Any]]:
        today = state.clock.today()
        return [
            {name: one.row(today)[name] for name in names}
            for one in coursework.of_room(school_class, index, today)
            if one.index == index_in_week
        ]

    return rows


def _results(school_class: SchoolClass, index: int, state: State) -> list[dict[str, Any]]:
    today = state.clock.today()
    names = ("assignmentId", "activityId", "title", "assignmentType", "teacher", "publishDate")
    return [
        {**{name: one.grid_row(today)[name] for name in names}, "read": True}
        for one in coursework.of_room(school_class, index, today)
        if one.is_over(today)
    ]


def _information(school_class: SchoolClass, index: int, _state: State) -> list[dict[str, Any]]:
    return [
        {
            "id": rooms.room_id(school_class, index) * 10,
            "information": "<p>V&auml;lkommen till " + rooms.subject_of(index) + "!</p>",
            "createdBy": "Åsa Lindroos",
            "createdById": 903,
            "updatedAt": "2026-01-12T08:00:00",
        }
    ]


one = in_room(lambda school_class, index, _state: rooms.room(school_class, index))
entities = in_room(_entities)
unread = in_room(lambda _class, index, state: rooms.unread_of(index, state.settings.unread))
teachers = in_room(lambda _class, index, state: rooms.teachers_of(index, state.settings.teachers))
table = in_room(_table)
results = in_room(_results)
information = in_room(_information)
examinations = _of_room_in_query(_overview(0))
submissions = _of_room_in_query(_overview(1))
assignment_grid = in_room(
    lambda school_class, index, state: [
        one.grid_row(state.clock.today())
        for one in coursework.of_room(school_class, index, state.clock.today())
    ]
)
planning_grid = in_room(
    lambda school_class, index, state: [
        part.grid_row()
        for part in plannings.parts_in_room(school_class, index, state.clock.today())
    ]
)
