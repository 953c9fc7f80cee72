"""A grade as a card in a message: what the school says about one assignment now."""

import re
import time
from functools import partial
from typing import Any, Final, Literal

from accounts.callers import Caller
from accounts.database import release_database_connection
from schoolproxy.proven_sessions import call_with_proven_session
from schoolproxy.reads import ChildChoice
from schoolproxy.services.assignments import assessment_of
from schoolproxy.services.children import chosen_child
from upstream.calls.assignments import fetch_assessment, fetch_assignment
from upstream.calls.json_values import is_number, whole_number
from upstream.calls.results import MOST_POINTS, assessed_levels, letter_of
from upstream.errors import UpstreamNotFound
from upstream.fan_out import gather, value_or_empty, value_or_raise
from upstream.records import ProvenSession
from upstream.shared_client import client

LONGEST: Final = 120
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
Row = dict[str, Any]


def build_grade_card(caller: Caller, assignment_id: str | int) -> Row:
    """The card of one of the caller's own assignments, or of a guardian's default or only child.
    What the school does not say is null.

    `confidence` says whether all assessed criteria have that grade (confirmed) or not (estimated).

    It is never from the cache, so that nobody shares a grade that they cannot read. Raises:
    UpstreamNotFound (missing, or not the caller's), NotSignedIn, upstream's errors.
    """
    number = whole_number(assignment_id)
    if number is None or str(number) != str(assignment_id):
        raise UpstreamNotFound("no number of an assignment")

    def fetch(web: ProvenSession) -> tuple[Row, Row]:
        calls = [
            partial(fetch, client(), web=web, assignment=number)
            for fetch in (fetch_assignment, fetch_assessment)
        ]
        view, assessment = gather(client(), web.school, calls)
        return value_or_raise(view), assessment_of(value_or_empty(assessment, {}))

    release_database_connection()
    with client().request_scope(caller.school, person=caller.person_hash):
        child = chosen_child(caller, ChildChoice())
        view, assessment = call_with_proven_session(caller, child, fetch)
    grade, confidence = _grade(assessment["assessedCriteriaTabs"])
    return {
        "type": "grade",
        "assignmentId": str(number),
        "assignmentTitle": _words(view.get("title")),
        "subjectName": _words(view.get("subjectNames")),
        "assignmentType": _words(view.get("type")),
        "grade": grade,
        "confidence": confidence,
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


def _grade(tabs: list[Any]) -> tuple[str | None, Literal["confirmed", "estimated"] | None]:
    """The grade as a letter, and whether all levels say so. Of different levels it is the middle
    one, of two middle ones the lower."""
    levels = [letter_of(level) for _name, level in assessed_levels(tabs)]
    letters = sorted(letter for letter in levels if letter)
    if not letters:
        return None, None
    same = len(set(levels)) == 1
    return letters[len(letters) // 2], "confirmed" if same else "estimated"


def _points(moments: list[Any]) -> str | None:
    """The points of the parts that have some, such as "18.5 / 26"; without the second number where
    upstream does not give the most for each of them. None where no part has points."""
    parts = [part for part in moments if isinstance(part, dict) and is_number(part.get("points"))]
    total = sum(part["points"] for part in parts)
    if not parts or not 0 <= total <= MOST_POINTS:
        return None
    if not all(is_number(part.get("max")) for part in parts):
        return _number(total)
    most = sum(part["max"] for part in parts)
    return f"{_number(total)} / {_number(most)}" if 0 < most <= MOST_POINTS else _number(total)


def _number(value: float) -> str:
    return f"{round(value, 2):.2f}".rstrip("0").rstrip(".")
