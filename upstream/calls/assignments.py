"""Assignments and plannings as raw JSON objects, with their HTML.

Without its view an assignment or planning does not exist (UpstreamNotFound). Its other parts are
optional: a 404, a 403 or an empty body means that the part is empty.
"""

from typing import Any

from upstream import endpoints as at
from upstream.calls.json_values import read_object, read_rows
from upstream.client import UpstreamClient
from upstream.errors import NotForThisRole, UpstreamNotFound
from upstream.records import ProvenSession, Role

Row = dict[str, Any]


def fetch_week_assignments(
    client: UpstreamClient, *, school: str, web: ProvenSession, role: Role, week: int, year: int
) -> list[Row]:
    """The assignments that begin in an ISO week, and at some schools those that last through it.

    Raises: as `UpstreamClient.fetch_json`.
    """
    query = {"week": week, "year": year}
    return read_rows(
        client.fetch_json(school, at.WEEK_ASSIGNMENTS, web=web, role=role, query=query)
    )


def fetch_assignment(
    client: UpstreamClient, *, school: str, web: ProvenSession, role: Role, assignment: int
) -> Row:
    """The view of an assignment.

    Raises: UpstreamNotFound (missing, forbidden or empty), SessionDead, UpstreamInvalid,
    UpstreamTimeout, UpstreamAway. So does `fetch_planning`; the functions for optional parts
    raise the same without UpstreamNotFound.
    """
    return _view(client, at.ASSIGNMENT, school, web, role, assignment=assignment)


def fetch_sections(
    client: UpstreamClient, *, school: str, web: ProvenSession, role: Role, assignment: int
) -> list[Row]:
    """The optional parts that an assignment has."""
    found = _part(client, at.ASSIGNMENT_SECTIONS, school, web, role, assignment=assignment)
    return read_rows(found)


def fetch_connected_plannings(
    client: UpstreamClient, *, school: str, web: ProvenSession, role: Role, assignment: int
) -> list[Row]:
    """The plannings that an assignment belongs to."""
    found = _part(client, at.ASSIGNMENT_PLANNINGS, school, web, role, assignment=assignment)
    return read_rows(found)


def fetch_assessment(
    client: UpstreamClient, *, school: str, web: ProvenSession, role: Role, assignment: int
) -> Row:
    """What the teacher wrote about the result; empty if there is nothing."""
    return read_object(_part(client, at.ASSESSMENT, school, web, role, assignment=assignment))


def fetch_columns(
    client: UpstreamClient, *, school: str, web: ProvenSession, role: Role, assignment: int
) -> list[Any]:
    """The columns of the assessment grid: objects or texts, since neither was observed."""
    found = _part(client, at.ASSESSMENT_COLUMNS, school, web, role, assignment=assignment)
    return found if isinstance(found, list) else read_rows(found)


def fetch_selected_criteria(
    client: UpstreamClient,
    *,
    school: str,
    web: ProvenSession,
    role: Role,
    grade_type: int | None,
    section: int,
) -> list[Row]:
    """The grade criteria of a section; `grade_type` is its `typeId`, if it has one."""
    ints = {"section": section}
    if grade_type is not None:
        ints["grade_type"] = grade_type
    path = at.PLAIN_GRADE_CRITERIA if grade_type is None else at.GRADE_CRITERIA
    return read_rows(_part(client, path, school, web, role, **ints))


def fetch_planning(
    client: UpstreamClient, *, school: str, web: ProvenSession, role: Role, planning: int
) -> Row:
    """The view of a planning."""
    return _view(client, at.PLANNING, school, web, role, planning=planning)


def fetch_planning_tabs(
    client: UpstreamClient, *, school: str, web: ProvenSession, role: Role, planning: int
) -> list[Row]:
    """The parts of a planning, with their ids."""
    return read_rows(_part(client, at.PLANNING_TABS, school, web, role, planning=planning))


def fetch_planning_part(
    client: UpstreamClient, *, school: str, web: ProvenSession, role: Role, part: int
) -> Row:
    """A part of a planning. Its second title is `subtitle` (lower-case t)."""
    return read_object(_part(client, at.PLANNING_PART, school, web, role, part=part))


def fetch_part_sections(
    client: UpstreamClient, *, school: str, web: ProvenSession, role: Role, part: int
) -> list[Row]:
    """The optional parts that a part of a planning has."""
    return read_rows(_part(client, at.PLANNING_PART_SECTIONS, school, web, role, part=part))


def _view(
    client: UpstreamClient, path: str, school: str, web: ProvenSession, role: Role, **ints: int
) -> Row:
    found = _part(client, path, school, web, role, **ints)
    if not found:
        raise UpstreamNotFound("no such resource, or not for this person")
    return read_object(found)


def _part(
    client: UpstreamClient, path: str, school: str, web: ProvenSession, role: Role, **ints: int
) -> Any:
    try:
        return client.fetch_json(school, path, web=web, role=role, query=None, **ints)
    except (UpstreamNotFound, NotForThisRole):
        return ""
