"""The menu of a week."""

from typing import Any

from accounts.callers import Caller
from accounts.services.identity import ask_upstream
from schoolproxy.cache import Answer, Asked, Fields, answer_through_cache, school_wide
from stats import counters
from upstream.calls.lunch import fetch_lunch
from upstream.records import LunchDay
from upstream.shared_client import client


def copy_name(week: int) -> str:
    """The name of the kept copy of a week."""
    return f"lunch-{week}"


def read_lunch(caller: Caller, *, week: int, asked: Asked) -> Answer:
    """What the caller's school serves in an ISO week; kept for the whole school.

    Raises: NotSignedIn, NotForThisRole, TooManyRequests, upstream's errors.
    """
    counters.count("lunch_fetch", account=caller.account_id)

    def fetch() -> Fields:
        days = ask_upstream(
            caller, lambda web: fetch_lunch(client(), school=caller.school, web=web, week=week)
        )
        return {"week": week, "data": [_day(day) for day in days]}

    return answer_through_cache(
        caller, copy_name(week), shelf=school_wide(caller.hint), asked=asked, fetch=fetch
    )


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
