"""Results: what the school has published about assignments, with what the teacher said.

The list costs one call and has no grades; those of a page are fetched one by one.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from accounts.callers import Caller
from schoolproxy.cursors import cursor_of, read_cursor
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.school_texts import readable
from schoolproxy.services.watch import own_reads
from upstream.calls.results import fetch_result_details, fetch_results
from upstream.errors import UpstreamError
from upstream.fan_out import gather
from upstream.records import ChosenChild, ProvenSession
from upstream.result_records import PublishedResult, ResultDetails
from upstream.shared_client import client

T = TypeVar("T")

# Details that are fetched from one school at once.
AT_ONCE: Final = 4
# A review that is a grade. What has anything else in it is only text.
_LETTER: Final = re.compile(r"[A-F]")
_NO_DETAILS: Final[Fields] = {
    "review": None,
    "letter": None,
    "points": None,
    "comment": None,
    "levels": [],
}


def results_read(*, limit: int, cursor: str) -> SchoolRead:
    """A page of results, in upstream's order. One whose details fail is named in `incomplete`.

    Raises: InvalidInput for a cursor that is not one.
    """
    place, known = read_cursor(cursor)

    def after_fetch(caller: Caller, child: ChosenChild | None, fields: Fields) -> None:
        # Of a part of the list nobody could say which of the others were there before.
        if not cursor and fields["next"] is None:
            own_reads.compare(caller, child, "results", fields["results"])

    fetch = partial(_fetch, limit=limit, place=place, known=known)
    key = f"results-{limit}-{cursor}"
    return SchoolRead(key, fetch, after_fetch=after_fetch, for_teachers=False, feature="results")


def _fetch(web: ProvenSession, *, limit: int, place: int, known: Sequence[str]) -> Fields:
    rows = fetch_results(client(), web=web)
    ids = [str(row.assignment_id) for row in rows]
    # After the last one of the page before, wherever that is now.
    start = max((ids.index(row_id) + 1 for row_id in known if row_id in ids), default=place)
    end = start + limit
    page = rows[start:end]
    pairs = list(zip(page, _details(web, page), strict=True))
    return {
        "results": [_fields(row, details) for row, details in pairs],
        "next": cursor_of(end, ids[start:end]) if end < len(rows) else None,
        "incomplete": [
            str(row.assignment_id) for row, details in pairs if isinstance(details, UpstreamError)
        ],
    }


def _details(web: ProvenSession, page: Sequence[PublishedResult]) -> list[Fields | UpstreamError]:
    return gather_few(web, [partial(_fetch_details, web, row.assignment_id) for row in page])


def _fetch_details(web: ProvenSession, assignment: int) -> Fields:
    """The fields that the list does not have. Raises: as `fetch_result_details`, and
    UpstreamChanged for a text that nobody can read."""
    details = fetch_result_details(client(), web=web, assignment=assignment)
    return detail_fields(details, web.school)


def gather_few(web: ProvenSession, calls: Sequence[Callable[[], T]]) -> list[T | UpstreamError]:
    """As `gather`, at most `AT_ONCE` calls at a time."""
    answers: list[T | UpstreamError] = []
    for first in range(0, len(calls), AT_ONCE):
        answers += gather(client(), web.school, calls[first : first + AT_ONCE])
    return answers


def _fields(row: PublishedResult, details: Fields | UpstreamError) -> Fields:
    return {
        "assignmentId": str(row.assignment_id),
        "subject": row.subject,
        "title": row.title,
        "type": row.type,
        "teacher": row.teacher,
        "publishedAt": row.published,
        "unread": row.unread,
    } | (_NO_DETAILS if isinstance(details, UpstreamError) else details)


def detail_fields(details: ResultDetails, school: str) -> Fields:
    review = plain(details.review, school)
    points: Any = None
    if details.points is not None:
        points = dict(zip(("got", "max"), details.points, strict=True))
    return {
        "review": review,
        "letter": review if review and _LETTER.fullmatch(review) else None,
        "points": points,
        "comment": plain(details.comment, school),
        "levels": [{"criterion": name, "level": level} for name, level in details.levels],
    }


def plain(html: str, school: str) -> str | None:
    """The text of upstream's HTML, one line for each block; None where there is none."""
    return readable(html, school=school)[1] or None
