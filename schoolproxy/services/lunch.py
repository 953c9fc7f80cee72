"""The menu of a week."""

from typing import Any

from django.utils import timezone

from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.weeks import nearest_year
from upstream.calls.lunch import fetch_lunch
from upstream.records import LunchDay, ProvenSession
from upstream.shared_client import client


def lunch_read(*, week: int) -> SchoolRead:
    def fetch(web: ProvenSession) -> Fields:
        days = fetch_lunch(client(), web=web, week=week)
        year = nearest_year(week, timezone.localdate())
        return {"week": week, "year": year, "data": [_day(day) for day in days]}

    return SchoolRead(f"menu-{week}", fetch, school_wide=True, counter="lunch_fetch")


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
