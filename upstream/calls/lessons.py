"""The lessons of a week."""

from typing import Any

from upstream.calls.json_values import read_rows
from upstream.client import UpstreamClient
from upstream.endpoints import LESSONS
from upstream.records import ProvenSession


def fetch_lessons(client: UpstreamClient, *, web: ProvenSession, week: int) -> list[dict[str, Any]]:
    """The lessons of an ISO week (1 to 53, without a year), perhaps unsorted, with duplicates.

    Raises: as `UpstreamClient.fetch_json`.
    """
    return read_rows(client.fetch_json(LESSONS, web=web, week=week))
