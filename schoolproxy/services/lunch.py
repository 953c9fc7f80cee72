"""The menu of a week."""

from typing import Any

from schoolproxy.reads import Fields, SchoolRead
from upstream.calls.lunch import fetch_lunch
from upstream.records import LunchDay, ProvenSession
from upstream.shared_client import client


def lunch_read(*, week: int) -> SchoolRead:
    def fetch(web: ProvenSession) -> Fields:
        days = fetch_lunch(client(), web=web, week=week)
        return {"week": week, "data": [_day(day) for day in days]}

    return SchoolRead(f"lunch-{week}", fetch, school_wide=True, counter="lunch_fetch")


def _day(day: LunchDay) -> dict[str, Any]:
    return {
        "dayId": day.day_id,
        "dishes": [
            {
                "dishType": dish.dish_type,
                "dish": dish.dish,
                "alternatives": [
                    {"label": alternative.label, "text": alternative.text}
                    for alternative in dish.alternatives
                ],
            }
            for dish in day.dishes
        ],
    }
