"""The results of all rooms, and what the teacher said about one."""

import re
from collections.abc import Iterator
from typing import Any, Final

from upstream.calls.assignments import fetch_assessment
from upstream.calls.json_values import is_number, read_rows, subject_of, text_of, whole_number
from upstream.client import UpstreamClient
from upstream.endpoints import ALL_RESULTS
from upstream.records import ProvenSession
from upstream.result_records import PublishedResult, ResultDetails

_NOT_ASSESSED: Final = "NOT_ASSESSED"
# As a description, "Meets C level", or as a word, MEET_C_LEVEL.
_LEVEL: Final = re.compile(r"(?:meets?[ _])?([A-F])(?:[ _]level)?", re.IGNORECASE)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
MOST_POINTS: Final = 1_000_000
Row = dict[str, Any]


def fetch_results(client: UpstreamClient, *, web: ProvenSession) -> list[PublishedResult]:
    """The results that the school has published, in its order.

    Raises: as `UpstreamClient.fetch_json`.
    """
    return read_results(read_rows(client.fetch_json(ALL_RESULTS, web=web)))


def read_results(rows: list[Row]) -> list[PublishedResult]:
    """The rows, each assignment once. Those without a number are left out: nobody could open
    them."""
    results: dict[int, PublishedResult] = {}
    for row in rows:
        number = whole_number(row.get("assignmentId"))
        if number is not None:
            results.setdefault(number, _result(number, row))
    return list(results.values())


def fetch_result_details(
    client: UpstreamClient, *, web: ProvenSession, assignment: int
) -> ResultDetails:
    """What the teacher said about an assignment. Raises: as `UpstreamClient.fetch_json`."""
    return read_details(fetch_assessment(client, web=web, assignment=assignment))


def read_details(assessment: Row) -> ResultDetails:
    """The details in an assessment; what is of another type than usual counts as nothing."""
    return ResultDetails(
        text_of(assessment.get("review")) or "",
        text_of(assessment.get("teacherComment")) or "",
        _points(assessment.get("assessmentPartialMoments")),
        tuple(
            (name, word)
            for name, level in assessed_levels(assessment.get("assessedCriteriaTabs"))
            if (word := _word(level))
        ),
    )


def assessed_levels(tabs: Any) -> Iterator[tuple[str, Row]]:
    """The levels of the criteria that were assessed, each with the name of its tab."""
    for tab in _objects(tabs):
        content = tab.get("content")
        name = text_of(content.get("name")) if isinstance(content, dict) else None
        for criterion in _objects(tab.get("assessedCriteria")):
            level = criterion.get("level")
            if isinstance(level, dict) and text_of(level.get("levelEnum")) != _NOT_ASSESSED:
                yield name or "", level


def letter_of(level: Row) -> str | None:
    """The letter of a level, A to F; None for a level that is not one of these."""
    for word in (level.get("description"), level.get("levelEnum")):
        match = _LEVEL.fullmatch(" ".join(_CONTROL.sub(" ", text_of(word) or "").split()))
        if match:
            return match[1].upper()
    return None


def _result(number: int, row: Row) -> PublishedResult:
    return PublishedResult(
        number,
        text_of(row.get("title")) or "",
        subject_of(row.get("subjects")),
        text_of(row.get("assignmentType")),
        text_of(row.get("teacher")),
        text_of(row.get("publishDate")),
        # A row that does not say is not called new.
        unread=row.get("read") is False,
    )


def _word(level: Row) -> str | None:
    """The letter, or what the school calls a level that we do not know."""
    return letter_of(level) or text_of(level.get("description")) or text_of(level.get("levelEnum"))


def _points(moments: Any) -> tuple[float, float] | None:
    parts = [(part.get("points"), part.get("max")) for part in _objects(moments)]
    parts = [part for part in parts if any(is_number(value) for value in part)]
    if not parts or not all(is_number(value) for part in parts for value in part):
        return None
    got, most = (round(sum(values), 2) for values in zip(*parts, strict=True))
    return (got, most) if 0 <= got <= MOST_POINTS and 0 < most <= MOST_POINTS else None


def _objects(value: Any) -> list[Row]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
