"""Assignments of a week, and one assignment or planning with all that belongs to it."""

from functools import partial
from typing import Any, Final, Literal

from accounts.callers import Caller
from accounts.services.identity import ask_upstream
from schoolproxy.cache import Answer, Asked, Fields, answer_through_cache, personal
from schoolproxy.services.assignment_details import assignment_fields, planning_fields
from schoolproxy.upstream_html import with_safe_html
from stats import counters
from upstream.calls.assignments import fetch_week_assignments
from upstream.shared_client import client

Kind = Literal["assignment", "planning"]
_READERS: Final = {"assignment": assignment_fields, "planning": planning_fields}


def week_copy_name(week: int, year: int) -> str:
    """The name of the kept copy of a week."""
    return f"assignments-{year}-{week}"


def copy_name(kind: Kind, number: int) -> str:
    """The name of the kept copy of one assignment or planning."""
    return f"{kind}-{number}"


def read_week_assignments(caller: Caller, *, week: int, year: int, asked: Asked) -> Answer:
    """What upstream lists for an ISO week of an ISO year.

    Raises: NotSignedIn, NotForThisRole, TooManyRequests, upstream's errors.
    """
    counters.count("assignment_fetch", account=caller.account_id)

    def fetch() -> Fields:
        rows: list[dict[str, Any]] = ask_upstream(
            caller,
            lambda web: fetch_week_assignments(
                client(), school=caller.school, web=web, role=caller.role, week=week, year=year
            ),
        )
        safe = with_safe_html(rows, school=caller.school)
        return {"week": week, "year": year, "data": [row | {"type": "ASSIGNMENT"} for row in safe]}

    name = week_copy_name(week, year)
    return answer_through_cache(caller, name, shelf=personal(caller.hint), asked=asked, fetch=fetch)


def read_assignment(caller: Caller, *, kind: Kind, number: int, asked: Asked) -> Answer:
    """One assignment or planning.

    Raises: UpstreamNotFound (missing, or not the caller's), NotSignedIn, TooManyRequests,
    upstream's errors.
    """
    counters.count("assignment_fetch", account=caller.account_id)

    def fetch() -> Fields:
        fields = ask_upstream(caller, partial(_READERS[kind], caller, number))
        safe: Fields = with_safe_html(fields, school=caller.school)
        return {"type": kind} | safe

    name = copy_name(kind, number)
    return answer_through_cache(caller, name, shelf=personal(caller.hint), asked=asked, fetch=fetch)
