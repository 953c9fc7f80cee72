"""What has a date in the school's calendar beside lessons."""

from datetime import date, timedelta
from typing import Any

from upstream.calls.json_values import read_rows
from upstream.client import UpstreamClient
from upstream.endpoints import DATED_ENTITIES, EVENTS
from upstream.records import ProvenSession


def fetch_dated_entities(client: UpstreamClient, *, web: ProvenSession) -> list[dict[str, Any]]:
    """Tests, homework and plannings of all rooms, with `entityId`, `activityId`, `category`,
    `typeName`, `name`, `startDate` and `endDate`; one of several groups comes once for each.

    Raises: as `UpstreamClient.fetch_json`.
    """
    return read_rows(client.fetch_json(DATED_ENTITIES, web=web))


def fetch_events(
    client: UpstreamClient, *, web: ProvenSession, first: date, last: date
) -> list[dict[str, Any]]:
    """The school's own events from the day before `first` to the day after `last`: it is not known
    whether upstream includes the days that it is asked for. They have `eventId`, `name`,
    `startDate` and `endDate`, and perhaps `allDay` and a `description`.

    Raises: as `UpstreamClient.fetch_json`.
    """
    day = timedelta(days=1)
    query = {"start_date": str(first - day), "end_date": str(last + day)}
    answer = client.fetch_json(EVENTS, web=web, query=query)
    if isinstance(answer, dict):  # `{"events": [...]}` at some schools
        lists = [rows for rows in answer.values() if isinstance(rows, list)]
        answer = [row for rows in lists for row in rows] if lists else answer
    return read_rows(answer)
