"""The lists of the school of which people are told what is new.

To tell of another one: its name and a reader of its rows in `lists.py`, and an
entry here. `own_reads.compare` compares what the person's apps read of it.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.utils import timezone

from schoolproxy.limits import FEATURES_WAIT_SECONDS
from schoolproxy.services.exam_rows import exams_of
from schoolproxy.services.missing import missing_of
from schoolproxy.services.submissions import submission_of
from schoolproxy.services.watch.lists import (
    Part,
    WatchedRow,
    read_assignments,
    read_exams,
    read_messages,
    read_missing,
    read_news,
    read_published,
)
from upstream.calls.assignments import fetch_all_assignments, fetch_week_assignments
from upstream.calls.dated import fetch_dated_entities
from upstream.calls.inbox import fetch_inbox
from upstream.calls.menu import fetch_features
from upstream.calls.news import CURRENT, fetch_articles, fetch_news
from upstream.calls.results import fetch_results
from upstream.deadline import deadline_scope
from upstream.errors import NotForThisRole, UpstreamTimeout, UpstreamUnavailable
from upstream.records import ProvenSession
from upstream.shared_client import client

Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class WatchedList:
    """A list that one request gives.

    `fetch` takes the web session, the ISO year and the week (0 for a list without weeks, which is
    one `section`); its rows are as the person's apps read them. `kind` is the notification about
    new and changed rows; it is asked for where somebody wants that or one of `kinds`. Where the
    school has switched off the `feature`, or refuses it, nothing is asked. What one look finds in
    lists of the same `kind` and `topic` is one notification. `read` of one that `selects` leaves
    out rows that are in order, so only an answer without any says nothing.
    """

    fetch: Callable[[ProvenSession, int, int], Rows]
    read: Callable[[Rows], list[WatchedRow]]
    kind: str
    kinds: frozenset[str]
    section: str | None = None
    feature: str | None = None
    topic: str = ""
    selects: bool = False


def _news(web: ProvenSession, _year: int, _week: int) -> Rows:
    """The articles; for a teacher the start page, as nobody has seen their page of articles."""
    found = (
        fetch_news(client(), web=web)
        if web.role == "teacher"
        else fetch_articles(client(), web=web, kind=CURRENT)
    )
    return [{"id": each.id, "title": each.title} for each in found]


def _inbox(web: ProvenSession, _year: int, _week: int) -> Rows:
    if web.role == "teacher":
        raise NotForThisRole("nobody has seen a teacher's side of this")
    return [
        {"id": each.id, "subject": each.subject, "from": {"name": each.sender}, "date": each.sent}
        for each in fetch_inbox(client(), web=web, offset=0).messages
    ]


def _results(web: ProvenSession, _year: int, _week: int) -> Rows:
    if web.role == "teacher":
        raise NotForThisRole("nobody has seen a teacher's side of this")
    return [
        {"assignmentId": each.assignment_id, "title": each.title, "subject": each.subject}
        for each in fetch_results(client(), web=web)
    ]


def _assignments(web: ProvenSession, year: int, week: int) -> Rows:
    return fetch_week_assignments(client(), web=web, week=week, year=year)


def _exams(web: ProvenSession, _year: int, _week: int) -> Rows:
    if web.role == "teacher":
        raise NotForThisRole("nobody has seen a teacher's side of this")
    return exams_of(fetch_dated_entities(client(), web=web), {})


def _missing(web: ProvenSession, _year: int, _week: int) -> Rows:
    """Of all weeks: the list of this one no longer has what was due on the Friday before."""
    if web.role == "teacher":
        raise NotForThisRole("nobody has seen a teacher's side of this")
    rows = fetch_all_assignments(client(), web=web)
    return [row for row in rows if submission_of(row.get("submissionStatus")) != "unknown"]


def _read_missing(rows: Rows) -> list[WatchedRow]:
    return read_missing(missing_of(rows, timezone.localdate()))


# In the order in which they take turns.
LISTS: Final[dict[Part, WatchedList]] = {
    "news": WatchedList(
        _news, read_news, "news", frozenset({"news"}), section="articles", feature="news"
    ),
    "inbox": WatchedList(
        _inbox, read_messages, "inbox", frozenset({"inbox"}), section="inbox", feature="inbox"
    ),
    "results": WatchedList(
        *(_results, read_published, "result", frozenset({"result"})),
        section="results",
        feature="results",
    ),
    # An assessment of one is a `result`, too.
    "assignments": WatchedList(
        _assignments, read_assignments, "assignment", frozenset({"assignment", "result"})
    ),
    "exams": WatchedList(
        *(_exams, read_exams, "assignment", frozenset({"assignment"})),
        section="exams",
        topic="exams",
        selects=True,
    ),
    "missing": WatchedList(
        *(_missing, _read_missing, "assignment", frozenset({"assignment"})),
        section="missing",
        topic="missing",
        selects=True,
    ),
}


def lists_switched_off(web: ProvenSession) -> list[Part]:
    """Those that the school has switched off, by its menu. A menu that cannot be read says nothing.

    Raises: SessionDead.
    """
    try:
        with deadline_scope(time.monotonic() + FEATURES_WAIT_SECONDS):
            features = fetch_features(client(), web=web)
    except (UpstreamTimeout, UpstreamUnavailable):
        return []
    return [
        name
        for name, watched in LISTS.items()
        if watched.feature and features[watched.feature] is False
    ]
