"""The lists of the school of which people are told what is new: how they are fetched and read.

To tell of another one: its name in `lists.ListName`, and an entry in `LISTS`.
`own_reads.compare` compares what the person's apps read of it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2b
from typing import Any, Final

from django.utils import timezone

from schoolproxy.services.exam_rows import exams_of
from schoolproxy.services.missing import missing_of
from schoolproxy.services.submissions import submission_of
from schoolproxy.services.watch.lessons import text_of
from schoolproxy.services.watch.lists import ListName, WatchedRow
from upstream.calls.assignments import fetch_all_assignments, fetch_week_assignments
from upstream.calls.dated import fetch_dated_entities
from upstream.calls.inbox import fetch_inbox
from upstream.calls.news import CURRENT, fetch_articles, fetch_news
from upstream.calls.results import fetch_results
from upstream.records import ProvenSession
from upstream.shared_client import client

Rows = list[dict[str, Any]]
# Rows that are read of one answer; of exams and missing work there can be more.
MAX_ROWS: Final = 300
MAX_SELECTED: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedList:
    """A list that one request gives.

    `fetch` takes the web session, the ISO year and the week; its rows are as the person's apps read
    them, and `read` makes rows of the watch of them. `kind` is the kind of notifications about new
    and changed rows, and the list is asked for where somebody wants that kind or one of
    `other_kinds`. What one look finds in lists of the same `kind` and `topic` is one notification.
    A list without weeks has one `section`. One with a `feature` is not asked for where the school's
    menu does not have that, or where the school refuses it. Of a list that `selects`, `read` leaves
    out rows that are in order, so only an answer without any row says nothing.
    """

    fetch: Callable[[ProvenSession, int, int], Rows]
    read: Callable[[Rows], list[WatchedRow]]
    kind: str
    other_kinds: frozenset[str] = frozenset()
    topic: str = ""
    section: str | None = None
    feature: str | None = None
    selects: bool = False
    for_teachers: bool = False

    def is_wanted(self, kinds: set[str]) -> bool:
        """Whether somebody who wants these kinds of notifications wants this list."""
        return bool(kinds & {self.kind, *self.other_kinds})


# --- News ---


def _fetch_news(web: ProvenSession, _year: int, _week: int) -> Rows:
    """The articles; for a teacher the start page, as nobody has seen their page of articles."""
    items = (
        fetch_news(client(), web=web)
        if web.role == "teacher"
        else fetch_articles(client(), web=web, kind=CURRENT)
    )
    return [{"id": item.id, "title": item.title} for item in items]


def read_news(items: Iterable[dict[str, Any]]) -> list[WatchedRow]:
    """The news by id, or by title where an item has no id."""
    rows: list[WatchedRow] = []
    for item in items:
        title = text_of(item.get("title"))
        if title:
            number = text_of(item.get("id"))
            rows.append(WatchedRow(number or f"title:{_digest(title)}", title))
    return rows[:MAX_ROWS]


# --- Messages of the school's inbox ---


def _fetch_messages(web: ProvenSession, _year: int, _week: int) -> Rows:
    return [
        {
            "id": message.id,
            "subject": message.subject,
            "from": {"name": message.sender},
            "date": message.sent,
        }
        for message in fetch_inbox(client(), web=web, offset=0).messages
    ]


def read_messages(messages: Iterable[dict[str, Any]]) -> list[WatchedRow]:
    """The messages of the inbox by id. Many have no subject."""
    return [
        WatchedRow(
            text_of(message.get("id")),
            text_of(message.get("subject")),
            sender=text_of(message["from"]["name"]),
            sent=message["date"] or "",
        )
        for message in messages
    ][:MAX_ROWS]


# --- Results ---


def _fetch_results(web: ProvenSession, _year: int, _week: int) -> Rows:
    return [
        {"assignmentId": result.assignment_id, "title": result.title, "subject": result.subject}
        for result in fetch_results(client(), web=web)
    ]


def read_results(results: Iterable[dict[str, Any]]) -> list[WatchedRow]:
    """The results by the number of the assignment. They say that there is one, and no more."""
    return [
        WatchedRow(
            text_of(result.get("assignmentId")),
            text_of(result.get("title")) or text_of(result.get("subject")),
        )
        for result in results
    ][:MAX_ROWS]


# --- Assignments of a week ---


def _fetch_assignments(web: ProvenSession, year: int, week: int) -> Rows:
    return fetch_week_assignments(client(), web=web, week=week, year=year)


def read_assignments(assignments: Iterable[dict[str, Any]]) -> list[WatchedRow]:
    """The assignments of a week that have an id and a title.

    A change is another title or time: the rest is prose in the language of the session. The
    assessment is there when the report of the result is published, whatever it says.
    """
    rows: list[WatchedRow] = []
    for assignment in assignments:
        number, title = text_of(assignment.get("id")), text_of(assignment.get("title"))
        if number and title:
            due = assignment.get("sortDate")
            due = due if isinstance(due, str) else ""
            assessed = assignment.get("resultReportStatus") == "PUBLISHED"
            rows.append(WatchedRow(number, title, _digest(title, due), assessed, day=due[:10]))
    return rows[:MAX_ROWS]


# --- Exams and other dated entries ---


def _fetch_exams(web: ProvenSession, _year: int, _week: int) -> Rows:
    return exams_of(fetch_dated_entities(client(), web=web), {})


def read_exams(exams: Iterable[dict[str, Any]]) -> list[WatchedRow]:
    """The exams that have a number and are not over, the next ones first. A change is another day.

    Exams of the same title and time are one, with the number of the first: a look does not know the
    subjects, and an exam of several groups has a number for each of them.
    """
    today = timezone.localdate()
    after_next_week = (today + timedelta(days=14 - today.weekday())).isoformat()
    rows: dict[tuple[str, str, str | None], WatchedRow] = {}
    for exam in exams:
        day, end = exam["start"][:10], (exam["end"] or exam["start"])[:10]
        if exam["id"] and day >= today.isoformat():
            days = day if day == end else f"{day}/{end}"
            title = text_of(exam["title"])
            row = WatchedRow(exam["id"], title, days, day=day, is_near=day < after_next_week)
            rows.setdefault((title, exam["start"], exam["end"]), row)
    return list(rows.values())[:MAX_SELECTED]


# --- What was not handed in ---


def _fetch_missing(web: ProvenSession, _year: int, _week: int) -> Rows:
    """Of all weeks: the list of this one no longer has what was due on the Friday before."""
    rows = fetch_all_assignments(client(), web=web)
    return [row for row in rows if submission_of(row.get("submissionStatus")) != "unknown"]


def _read_missing(rows: Rows) -> list[WatchedRow]:
    """What was not handed in, by the number of the assignment."""
    missing = missing_of(rows, timezone.localdate())
    return [WatchedRow(row["assignmentId"], text_of(row["title"])) for row in missing][
        :MAX_SELECTED
    ]


def _digest(*parts: str) -> str:
    text = "\0".join(parts).encode(errors="replace")
    return blake2b(text, digest_size=12).hexdigest()


# In the order in which they take turns.
LISTS: Final[dict[ListName, WatchedList]] = {
    "news": WatchedList(
        fetch=_fetch_news,
        read=read_news,
        kind="news",
        section="articles",
        feature="news",
        for_teachers=True,
    ),
    "inbox": WatchedList(
        fetch=_fetch_messages, read=read_messages, kind="inbox", section="inbox", feature="inbox"
    ),
    "results": WatchedList(
        fetch=_fetch_results, read=read_results, kind="result", section="results", feature="results"
    ),
    # An assessment of an assignment is a `result`.
    "assignments": WatchedList(
        fetch=_fetch_assignments,
        read=read_assignments,
        kind="assignment",
        other_kinds=frozenset({"result"}),
        for_teachers=True,
    ),
    "exams": WatchedList(
        fetch=_fetch_exams,
        read=read_exams,
        kind="assignment",
        topic="exams",
        section="exams",
        selects=True,
    ),
    "missing": WatchedList(
        fetch=_fetch_missing,
        read=_read_missing,
        kind="assignment",
        topic="missing",
        section="missing",
        selects=True,
    ),
}
