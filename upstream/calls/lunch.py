"""The menu of a week, from JSON, or from a page at schools without JSON for this role."""

from typing import Any

from upstream.calls.json_values import objects_in, whole_number
from upstream.client import UpstreamClient
from upstream.endpoints import LUNCH, LUNCH_PAGE
from upstream.errors import NotForThisRole, UpstreamNotFound
from upstream.pages.lunch import read_dish, read_lunch
from upstream.records import Dish, LunchDay, ProvenSession


def fetch_lunch(client: UpstreamClient, *, web: ProvenSession, week: int) -> list[LunchDay]:
    """The days with a menu in an ISO week (1 to 53, without a year).

    A day that upstream lists without dishes is included, without dishes.

    Raises: as `UpstreamClient.fetch_json`, and UpstreamChanged.
    """
    try:
        days = client.fetch_json(LUNCH, web=web, week=week)
    except (UpstreamNotFound, NotForThisRole):
        page = client.fetch_page(LUNCH_PAGE, web=web, query={"requestid": week})
        return read_lunch(page)
    return read_days(days)


def read_days(data: Any) -> list[LunchDay]:
    """The days in the order of the week, each once; rows that are not a weekday are left out."""
    days: dict[int, list[Dish]] = {}
    for row in objects_in(data):
        day = whole_number(row.get("dayId"))
        if day is not None and 1 <= day <= 7:
            days.setdefault(day, []).extend(_dishes(row.get("dishes")))
    return [LunchDay(day, tuple(days[day])) for day in sorted(days)]


def _dishes(data: Any) -> list[Dish]:
    rows = objects_in(data) if isinstance(data, list | dict) else []
    dishes = (read_dish(_text(row.get("dishType")), _text(row.get("dish"))) for row in rows)
    return [dish for dish in dishes if dish.dish]


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""
