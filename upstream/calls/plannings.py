"""Plannings of all rooms, and what belongs to a part of one, as raw JSON objects."""

from typing import Any

from upstream import endpoints as at
from upstream.calls.json_values import read_object, read_rows
from upstream.client import UpstreamClient
from upstream.errors import NotForThisRole, UpstreamNotFound
from upstream.records import ProvenSession

Row = dict[str, Any]


def fetch_all_plannings(client: UpstreamClient, *, web: ProvenSession) -> list[Row]:
    """The parts of the plannings of all rooms, with `planningPartId`, `planningId`, their days
    (either may be empty) and `read`.

    Raises: as `UpstreamClient.fetch_json`. So do all functions of this module.
    """
    return read_rows(client.fetch_json(at.ALL_PLANNINGS, web=web))


def fetch_part(client: UpstreamClient, *, web: ProvenSession, part: int) -> Row:
    """A part of a planning: `title`, `subtitle` (lower-case t), `description`, `publishDate`.

    Raises: UpstreamNotFound also for one that is forbidden or empty.
    """
    try:
        view = client.fetch_json(at.PLANNING_PART, web=web, part=part)
    except NotForThisRole:
        view = None
    if not view:
        raise UpstreamNotFound("no such part, or not for this person")
    return read_object(view)


def fetch_part_assignments(client: UpstreamClient, *, web: ProvenSession, part: int) -> list[Row]:
    """The assignments that belong to a part, with `id` and `title`."""
    rows = client.fetch_json(at.PLANNING_PART_ASSIGNMENTS, web=web, part=part)
    return read_rows(rows or "")


def fetch_part_files(client: UpstreamClient, *, web: ProvenSession, part: int) -> list[Row]:
    """The files beside a part, with `fileId` and `fileName`, or `id` and `displayName`."""
    return read_rows(client.fetch_json(at.MATERIAL_FILES, web=web, section=part) or "")


def fetch_part_links(client: UpstreamClient, *, web: ProvenSession, part: int) -> list[Row]:
    """The links beside a part, with `displayName` and `url`."""
    return read_rows(client.fetch_json(at.MATERIAL_LINKS, web=web, section=part) or "")
