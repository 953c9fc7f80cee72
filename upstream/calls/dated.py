"""What has a date in the school's calendar beside lessons."""

from typing import Any

from upstream.calls.json_values import read_rows
from upstream.client import UpstreamClient
from upstream.endpoints import DATED_ENTITIES
from upstream.records import ProvenSession


def fetch_dated_entities(client: UpstreamClient, *, web: ProvenSession) -> list[dict[str, Any]]:
    """Tests, homework and plannings of all rooms, with `entityId`, `activityId`, `category`,
    `typeName`, `name`, `startDate` and `endDate`; one of several groups comes once for each.

    Raises: as `UpstreamClient.fetch_json`.
    """
    return read_rows(client.fetch_json(DATED_ENTITIES, web=web))
