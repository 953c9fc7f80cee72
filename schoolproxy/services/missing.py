"""What should have been handed in during the running half-year, and was not."""

from datetime import date
from typing import Any

from django.utils import timezone

from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.services.submissions import submission_of
from upstream.calls.assignments import fetch_all_assignments
from upstream.calls.json_values import subject_of, text_of, whole_number
from upstream.records import ProvenSession
from upstream.shared_client import client

Row = dict[str, Any]


def missing_read() -> SchoolRead:
    """The missing assignments of all rooms, the latest first, from one call."""
    return SchoolRead("missing", _fetch_missing)


def _fetch_missing(web: ProvenSession) -> Fields:
    rows = fetch_all_assignments(client(), web=web)
    return {"missing": missing_of(rows, timezone.localdate())}


def missing_of(rows: list[Row], today: date) -> list[Row]:
    """The assignments that are missing and due in the half-year of `today`, the latest first, each
    once.

    A row without a number or a date that can be read is left out: nobody could open it, or say to
    which half-year it belongs. What is late is not here: it may have been handed in.
    """
    assignments: dict[int, Row] = {}
    for row in rows:
        number, due = whole_number(row.get("assignmentId")), day_of(row.get("endDate"))
        if number is None or due is None or half_year_of(due) != half_year_of(today):
            continue
        if submission_of(row.get("submissionStatus")) == "missing":
            assignments.setdefault(number, _missing(number, row))
    return sorted(
        assignments.values(), key=lambda row: (row["dueAt"], row["assignmentId"]), reverse=True
    )


def half_year_of(day: date) -> tuple[int, bool]:
    """The ISO year, and whether it is the first half: weeks 1 to 26."""
    year, week, _ = day.isocalendar()
    return year, week <= 26


def day_of(text: object) -> date | None:
    """The day of upstream's `2026-03-17 08:20`; None for anything that does not begin with one."""
    try:
        return date.fromisoformat(text[:10]) if isinstance(text, str) else None
    except ValueError:
        return None


def _missing(number: int, row: Row) -> Row:
    return {
        "assignmentId": str(number),
        "title": text_of(row.get("title")) or "",
        "subject": subject_of(row.get("subjects")),
        "type": text_of(row.get("assignmentType")),
        "dueAt": row["endDate"],
    }
