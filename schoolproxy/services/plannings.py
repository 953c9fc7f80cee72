"""Plannings: what is planned in a week, and a part of a planning with all that belongs to it."""

from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

import orjson

from schoolproxy.cache import CachedAnswer, Question, ask
from schoolproxy.errors import SchoolItemUnknown
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.school_texts import readable
from schoolproxy.services.attachments import file_url, type_of
from schoolproxy.services.downloads import Download, count_download, open_download
from schoolproxy.services.missing import day_of, half_year_of
from schoolproxy.services.shown_lessons import YEARS
from schoolproxy.upstream_html import with_line_breaks
from upstream.calls import plannings
from upstream.calls.assignments import fetch_part_sections
from upstream.calls.files import FileAddress
from upstream.calls.json_values import subjects_of, text_of, whole_number
from upstream.endpoints import MATERIAL_FILE
from upstream.errors import UpstreamError
from upstream.fan_out import gather, value_or_empty, value_or_raise
from upstream.records import ProvenSession
from upstream.shared_client import client

Row = dict[str, Any]
FEATURE: Final = "plannings"
# Rows that are read of one answer.
MAX_ROWS: Final = 2_000
# Field of a part -> the call that fetches it.
_PARTS: Final[dict[str, Callable[..., list[Row]]]] = {
    "sections": fetch_part_sections,
    "assignments": plannings.fetch_part_assignments,
    "files": plannings.fetch_part_files,
    "links": plannings.fetch_part_links,
}
_CALLS: Final[tuple[Callable[..., Any], ...]] = (plannings.fetch_part, *_PARTS.values())


def plannings_read() -> SchoolRead:
    """The parts of all plannings, whatever the dates, from one call; `in_week` selects from it.

    Upstream's own list of a week has long plannings only in the week in which they begin.
    """

    def fetch(web: ProvenSession) -> Fields:
        return {"plannings": plannings_of(plannings.fetch_all_plannings(client(), web=web))}

    return SchoolRead("plannings", fetch, for_teachers=False, feature=FEATURE)


def in_week(fields: Fields, *, week: int, year: int) -> Fields:
    """The answer with only the parts that overlap an ISO week of a year that has it."""
    monday = date.fromisocalendar(year, week, 1)
    sunday = monday + timedelta(days=6)
    rows = [row for row in fields["plannings"] if is_planned(row, monday, sunday)]
    return fields | {"week": week, "year": year, "plannings": rows}


def is_planned(row: Row, first: date, last: date) -> bool:
    """Whether a part takes place on one of these days, both inclusive."""
    begins = day_of(row["startDate"])
    if begins is None:
        return False
    return begins <= last and last_day(begins, row["endDate"]) >= first


def last_day(begins: date, end: object) -> date:
    """The last day of a part, whose first one is in `YEARS`. Without an end, or with one outside,
    it lasts until the end of the half-year in which it begins, and not for ever."""
    ends = day_of(end)
    if ends is not None and ends.year in YEARS:
        return max(begins, ends)
    year, is_first_half = half_year_of(begins)
    next_half = date.fromisocalendar(*((year, 27, 1) if is_first_half else (year + 1, 1, 1)))
    return next_half - timedelta(days=1)


def plannings_of(rows: list[Row]) -> list[Row]:
    """The parts in upstream's rows, by their first day. Without a number or a first day in `YEARS`
    a part is left out: nobody could open it, or say when it is."""
    parts: dict[int, Row] = {}
    for row in rows[:MAX_ROWS]:
        number, begins = whole_number(row.get("planningPartId")), day_of(row.get("startDate"))
        if number is not None and begins is not None and begins.year in YEARS:
            parts.setdefault(number, _listed(number, row))
    return sorted(parts.values(), key=lambda part: (part["startDate"], part["partTitle"]))


def _listed(number: int, row: Row) -> Row:
    read = row.get("read")
    return {
        "id": str(number),
        "planningId": _id(row.get("planningId")),
        "title": text_of(row.get("planningTitle")) or "",
        "partTitle": text_of(row.get("planningPartTitle")) or "",
        "subjects": subjects_of(row.get("subjects")),
        "teacher": text_of(row.get("teacher")),
        "startDate": row["startDate"],
        "endDate": text_of(row.get("endDate")),
        "unread": None if not isinstance(read, bool) else not read,
    }


def planning_part_read(part: int) -> SchoolRead:
    """A part with all that belongs to it: its view must be there; any other call that fails leaves
    its field empty and is named in `incomplete`. One that upstream has not, or refuses, is empty.
    """
    fetch = partial(_fetch_part, part=part)
    return SchoolRead(f"planning-part-{part}", fetch, for_teachers=False, feature=FEATURE)


def _fetch_part(web: ProvenSession, *, part: int) -> Fields:
    calls: list[Callable[[], Any]] = [
        partial(fetch, client(), web=web, part=part) for fetch in _CALLS
    ]
    calls.append(partial(plannings.fetch_all_plannings, client(), web=web))
    view, *answers, grid = gather(client(), web.school, calls)
    fields: Row = value_or_raise(view)
    rows: dict[str, list[Row]] = {}
    incomplete = []
    for name, result in zip((*_PARTS, "planningId"), (*answers, grid), strict=True):
        rows[name] = [] if isinstance(result, UpstreamError) else result
        try:
            value_or_empty(result, [])
        except UpstreamError:
            incomplete.append(name)
    html, _plain = readable(
        with_line_breaks(text_of(fields.get("description")) or ""), school=web.school
    )
    planning = {
        "id": str(part),
        "planningId": _planning_of(part, rows["planningId"]),
        "title": text_of(fields.get("title")) or "",
        "subTitle": text_of(fields.get("subtitle")) or text_of(fields.get("subTitle")),
        "html": html,
        "publishDate": text_of(fields.get("publishDate")),
        "sections": rows["sections"],
        "assignments": [one for row in rows["assignments"] if (one := _assignment(row))],
        "files": [file for row in rows["files"] if (file := _file(row))],
        "links": [link for row in rows["links"] if (link := _link(row))],
    }
    return {"planning": planning, "incomplete": incomplete}


def one_planning(question: Question, part: int) -> CachedAnswer:
    """The part of this number, with our addresses of its files.

    Raises: as `answer_through_cache`: UpstreamNotFound where the caller may not see it.
    """

    def with_urls(fields: Fields) -> Fields:
        for file in fields["planning"]["files"]:
            path = f"/api/plannings/{part}/attachments/{file['id']}"
            file["url"] = file_url(path, fields, question.choice)
        return fields

    return ask(question, planning_part_read(part)).changed(with_urls)


def planning_file(question: Question, part: int, file_id: int) -> Download:
    """A file of a part. Raises: TooManyRequests, SchoolItemUnknown, and as `answer_through_cache`
    and `open_download`."""
    count_download(question.caller)
    fields: Fields = orjson.loads(ask(question, planning_part_read(part)).body)
    names = {file["id"]: file["name"] for file in fields["planning"]["files"]}
    if str(file_id) not in names:
        raise SchoolItemUnknown
    numbers = {"section": part, "file": file_id}
    address = FileAddress(MATERIAL_FILE, numbers=numbers, name=names[str(file_id)])
    return open_download(question, address)


def _planning_of(part: int, grid: list[Row]) -> str | None:
    rows = (row for row in grid if whole_number(row.get("planningPartId")) == part)
    return next((_id(row.get("planningId")) for row in rows), None)


def _assignment(row: Row) -> Row | None:
    number = _id(row.get("id"))
    return None if number is None else {"id": number, "title": text_of(row.get("title")) or ""}


def _file(row: Row) -> Row | None:
    number = _id(row.get("fileId")) or _id(row.get("id"))
    name = text_of(row.get("fileName")) or text_of(row.get("displayName"))
    if number is None or name is None:
        return None
    return {"id": number, "name": name, "type": type_of(name), "sizeText": None}


def _link(row: Row) -> Row | None:
    """None for an address that a browser must not open."""
    url = text_of(row.get("url")) or ""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    return {
        "title": text_of(row.get("displayName")) or text_of(row.get("title")) or url,
        "url": url,
    }


def _id(value: object) -> str | None:
    number = whole_number(value)
    return None if number is None else str(number)
