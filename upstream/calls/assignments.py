"""Assignments and plannings as raw JSON objects, with their HTML.

Without its view an assignment or planning does not exist (UpstreamNotFound). Its other parts are
optional: a 404, a 403 or an empty body means that the part is empty.
"""

from typing import Any

from upstream.calls.json_values import read_object, read_rows
from upstream.client import UpstreamClient
from upstream.endpoints import (
    ASSESSMENT,
    ASSESSMENT_COLUMNS,
    ASSIGNMENT,
    ASSIGNMENT_PLANNINGS,
    ASSIGNMENT_SECTIONS,
    GRADE_CRITERIA,
    PLAIN_GRADE_CRITERIA,
    PLANNING,
    PLANNING_PART,
    PLANNING_PART_SECTIONS,
    PLANNING_TABS,
    WEEK_ASSIGNMENTS,
)
from upstream.errors import NotForThisRole, UpstreamNotFound
from upstream.records import SEGMENTS, Role, WebSession

Row = dict[str, Any]


def fetch_week_assignments(
    client: UpstreamClient, *, school: str, web: WebSession, role: Role, week: int, year: int
) -> list[Row]:
    """The assignments that begin in an ISO week, and at some schools those that last through it.

    Raises: SessionDead, NotForThisRole, UpstreamNotFound, UpstreamInvalid, UpstreamTimeout,
    UpstreamAway.
    """
    segment, query = SEGMENTS[role], {"week": week, "year": year}
    return read_rows(
        client.fetch_json(school, WEEK_ASSIGNMENTS, web=web, role=segment, query=query)
    )


def fetch_assignment(
    client: UpstreamClient, *, school: str, web: WebSession, role: Role, assignment: int
) -> Row:
    """The view of an assignment.

    Raises: UpstreamNotFound (missing, forbidden or empty), SessionDead, UpstreamInvalid,
    UpstreamTimeout, UpstreamAway.
    """
    return _view(client, ASSIGNMENT, school=school, web=web, role=role, assignment=assignment)


def fetch_sections(
    client: UpstreamClient, *, school: str, web: WebSession, role: Role, assignment: int
) -> list[Row]:
    """The optional parts that an assignment has.

    Raises: SessionDead, UpstreamInvalid, UpstreamTimeout, UpstreamAway. So do all functions below.
    """
    return read_rows(
        _part(client, ASSIGNMENT_SECTIONS, school=school, web=web, role=role, assignment=assignment)
    )


def fetch_connected_plannings(
    client: UpstreamClient, *, school: str, web: WebSession, role: Role, assignment: int
) -> list[Row]:
    """The plannings that an assignment belongs to."""
    return read_rows(
        _part(
            client, ASSIGNMENT_PLANNINGS, school=school, web=web, role=role, assignment=assignment
        )
    )


def fetch_assessment(
    client: UpstreamClient, *, school: str, web: WebSession, role: Role, assignment: int
) -> Row:
    """What the teacher wrote about the result; empty if there is nothing."""
    return read_object(
        _part(client, ASSESSMENT, school=school, web=web, role=role, assignment=assignment)
    )


def fetch_columns(
    client: UpstreamClient, *, school: str, web: WebSession, role: Role, assignment: int
) -> list[Any]:
    """The columns of the assessment grid: objects or texts, since neither was observed."""
    found = _part(
        client, ASSESSMENT_COLUMNS, school=school, web=web, role=role, assignment=assignment
    )
    return found if isinstance(found, list) else read_rows(found)


def fetch_selected_criteria(
    client: UpstreamClient,
    *,
    school: str,
    web: WebSession,
    role: Role,
    grade_type: int | None,
    section: int,
) -> list[Row]:
    """The grade criteria of a section; `grade_type` is its `typeId`, if it has one."""
    ints = {"section": section}
    if grade_type is not None:
        ints["grade_type"] = grade_type
    path = PLAIN_GRADE_CRITERIA if grade_type is None else GRADE_CRITERIA
    return read_rows(_part(client, path, school=school, web=web, role=role, **ints))


def fetch_planning(
    client: UpstreamClient, *, school: str, web: WebSession, role: Role, planning: int
) -> Row:
    """The view of a planning.

    Raises: as fetch_assignment.
    """
    return _view(client, PLANNING, school=school, web=web, role=role, planning=planning)


def fetch_planning_tabs(
    client: UpstreamClient, *, school: str, web: WebSession, role: Role, planning: int
) -> list[Row]:
    """The parts of a planning, with their ids."""
    return read_rows(
        _part(client, PLANNING_TABS, school=school, web=web, role=role, planning=planning)
    )


def fetch_planning_part(
    client: UpstreamClient, *, school: str, web: WebSession, role: Role, part: int
) -> Row:
    """A part of a planning. Its second title is `subtitle` (lower-case t)."""
    return read_object(_part(client, PLANNING_PART, school=school, web=web, role=role, part=part))


def fetch_part_sections(
    client: UpstreamClient, *, school: str, web: WebSession, role: Role, part: int
) -> list[Row]:
    """The optional parts that a part of a planning has."""
    return read_rows(
        _part(client, PLANNING_PART_SECTIONS, school=school, web=web, role=role, part=part)
    )


def _view(
    client: UpstreamClient, path: str, *, school: str, web: WebSession, role: Role, **ints: int
) -> Row:
    found = _part(client, path, school=school, web=web, role=role, **ints)
    if not found:
        raise UpstreamNotFound("no such resource, or not for this person")
    return read_object(found)


def _part(
    client: UpstreamClient, path: str, *, school: str, web: WebSession, role: Role, **ints: int
) -> Any:
    try:
        return client.fetch_json(school, path, web=web, role=SEGMENTS[role], query=None, **ints)
    except (UpstreamNotFound, NotForThisRole):
        return None
