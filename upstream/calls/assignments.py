"""Assignments and plannings, as upstream has them: raw objects, HTML and all.

The view of an assignment or a planning is the thing itself: where it is missing, there is none.
Its other parts are extras that schools leave out: a 404 or 403 for one of them means that it is
empty, and so does an empty body.
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
    """What upstream lists for an ISO week: what begins in it, or also what lasts through it.

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

    Raises: UpstreamNotFound (missing, forbidden, or empty), SessionDead, UpstreamInvalid,
    UpstreamTimeout, UpstreamAway.
    """
    return _view(client, ASSIGNMENT, school=school, web=web, role=role, assignment=assignment)


def fetch_sections(
    client: UpstreamClient, *, school: str, web: WebSession, role: Role, assignment: int
) -> list[Row]:
    """The kinds of extras that an assignment has.

    Raises: SessionDead, UpstreamInvalid, UpstreamTimeout, UpstreamAway; so do all that follow.
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
    """What the teacher wrote about the result; empty where there is none."""
    return read_object(
        _part(client, ASSESSMENT, school=school, web=web, role=role, assignment=assignment)
    )


def fetch_columns(
    client: UpstreamClient, *, school: str, web: WebSession, role: Role, assignment: int
) -> list[Any]:
    """The columns of the assessment grid: objects or words, nobody knows which."""
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
    """The grade criteria of a section; `grade_type` is its `typeId`, where it has one."""
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
    """A part of a planning. Its second title is `subtitle`, with a small t."""
    return read_object(_part(client, PLANNING_PART, school=school, web=web, role=role, part=part))


def fetch_part_sections(
    client: UpstreamClient, *, school: str, web: WebSession, role: Role, part: int
) -> list[Row]:
    """The kinds of extras that a part of a planning has."""
    return read_rows(
        _part(client, PLANNING_PART_SECTIONS, school=school, web=web, role=role, part=part)
    )


def _view(
    client: UpstreamClient, path: str, *, school: str, web: WebSession, role: Role, **ints: int
) -> Row:
    found = _part(client, path, school=school, web=web, role=role, **ints)
    if not found:
        raise UpstreamNotFound("no such thing, or not for this person")
    return read_object(found)


def _part(
    client: UpstreamClient, path: str, *, school: str, web: WebSession, role: Role, **ints: int
) -> Any:
    try:
        return client.fetch_json(school, path, web=web, role=SEGMENTS[role], query=None, **ints)
    except (UpstreamNotFound, NotForThisRole):
        return None
