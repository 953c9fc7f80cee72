"""Assignments: those of a week, one of them, and its parts."""

from collections.abc import Callable
from datetime import date
from typing import Any

from upstream.simulator import coursework, odd_rows, plannings, swedish_dates
from upstream.simulator.answers.access import Handler, json_endpoint, refuse_other_class
from upstream.simulator.answers.session import FORBIDDEN
from upstream.simulator.classes import SchoolClass, class_of
from upstream.simulator.coursework import Assignment
from upstream.simulator.descriptions import description_of
from upstream.simulator.http_exchange import NOT_FOUND, Request, Response, as_json
from upstream.simulator.people import Person
from upstream.simulator.rooms import room_id
from upstream.simulator.state import State

Part = Callable[[Assignment, State], Any]
"""Called with the assignment; what it returns is sent as JSON."""


def requested_monday(request: Request, state: State) -> date | Response:
    """The Monday of `week` and `year`; each is the current one where it is left out."""
    today = state.clock.today().isocalendar()
    week, year = request.query.get("week", ""), request.query.get("year", "")
    try:
        return date.fromisocalendar(int(year or today.year), int(week or today.week), 1)
    except ValueError:
        empty = state.settings.bad_week == "empty" or week == "53"
        return as_json([]) if empty else as_json({"error": "week"}, 400)


@json_endpoint
def of_week(request: Request, state: State, person: Person) -> Response:
    """Whatever overlaps the week, those that began earlier too."""
    monday = requested_monday(request, state)
    if isinstance(monday, Response):
        return monday
    wish = state.settings.week_assignments
    assignments = coursework.of_week(class_of(person, state), monday)
    rows = [_worded(one.row(state.clock.today()), state) for one in assignments]
    if not rows or wish == "none":
        return as_json([])
    return as_json(odd_rows.odd(rows) if wish == "odd" else rows)


def _worded(row: dict[str, Any], state: State) -> dict[str, Any]:
    return odd_rows.unknown_words(row) if state.settings.enums == "unknown" else row


def _one(handler: Part) -> Handler:
    """An address below an assignment: 404 where there is none, 403 for another class's."""

    @json_endpoint
    def answer(request: Request, state: State, person: Person) -> Response:
        found = find(request.args["assignment"], person, state)
        if isinstance(found, Response):
            return found
        data = handler(found, state)
        return data if isinstance(data, Response) else as_json(data)

    return answer


def find(text: str, person: Person, state: State) -> Assignment | Response:
    """The person's assignment with this id, or the refusal."""
    if not text.isdecimal():
        return NOT_FOUND
    number = int(text)
    refusal = refuse_other_class(coursework.class_number(number), person, state)
    if refusal is not None:
        return refusal
    return coursework.find(class_of(person, state), number) or NOT_FOUND


def missing(state: State) -> Response | None:
    """What a part answers where the setting says that there are none."""
    answers = {"404": NOT_FOUND, "403": FORBIDDEN, "empty": Response(), "none": None}
    return answers[state.settings.missing_parts]


def _part(handler: Part) -> Handler:
    return _one(lambda assignment, state: missing(state) or handler(assignment, state))


def _view(assignment: Assignment, state: State) -> dict[str, Any]:
    today = state.clock.today()
    dates = f"{swedish_dates.long(assignment.start)} - {swedish_dates.long(assignment.due)}"
    document = {
        "id": assignment.id,
        "title": assignment.title,
        "type": assignment.kind,
        "subTitle": dates,
        "subjectNames": assignment.subject,
        "description": description_of(assignment, state),
        "publishDate": swedish_dates.without_year(assignment.published),
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
    return _worded(document, state)


def _connected_plannings(assignment: Assignment, state: State) -> Any:
    """One planning, and one whose id is null; a body without anything for homework."""
    if assignment.index == 2:
        return Response()
    school_class: SchoolClass = assignment.school_class
    parts = plannings.parts_in_room(school_class, assignment.room, state.clock.today())
    due = swedish_dates.row(assignment.due)
    return [
        {
            "id": parts[0].id,
            "title": parts[0].title,
            "subTitle": f"Due {due} | Planering",
            "planningId": plannings.planning_id(school_class, assignment.room),
            "read": True,
            "sortDate": due,
        },
        {
            "id": parts[1].id,
            "title": parts[1].title,
            "subTitle": "",
            "planningId": None,
            "read": False,
            "sortDate": None,
        },
    ]


view = _one(_view)
connected_plannings = _part(_connected_plannings)
part_of_assignment = _part
