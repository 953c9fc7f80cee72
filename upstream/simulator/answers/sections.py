"""The sections of an assignment, and what is in each."""

from typing import Any

from upstream.simulator import swedish_dates
from upstream.simulator.answers.access import Handler, json_endpoint
from upstream.simulator.answers.assignments import Part, find, missing, part_of_assignment
from upstream.simulator.coursework import Assignment
from upstream.simulator.http_exchange import NOT_FOUND, Request, Response, as_json
from upstream.simulator.people import Person
from upstream.simulator.sections import assignment_id, sections_of, type_of
from upstream.simulator.state import State


def _section(kind: str, handler: Part) -> Handler:
    """An address of one section: 404 for a section that is of another kind, or is none."""

    @json_endpoint
    def answer(request: Request, state: State, person: Person) -> Response:
        text = request.args["section"]
        found = find(assignment_id(int(text)), person, state) if text.isdecimal() else NOT_FOUND
        if isinstance(found, Response):
            return found
        if type_of(found, int(text)) != kind:
            return NOT_FOUND
        return missing(state) or as_json(handler(found, state))

    return answer


def _submission(assignment: Assignment, state: State) -> dict[str, Any]:
    status = assignment.handed_in(state.clock.today())
    return {
        "allowLateHandIn": True,
        "closeDate": "",
        "description": "<p>L&auml;mna in som PDF</p>",
        "expireDate": f"{assignment.due:%Y-%m-%dT%H:%M}",
        "groupHandIn": False,
        "handInType": ("PHYSICAL", "DIGITAL")[assignment.week % 2],
        "plagiarismCheck": False,
        "submissionStatus": {
            "groupSubmissionId": None,
            "studentSubmissionId": assignment.id * 10 + 9,
            "submitted": status in ("SUBMITTED", "EXPIRED_SUBMITTED", "LATE", "FINISHED"),
        },
    }


def _files(assignment: Assignment, _state: State) -> list[dict[str, Any]]:
    name = f"Instruktion {swedish_dates.in_lists(assignment.start)} å & ä.pdf"
    return [{"fileId": assignment.id * 10 + 1, "fileName": name}]


def _links(assignment: Assignment, _state: State) -> list[dict[str, Any]]:
    links = [("Film om bråk", "https://larande.example/film?id=4&t=9"), ("", "javascript:alert(1)")]
    return [
        {"id": assignment.id * 10 + index, "displayName": name, "url": url}
        for index, (name, url) in enumerate(links)
    ]


def _criteria(assignment: Assignment, _state: State) -> list[Any]:
    """Steps, a level object, and an empty array where something may have been."""
    return [
        {"gradeStep": "E", "text": f"Eleven löser enkla problem i {assignment.subject.strip()}."},
        {"gradeStep": "C", "text": ""},
        {"level": {"levelEnum": "A", "value": 5, "description": "Mycket väl"}, "steps": []},
        [],
    ]


def _curriculum(assignment: Assignment, _state: State) -> list[dict[str, Any]]:
    parts = [{"year": "7-9", "description": "<p>Rationella tal &ndash; br&aring;k</p>"}]
    return [{"description": assignment.subject, "parts": parts}, {"description": "", "parts": []}]


sections = part_of_assignment(lambda assignment, _state: sections_of(assignment))
submission = _section("SUBMISSION", _submission)
files = _section("MATERIAL", _files)
links = _section("MATERIAL", _links)
criteria = _section("GRADECRITERIA", _criteria)
central_content = _section("CENTRALCONTENT", _curriculum)
subject_description = _section("SUBJECTDESCRIPTION", _curriculum)
