"""What a teacher thought of an assignment, and the columns of their table."""

from typing import Any

from upstream.simulator.answers.assignments import part_of_assignment
from upstream.simulator.coursework import Assignment
from upstream.simulator.http_exchange import NOT_FOUND
from upstream.simulator.sections import GRADE_TYPE, section_id
from upstream.simulator.state import State

_GROUP = 4711


def _assessment(assignment: Assignment, state: State) -> Any:
    """Full once it is over, blank before; homework has none."""
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
        "review": "<p>Bra jobbat&nbsp;&ndash; forts&auml;tt s&aring;!</p>",
        "teacherComment": "Se över enheterna.\r\nVi tar det på fredag.",
        "studentComment": None,
        "assessedCriteriaTabs": [_tab(assignment)],
        "assessmentPartialMoments": [
            {"id": 31, "name": "Del A", "points": 11, "max": 16},
            {"name": "Del B – muntlig", "points": 7.5, "max": 10},
        ],
    }


def _tab(assignment: Assignment) -> dict[str, Any]:
    return {
        "content": {
            "type": "GRADECRITERIA",
            "id": section_id(assignment, 1),
            "typeId": GRADE_TYPE,
            "name": assignment.subject,
        },
        "assessedCriteria": [
            {
                "level": {"levelEnum": "C", "value": 3, "description": "Relativt väl"},
                "steps": [
                    {"gradeCriteriaGroupId": _GROUP, "text": "Löser problem.", "level": "E"},
                    {"gradeCriteriaGroupId": _GROUP, "text": "Löser dem väl.", "level": "C"},
                ],
            }
        ],
    }


def _columns(assignment: Assignment, _state: State) -> list[dict[str, Any]]:
    names = ["Resultat", "Kommentar", "Omdöme"] if assignment.index == 0 else []
    return [{"id": number, "name": name} for number, name in enumerate(names, start=1)]


assessment = part_of_assignment(_assessment)
columns = part_of_assignment(_columns)
