"""Exams, homework and whatever else has a date in a subject room, but plannings."""

from datetime import date
from functools import partial

from accounts.callers import Caller
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.services.exam_rows import by_id, exams_of, overlaps
from schoolproxy.services.watch import own_reads
from upstream.calls.dated import fetch_dated_entities
from upstream.calls.subjects import fetch_rooms
from upstream.errors import UpstreamError
from upstream.fan_out import gather, value_or_raise
from upstream.records import ChosenChild, ProvenSession
from upstream.shared_client import client


def exams_read() -> SchoolRead:
    """All that upstream has, whatever the dates; `between` selects from it. Two calls at once: the
    second one knows the subjects and groups. Where only that fails, `incomplete` says so."""

    def after_fetch(caller: Caller, child: ChosenChild | None, fields: Fields) -> None:
        own_reads.compare(caller, child, "exams", fields["exams"])

    return SchoolRead("exams", fetch_exams, after_fetch=after_fetch, for_teachers=False)


def fetch_exams(web: ProvenSession) -> Fields:
    """Raises: as `UpstreamClient.fetch_json` for the first call."""
    calls = [partial(fetch, client(), web=web) for fetch in (fetch_dated_entities, fetch_rooms)]
    rows, rooms = gather(client(), web.school, calls)
    failed = isinstance(rooms, UpstreamError)
    exams = exams_of(value_or_raise(rows), {} if isinstance(rooms, UpstreamError) else by_id(rooms))
    return {"exams": exams, "incomplete": ["subjects"] if failed else []}


def exam_end(web: ProvenSession, number: int) -> str | None:
    """When the exam of this number ends; None if the person has no such exam.

    Raises: as `UpstreamClient.fetch_json`.
    """
    exams = exams_of(fetch_dated_entities(client(), web=web), {})
    ends = (exam["end"] or exam["start"] for exam in exams if exam["id"] == str(number))
    return next(ends, None)


def between(fields: Fields, *, first: date, last: date) -> Fields:
    """The answer with only the exams that take place on one of these days."""
    exams = [exam for exam in fields["exams"] if overlaps(exam["start"], exam["end"], first, last)]
    return fields | {"exams": exams}
