"""The sections of an assignment: what there is besides its view. Ids are the assignment's,
with one digit more."""

from typing import Any

from upstream.simulator.coursework import Assignment

GRADE_TYPE = 77

# By the index of the assignment; homework has none.
_TYPES = (
    ("RESULTREPORT", "GRADECRITERIA", "MATERIAL"),
    ("SUBMISSION", "GRADECRITERIA", "MATERIAL", "CENTRALCONTENT", "SUBJECTDESCRIPTION", "PODCAST"),
    (),
)


def section_id(assignment: Assignment, index: int) -> int:
    return assignment.id * 10 + index


def assignment_id(section: int) -> str:
    """The id of the assignment that a section belongs to, as a path has it."""
    return str(section // 10)


def sections_of(assignment: Assignment) -> list[dict[str, Any]]:
    """Type `PODCAST` is one that nobody knows; only a test names the type of its grades."""
    sections: list[dict[str, Any]] = [
        {"id": section_id(assignment, index), "type": kind}
        for index, kind in enumerate(_TYPES[assignment.index])
    ]
    for section in sections:
        if section["type"] == "GRADECRITERIA" and assignment.index == 0:
            section["typeId"] = GRADE_TYPE
    return sections


def type_of(assignment: Assignment, section: int) -> str | None:
    """What this section of the assignment is; None where it has no such section."""
    types = {one["id"]: one["type"] for one in sections_of(assignment)}
    return types.get(section)
