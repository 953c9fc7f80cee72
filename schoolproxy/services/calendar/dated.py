"""What a feed shows beside lessons and countdowns: exams, the school's events, plannings.

They are kept and compared as lessons are. Upstream's number is theirs for good, so one that moves
to another day stays the same entry.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from schoolproxy.limits import MOST_DAYS
from schoolproxy.services.calendar.history import (
    KnownLesson,
    follow,
    from_values,
    has_ahead,
    to_values,
)
from schoolproxy.services.calendar.items import Days, fetch_source
from schoolproxy.services.schedule import Lesson
from upstream.errors import UpstreamError
from upstream.fan_out import REFUSED
from upstream.records import ProvenSession

SOURCES: Final = ("exams", "events", "plannings")
# What upstream gave for each source, or why not.
Answers = Mapping[str, "list[Lesson] | UpstreamError"]


@dataclass(frozen=True, slots=True)
class DatedEntries:
    """The entries of a source, and whether upstream failed when it was last asked for them."""

    rows: list[KnownLesson]
    failed: bool = False


def fetch_dated(web: ProvenSession, include: Iterable[str], today: date) -> Answers:
    """What is dated from this week's Monday on, for each of `SOURCES` in `include`."""
    monday = today - timedelta(days=today.weekday())
    days = Days(monday, monday + timedelta(days=MOST_DAYS - 1))
    return {source: _fetch(web, source, days) for source in SOURCES if source in include}


def _fetch(web: ProvenSession, source: str, days: Days) -> "list[Lesson] | UpstreamError":
    items = fetch_source(web, source, days)
    return items if isinstance(items, UpstreamError) else [as_lesson(item) for item in items]


def as_lesson(item: Mapping[str, Any]) -> Lesson:
    """An item of the calendar with the names that lessons have."""
    title, subject = item["title"], item["subject"]
    is_named = not subject or subject.casefold() in title.casefold()
    number = item["id"] or f"{title}\0{subject}"
    cancelled = {"cancelled": True} if item["status"] == "cancelled" else {}
    return {
        "eventId": f"{item['kind']}:{number}",
        "dated": item["id"] is not None,
        "name": title if is_named else f"{title} – {subject}",
        "startDate": item["start"],
        "endDate": item["end"],
        "allDay": item["allDay"],
        "teacher": item["teacher"],
        **cancelled,
    }


def follow_dated(
    before: Mapping[str, DatedEntries], answers: Answers, *, owner: str, at: datetime | None
) -> dict[str, DatedEntries]:
    """The entries of each source that was asked for. One that failed stays as it was; what is gone
    from an answer is cancelled until its day is over. A school may have no such source, and says so
    by a refusal; where there is something ahead, a refusal is a failure."""
    entries = {}
    for source, answer in answers.items():
        known = before.get(source, DatedEntries([])).rows
        refused = isinstance(answer, REFUSED) and not has_ahead(known, at)
        if isinstance(answer, UpstreamError) and not refused:
            entries[source] = DatedEntries(known, failed=True)
            continue
        lessons = [] if isinstance(answer, UpstreamError) else answer
        read = {row.entry.start.isocalendar()[:2]: 0 for row in known}
        rows = follow(known, lessons, owner=f"{owner}:{source}", read=read, at=at)
        entries[source] = DatedEntries(rows)
    return entries


def dated_to_values(entries: Mapping[str, DatedEntries]) -> dict[str, Any]:
    """For JSON; `dated_from_values` reads them."""
    return {source: [entry.failed, to_values(entry.rows)] for source, entry in entries.items()}


def dated_from_values(values: Mapping[str, Any], include: Sequence[str]) -> dict[str, DatedEntries]:
    """Those of the sources that are included."""
    return {
        source: DatedEntries(from_values(rows), failed)
        for source, (failed, rows) in values.items()
        if source in include
    }
