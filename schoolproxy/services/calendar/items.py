"""One list of everything that has a date: lessons, events, exams and plannings."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from functools import partial
from typing import Any, Final

from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.services.calendar.history import Week, weeks_read
from schoolproxy.services.exam_rows import by_id, exams_of, overlaps
from schoolproxy.services.missing import day_of
from schoolproxy.services.plannings import last_day, plannings_of
from schoolproxy.services.shown_lessons import MAX_TITLE, plain, shown_lesson
from upstream.calls.dated import fetch_dated_entities, fetch_events
from upstream.calls.json_values import whole_number
from upstream.calls.lessons import fetch_lessons
from upstream.calls.plannings import fetch_all_plannings
from upstream.calls.subjects import fetch_rooms
from upstream.errors import SessionDead, UpstreamError, UpstreamInvalid
from upstream.fan_out import REFUSED, gather, value_or_empty, value_or_raise
from upstream.records import ProvenSession
from upstream.shared_client import client

Row = dict[str, Any]
Calls = list[Callable[[], list[Row]]]
SOURCES: Final = ("lessons", "events", "exams", "plannings")
MAX_ITEMS: Final = 5_000


class Days:
    """The days of a calendar, both inclusive."""

    def __init__(self, first: date, last: date) -> None:
        self.first, self.last = first, last

    @property
    def weeks(self) -> list[Week]:
        monday = self.first - timedelta(days=self.first.weekday())
        number = (self.last - monday).days // 7 + 1
        return [(monday + timedelta(weeks=n)).isocalendar()[:2] for n in range(number)]


def items_read(*, first: date, last: date, include: Iterable[str]) -> SchoolRead:
    """Everything of these sources on these days, by time, fetched at once.

    A source that fails, or of which something is missing, is named in `incomplete`; when there is
    nothing of any, that is an error. The lessons of a week are missing, too, where upstream answers
    for the week of another year.
    """
    sources = [source for source in SOURCES if source in include]

    def fetch(web: ProvenSession) -> Fields:
        items, incomplete = _fetch(web, Days(first, last), sources)
        return {"from": str(first), "to": str(last), "items": items, "incomplete": incomplete}

    return SchoolRead(f"items-{first}-{last}-{'-'.join(sources)}", fetch, for_teachers=False)


def _fetch(web: ProvenSession, days: Days, sources: list[str]) -> tuple[list[Row], list[str]]:
    calls = {source: _calls(source, web, days) for source in sources}
    results = iter(
        gather(
            client(), web.school, [call for source_calls in calls.values() for call in source_calls]
        )
    )
    items: list[Row] = []
    incomplete: list[str] = []
    failures: list[UpstreamError] = []
    for source, own in calls.items():
        answers = [next(results) for _ in own]
        try:
            items += _READERS[source](answers)
        except UpstreamError as error:
            failures.append(error)
            incomplete.append(source)
            continue
        if _is_incomplete(source, answers, days):
            incomplete.append(source)
    shown = arranged(items, days)
    if failures and not shown and len(incomplete) == len(sources):
        raise failures[0]
    return shown, incomplete


def _is_incomplete(source: str, answers: list[Any], days: Days) -> bool:
    if source == "lessons":
        return _lacks_lessons(answers, days)
    return any(
        isinstance(answer, UpstreamError) and not isinstance(answer, REFUSED) for answer in answers
    )


def fetch_source(web: ProvenSession, source: str, days: Days) -> list[Row] | UpstreamError:
    """All items of one source, but lessons, on these days, or why they are not known.

    An error also where upstream refuses the source, so that a calendar does not lose what it has,
    and for exams without their subjects, which would be other exams.
    """
    try:
        answers = gather(client(), web.school, _calls(source, web, days))
        return arranged(_all_of(source, answers), days)
    except SessionDead:
        raise
    except UpstreamError as error:
        return error


def _all_of(source: str, answers: list[Any]) -> list[Row]:
    """The items in these answers. Raises: what stands in place of the source, or of its subjects
    (UpstreamInvalid where upstream refuses only these)."""
    first, *others = answers
    value_or_raise(first)
    for other in others:
        if value_or_empty(other, None) is None:
            raise UpstreamInvalid("exams without their subjects")
    return _READERS[source](answers)


def _calls(source: str, web: ProvenSession, days: Days) -> Calls:
    if source == "lessons":
        weeks = [week for _year, week in days.weeks]
        return [partial(fetch_lessons, client(), web=web, week=week) for week in weeks]
    if source == "events":
        return [partial(fetch_events, client(), web=web, first=days.first, last=days.last)]
    if source == "exams":
        return [partial(fetch, client(), web=web) for fetch in (fetch_dated_entities, fetch_rooms)]
    return [partial(fetch_all_plannings, client(), web=web)]


def arranged(items: Iterable[Row], days: Days) -> list[Row]:
    """The items on these days, by time, each once."""
    once = {tuple(item.values()): item for item in items}
    shown = [
        item
        for item in once.values()
        if item["start"] and overlaps(item["start"], item["end"], days.first, days.last)
    ]
    return sorted(shown, key=_order)[:MAX_ITEMS]


def _order(item: Row) -> tuple[str, str, str, str]:
    return item["start"], item["end"] or "", item["kind"], item["title"]


# --- From the answers about a source to its items ---


def _lessons(answers: list[Any]) -> list[Row]:
    """Those of the weeks that could be read. Raises: the first failure if none could."""
    weeks = [rows for rows in answers if not isinstance(rows, UpstreamError)]
    if answers and not weeks:
        value_or_raise(answers[0])
    return [lesson_item(row) for rows in weeks for row in rows]


def _lacks_lessons(answers: list[Any], days: Days) -> bool:
    pairs = zip(days.weeks, answers, strict=True)
    read = [(week, rows) for week, rows in pairs if not isinstance(rows, UpstreamError)]
    known = weeks_read([week for week, _ in read], [rows for _, rows in read])
    return len(known) < len(answers)


def lesson_item(row: Row) -> Row:
    shown = shown_lesson(row)
    details = {"room": shown["room"] or None, "teacher": shown["teacher"] or None}
    subject = None if shown["isBreak"] else shown["title"]
    return _item("lesson", row.get("eventId"), shown, shown["title"], subject=subject, **details)


def _events(answers: list[Any]) -> list[Row]:
    return [event_item(row) for row in value_or_empty(answers[0], [])]


def event_item(row: Row) -> Row:
    """An event of the school, whose description is prose."""
    title = plain(row.get("name")) or plain(row.get("description"))[:MAX_TITLE] or "?"
    return _item("event", row.get("eventId"), shown_lesson(row), title)


def _exams(answers: list[Any]) -> list[Row]:
    rows, rooms = answers
    known = {} if isinstance(rooms, UpstreamError) else by_id(rooms)
    return [exam_item(exam) for exam in exams_of(value_or_empty(rows, []), known)]


def exam_item(exam: Row) -> Row:
    """An exam or its like, of `exams_of`."""
    times = {"startDate": exam["start"], "endDate": exam["end"], "allDay": exam["allDay"]}
    title = plain(exam["title"]) or exam["subject"] or "?"
    return _item(exam["kind"], exam["id"], shown_lesson(times), title, subject=exam["subject"])


def _plannings(answers: list[Any]) -> list[Row]:
    return [planning_item(row) for row in plannings_of(value_or_empty(answers[0], []))]


def planning_item(row: Row) -> Row:
    """A part of a planning, of `plannings_of`: whole days."""
    begins = day_of(row["startDate"]) or date.min
    times = {"startDate": str(begins), "endDate": str(last_day(begins, row["endDate"]))}
    title = plain(row["partTitle"]) or plain(row["title"]) or "?"
    subject = ", ".join(row["subjects"]) or None
    shown = shown_lesson(times)
    return _item("planning", row["id"], shown, title, subject=subject, teacher=row["teacher"])


_READERS: Final[dict[str, Callable[[list[Any]], list[Row]]]] = {
    "lessons": _lessons,
    "events": _events,
    "exams": _exams,
    "plannings": _plannings,
}


def _item(
    kind: str,
    number: object,
    shown: Row,
    title: str,
    *,
    subject: str | None = None,
    room: str | None = None,
    teacher: str | None = None,
) -> Row:
    whole = whole_number(number)
    first, last = ("firstDay", "lastDay") if shown["allDay"] else ("start", "end")
    return {
        "kind": kind,
        "id": None if whole is None else str(whole),
        "title": title,
        "start": shown[first],
        "end": shown[last],
        "allDay": shown["allDay"],
        "room": room,
        "teacher": teacher,
        "subject": subject,
        "status": "cancelled" if shown["cancelled"] else "normal",
    }
