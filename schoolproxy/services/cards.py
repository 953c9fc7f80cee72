"""A grade as a card in a message: what the school says about one assignment now."""

import re
import time
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from accounts.callers import Caller
from accounts.services.identity import ask_upstream
from schoolproxy.parts import value_or_empty, value_or_raise
from schoolproxy.services.assignments import assessment_of
from upstream.calls.assignments import fetch_assessment, fetch_assignment
from upstream.calls.json_values import whole_number
from upstream.errors import UpstreamNotFound
from upstream.fan_out import gather
from upstream.records import WebSession
from upstream.shared_client import client

LONGEST: Final = 120
# What a card calls a grade is a few letters; a sentence of a teacher's is no grade.
LONGEST_GRADE: Final = 40
MOST_POINTS: Final = 1_000_000
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
Row = dict[str, Any]


def build_grade_card(caller: Caller, assignment_id: str | int) -> Row:
    """The card of one of the caller's own assignments. What the school does not say is null.

    It is never from the cache, so that nobody shares a grade that they cannot read. Raises:
    UpstreamNotFound (missing, or not the caller's), NotSignedIn, upstream's errors.
    """
    number = whole_number(assignment_id)
    if number is None:
        raise UpstreamNotFound("no number of an assignment")

    def fetch(web: WebSession) -> tuple[Row, Row]:
        who: Row = {"school": caller.school, "web": web, "role": caller.role, "assignment": number}
        calls = [partial(fetch, client(), **who) for fetch in (fetch_assignment, fetch_assessment)]
        view, assessment = gather(client(), caller.school, calls)
        return value_or_raise(view), assessment_of(value_or_empty(assessment, {}))

    view, assessment = ask_upstream(caller, fetch)
    return {
        "type": "grade",
        "assignmentId": number,
        "assignmentTitle": _words(view.get("title")),
        "subjectName": _words(view.get("subjectNames")),
        "assignmentType": _words(view.get("type")),
        "grade": _grade(assessment["assessedCriteriaTabs"]),
        "totalPoints": _points(assessment["partialMoments"]),
        "sharedAt": int(time.time() * 1000),
    }


def _words(value: Any) -> str | None:
    """One line of theirs; None for nothing."""
    if not isinstance(value, str):
        return None
    text = " ".join(_CONTROL.sub(" ", value).split())
    if len(text) > LONGEST:
        text = f"{text[: LONGEST - 1]}…"
    return text or None


def _grade(tabs: list[Any]) -> str | None:
    """The level that was reached; several different ones as "C, A", in the teacher's order."""
    text = ", ".join(dict.fromkeys(_levels(tabs)))
    return text if 0 < len(text) <= LONGEST_GRADE else None


def _levels(tabs: list[Any]) -> Iterator[str]:
    for tab in tabs:
        criteria = tab.get("assessedCriteria") if isinstance(tab, dict) else None
        for criterion in criteria if isinstance(criteria, list) else []:
            level = criterion.get("level") if isinstance(criterion, dict) else None
            if isinstance(level, dict):
                word = _words(level.get("levelEnum")) or _words(level.get("description"))
                if word:
                    yield word


def _points(moments: list[Any]) -> float | None:
    """The sum of the parts that have points; None where none has."""
    points = [
        moment["points"]
        for moment in moments
        if isinstance(moment, dict)
        and isinstance(moment.get("points"), int | float)
        and not isinstance(moment["points"], bool)
    ]
    total = round(sum(points), 2)
    if not points or not 0 <= total <= MOST_POINTS:
        return None
    return int(total) if total == int(total) else total
