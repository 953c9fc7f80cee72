"""Assignments and plannings as raw JSON objects, with their HTML.

Without its view an assignment or planning does not exist (UpstreamNotFound). Its other parts are
optional: a 404, a 403 (NotForThisRole) or an empty body means that the part is empty.
"""

from contextlib import suppress
from typing import Any

from upstream import endpoints as at
from upstream.calls.json_values import read_object, read_rows
from upstream.client import UpstreamClient
from upstream.errors import NotForThisRole, UpstreamNotFound
from upstream.records import ProvenSession

Row = dict[str, Any]


def fetch_week_assignments(
    client: UpstreamClient, *, web: ProvenSession, week: int, year: int
) -> list[Row]:
    """The assignments that begin in an ISO week, and at some schools those that last through it.

    Raises: as `UpstreamClient.fetch_json`.
    """
    query = {"week": week, "year": year}
    return read_rows(client.fetch_json(at.WEEK_ASSIGNMENTS, web=web, query=query))


def fetch_all_assignments(client: UpstreamClient, *, web: ProvenSession) -> list[Row]:
    """The assignments of all rooms, with `assignmentId`, `endDate` and `submissionStatus`.

    Raises: as `UpstreamClient.fetch_json`.
    """
    return read_rows(client.fetch_json(at.ALL_ASSIGNMENTS, web=web))


def fetch_assignment(client: UpstreamClient, *, web: ProvenSession, assignment: int) -> Row:
    """The view of an assignment.

    Raises: UpstreamNotFound (missing, forbidden or empty), and as `UpstreamClient.fetch_json`. So
    does `fetch_planning`.
    """
    return _fetch_view(client, at.ASSIGNMENT, web, assignment=assignment)


def fetch_sections(client: UpstreamClient, *, web: ProvenSession, assignment: int) -> list[Row]:
    """The optional parts that an assignment has."""
    return read_rows(client.fetch_json(at.ASSIGNMENT_SECTIONS, web=web, assignment=assignment))


def fetch_connected_plannings(
    client: UpstreamClient, *, web: ProvenSession, assignment: int
) -> list[Row]:
    """The plannings that an assignment belongs to."""
    return read_rows(client.fetch_json(at.ASSIGNMENT_PLANNINGS, web=web, assignment=assignment))


def fetch_assessment(client: UpstreamClient, *, web: ProvenSession, assignment: int) -> Row:
    """What the teacher wrote about the result; empty if there is nothing."""
    return read_object(client.fetch_json(at.ASSESSMENT, web=web, assignment=assignment))


def fetch_columns(client: UpstreamClient, *, web: ProvenSession, assignment: int) -> list[Any]:
    """The columns of the assessment grid: objects or texts, since neither was observed."""
    columns = client.fetch_json(at.ASSESSMENT_COLUMNS, web=web, assignment=assignment)
    return columns if isinstance(columns, list) else read_rows(columns)


def fetch_selected_criteria(
    client: UpstreamClient, *, web: ProvenSession, grade_type: int | None, section: int
) -> list[Row]:
    """The grade criteria of a section; `grade_type` is its `typeId`, if it has one."""
    if grade_type is None:
        return read_rows(client.fetch_json(at.PLAIN_GRADE_CRITERIA, web=web, section=section))
    return read_rows(
        client.fetch_json(at.GRADE_CRITERIA, web=web, grade_type=grade_type, section=section)
    )


def fetch_planning(client: UpstreamClient, *, web: ProvenSession, planning: int) -> Row:
    """The view of a planning."""
    return _fetch_view(client, at.PLANNING, web, planning=planning)


def fetch_planning_tabs(client: UpstreamClient, *, web: ProvenSession, planning: int) -> list[Row]:
    """The parts of a planning, with their ids."""
    return read_rows(client.fetch_json(at.PLANNING_TABS, web=web, planning=planning))


def fetch_planning_part(client: UpstreamClient, *, web: ProvenSession, part: int) -> Row:
    """A part of a planning. Its second title is `subtitle` (lower-case t)."""
    return read_object(client.fetch_json(at.PLANNING_PART, web=web, part=part))


def fetch_part_sections(client: UpstreamClient, *, web: ProvenSession, part: int) -> list[Row]:
    """The optional parts that a part of a planning has."""
    return read_rows(client.fetch_json(at.PLANNING_PART_SECTIONS, web=web, part=part))


def _fetch_view(client: UpstreamClient, path: str, web: ProvenSession, **ints: int) -> Row:
    view = None
    with suppress(NotForThisRole):
        view = client.fetch_json(path, web=web, query=None, **ints)
    if not view:
        raise UpstreamNotFound("no such resource, or not for this person")
    return read_object(view)
