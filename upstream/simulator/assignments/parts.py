"""The parts of an assignment as JSON: sections and what is in them, plannings, the assessment."""

from collections.abc import Callable
from typing import Any

from upstream.simulator import dates, plannings
from upstream.simulator.access import Handler, json_endpoint, missing_part
from upstream.simulator.assignments import results
from upstream.simulator.assignments.answers import AssignmentHandler, find, of_assignment
from upstream.simulator.assignments.data import Assignment
from upstream.simulator.http_exchange import NOT_FOUND, Request, Response, as_html, as_json
from upstream.simulator.people import Person
from upstream.simulator.state import State

_GRADE_TYPE = 77
# What upstream calls the levels, and numbers them.
_VALUES = {"E": 7, "D": 8, "C": 9, "B": 10, "A": 11}

# By the index of the assignment; homework has none.
_TYPES = (
    ("RESULTREPORT", "GRADECRITERIA", "MATERIAL"),
    ("SUBMISSION", "GRADECRITERIA", "MATERIAL", "CENTRALCONTENT", "SUBJECTDESCRIPTION", "PODCAST"),
    (),
)


def _section_id(assignment: Assignment, index: int) -> int:
    return assignment.id * 10 + index


def _sections_of(assignment: Assignment) -> list[dict[str, Any]]:
    """`PODCAST` is a type that clients do not know; only a test has a `typeId`."""
    sections: list[dict[str, Any]] = [
        {"id": _section_id(assignment, index), "type": kind}
        for index, kind in enumerate(_TYPES[assignment.index])
    ]
    for section in sections:
        if section["type"] == "GRADECRITERIA" and assignment.index == 0:
            section["typeId"] = _GRADE_TYPE
    return sections


def _type_of(assignment: Assignment, section: int) -> str | None:
    """The type of this section of the assignment; None if there is no such section."""
    types = {section["id"]: section["type"] for section in _sections_of(assignment)}
    return types.get(section)


def _part(handler: AssignmentHandler) -> Handler:
    return of_assignment(lambda found, state: missing_part(state) or handler(found, state))


def _section(kind: str) -> Callable[[AssignmentHandler], Handler]:
    """An address of one section: 404 for an unknown section or one of another type."""

    def decorate(handler: AssignmentHandler) -> Handler:
        @json_endpoint
        def handle(request: Request, state: State, person: Person) -> Response:
            section = request.args["section"]
            assignment = find(section[:-1], person, state)
            if isinstance(assignment, Response):
                return assignment
            if not section.isdecimal() or _type_of(assignment, int(section)) != kind:
                return NOT_FOUND
            return missing_part(state) or as_json(handler(assignment, state))

        return handle

    return decorate


@_part
def sections(assignment: Assignment, _state: State) -> list[dict[str, Any]]:
    return _sections_of(assignment)


@_section("MATERIAL")
def files(assignment: Assignment, _state: State) -> list[dict[str, Any]]:
    name = f"Instruktion {dates.in_lists(assignment.start)} å & ä.pdf"
    return [{"fileId": assignment.id * 10 + 1, "fileName": name}]


@_section("MATERIAL")
def links(assignment: Assignment, _state: State) -> list[dict[str, Any]]:
    rows = [("Film om bråk", "https://larande.example/film?id=4&t=9"), ("", "javascript:alert(1)")]
    return [
        {"id": assignment.id * 10 + index, "displayName": name, "url": url}
        for index, (name, url) in enumerate(rows)
    ]


@_section("GRADECRITERIA")
def criteria(assignment: Assignment, _state: State) -> list[Any]:
    """Steps, a level object, and an empty array."""
    return [
        {"gradeStep": "E", "text": f"Eleven löser enkla problem i {assignment.subject.strip()}."},
        {"gradeStep": "C", "text": ""},
        {"level": _level("A"), "steps": []},
        [],
    ]


@_part
def connected_plannings(assignment: Assignment, state: State) -> Any:
    """One planning, and one whose id is null; an empty body for homework."""
    if assignment.index == 2:
        return Response()
    school_class = assignment.school_class
    parts = plannings.parts_in_room(school_class, assignment.room, state.clock.today())
    due = dates.row(assignment.due)
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


_GROUP = 4711


@_part
def assessment(assignment: Assignment, state: State) -> Any:
    """Filled in when the assignment is over, blank before; homework has none."""
    if assignment.id in state.broken_assessments:
        return as_html("<html><body><h1>HTTP Status 500</h1></body></html>", 500)
    if assignment.index == 2:
        return NOT_FOUND
    if not assignment.is_over(state.clock.today()):
        return {
            "review": "",
            "teacherComment": None,
            "studentComment": "",
            "assessedCriteriaTabs": [],
            "assessmentPartialMoments": [],
        }
    return {
        "review": results.review_of(assignment),
        "teacherComment": "Se över enheterna.\r\nVi tar det på fredag.",
        "studentComment": None,
        "assessedCriteriaTabs": [_tab(assignment)],
        "assessmentPartialMoments": results.moments_of(assignment),
    }


def _level(letter: str) -> dict[str, Any]:
    word = f"MEET_{letter}_LEVEL"
    return {"levelEnum": word, "value": _VALUES[letter], "description": f"Meets {letter} level"}


def _tab(assignment: Assignment) -> dict[str, Any]:
    return {
        "content": {
            "type": "GRADECRITERIA",
            "id": _section_id(assignment, 1),
            "typeId": _GRADE_TYPE,
            "name": assignment.subject,
        },
        "assessedCriteria": [
            {
                "level": _level("C"),
                "steps": [
                    {
                        "gradeCriteriaGroupId": _GROUP,
                        "text": "Löser problem.",
                        "level": _level("E"),
                    },
                    {
                        "gradeCriteriaGroupId": _GROUP,
                        "text": "Löser <b>dem</b> väl.",
                        "level": _level("C"),
                    },
                ],
            },
            *results.criteria_of(assignment),
        ],
    }


@_part
def columns(assignment: Assignment, _state: State) -> list[dict[str, Any]]:
    names = ["Resultat", "Kommentar", "Omdöme"] if assignment.index == 0 else []
    return [{"id": number, "name": name} for number, name in enumerate(names, start=1)]
