"""GET /api/calendar: everything that has a date, in one list."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
import time_machine

from schoolproxy.services.calendar.items import (
    Days,
    arranged,
    event_item,
    exam_item,
    lesson_item,
    planning_item,
)
from schoolproxy.services.exam_rows import exams_of
from schoolproxy.services.plannings import plannings_of
from tests.conftest import Caller, signed_in
from tests.schoolproxy.family import ALVA, BO, GUARDIAN, NAMES, starts_of
from tests.schoolproxy.watching import edit
from upstream.simulator.server import Simulator

PATH = "/api/calendar"
MARCH = f"{PATH}?from=2026-03-09&to=2026-03-22"
ALL = f"{MARCH}&include=lessons,events,exams,plannings"
NOW = datetime(2026, 3, 9, 12, tzinfo=UTC)
LESSON: dict[str, Any] = {
    "eventId": 4410271,
    "name": "Ma",
    "description": "Matematik",
    "startDate": "2026-03-09T08:20",
    "endDate": "2026-03-09T09:25",
    "room": "B204 ",
    "teacher": "Torbjörn Ekvik,Åsa Lindroos",
    "status": 2,
}
WEEK = Days(date(2026, 3, 9), date(2026, 3, 15))


def calendar(caller: Caller, path: str = MARCH) -> dict[str, Any]:
    answer = caller.get(path)
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def kinds(body: dict[str, Any]) -> set[str]:
    return {item["kind"] for item in body["items"]}


def test_one_list_has_everything_by_time(simulator: Simulator, db: None) -> None:
    with time_machine.travel(NOW, tick=False):
        elsa = signed_in()
        body = calendar(elsa)
        assert (body["from"], body["to"], body["incomplete"]) == ("2026-03-09", "2026-03-22", [])
        assert kinds(body) == {"lesson", "event", "exam", "homework", "other"}
        assert kinds(calendar(elsa, ALL)) == kinds(body) | {"planning"}
        assert kinds(calendar(elsa, f"{MARCH}&include=exams")) == {"exam", "homework", "other"}
        starts = [item["start"] for item in body["items"]]
        assert starts == sorted(starts)
        assert all("T" in item["start"] or item["allDay"] for item in body["items"])
        assert len({tuple(item.values()) for item in body["items"]}) == len(body["items"])
        events = [item for item in body["items"] if item["kind"] == "event"]
        assert [(item["title"], item["start"], item["end"]) for item in events] == [
            ("Studiedag", "2026-03-11", "2026-03-11"),
            ("Lägerskola", "2026-03-19", "2026-03-20"),
        ]


def test_a_cancelled_lesson_says_so(simulator: Simulator, db: None) -> None:
    with time_machine.travel(NOW, tick=False):
        elsa = signed_in()
        edit(simulator, "status", date(2026, 3, 10), value="3")
        gone = [item for item in calendar(elsa)["items"] if item["status"] == "cancelled"]
    assert [(item["kind"], item["start"]) for item in gone] == [("lesson", "2026-03-10T08:20")]


def test_a_lesson_in_plain_words() -> None:
    assert lesson_item(LESSON) == {
        "kind": "lesson",
        "id": "4410271",
        "title": "Matematik",
        "start": "2026-03-09T08:20",
        "end": "2026-03-09T09:25",
        "allDay": False,
        "room": "B204",
        "teacher": "Torbjörn Ekvik, Åsa Lindroos",
        "subject": "Matematik",
        "status": "normal",
    }
    assert lesson_item(LESSON | {"status": "3", "eventId": -1}) == lesson_item(LESSON) | {
        "id": None,
        "status": "cancelled",
    }
    assert lesson_item(LESSON | {"status": -1})["subject"] is None


@pytest.mark.parametrize(
    ("row", "days"),
    [
        ({"startDate": "2026-03-11", "endDate": "2026-03-12"}, ("2026-03-11", "2026-03-12")),
        ({"startDate": "2026-03-11T00:00", "endDate": "2026-03-12T00:00", "allDay": True},
         ("2026-03-11", "2026-03-11")),
        ({"startDate": "2026-03-11", "endDate": None}, ("2026-03-11", "2026-03-11")),
        ({"startDate": "2026-03-29T02:30", "endDate": "2026-03-29T03:30"},
         ("2026-03-29T02:30", "2026-03-29T03:30")),  # that night has no such hour
    ],
)  # fmt: skip
def test_the_days_of_an_event(row: dict[str, Any], days: tuple[str, str | None]) -> None:
    item = event_item({"eventId": 7, "name": None, "description": "<p>Lov&nbsp;nu</p>"} | row)
    assert (item["start"], item["end"]) == days
    assert item["title"] == "Lov nu"


def test_exams_and_plannings_have_the_same_form() -> None:
    row = {"entityId": 5, "category": "test", "name": " <b>Prov</b> ", "startDate": "2026-03-09"}
    (exam,) = exams_of([row], {})
    item = exam_item(exam)
    assert (item["kind"], item["id"], item["title"]) == ("exam", "5", "Prov")
    assert (item["start"], item["end"], item["allDay"]) == ("2026-03-09", "2026-03-09", True)
    open_end = {"planningPartId": 8, "startDate": "2026-03-09 00:00", "endDate": ""}
    for end in ("", "9999-12-31", "0001-01-01 00:00"):
        item = planning_item(plannings_of([open_end | {"endDate": end}])[0])
        assert (item["id"], item["title"], item["status"]) == ("8", "?", "normal")
        assert (item["start"], item["end"], item["allDay"]) == ("2026-03-09", "2026-06-28", True)


def test_only_what_is_on_these_days_and_each_once() -> None:
    rows = [LESSON, dict(LESSON), LESSON | {"studentLessonStatus": {"status": 2}}]
    rows += [
        LESSON | {"startDate": day, "endDate": None}
        for day in ("2026-03-08T08:20", "2026-03-16T08:20", "x")
    ]
    assert arranged(map(lesson_item, rows), WEEK) == [lesson_item(LESSON)]


@pytest.mark.parametrize(
    ("first", "last", "weeks"),
    [
        ("2026-03-09", "2026-03-15", [(2026, 11)]),
        ("2026-03-15", "2026-03-16", [(2026, 11), (2026, 12)]),
        ("2026-12-31", "2027-01-04", [(2026, 53), (2027, 1)]),
    ],
)
def test_the_weeks_of_days(first: str, last: str, weeks: list[Any]) -> None:
    assert Days(date.fromisoformat(first), date.fromisoformat(last)).weeks == weeks


@pytest.mark.parametrize(
    ("operation", "fault", "missing"),
    [
        ("lessons", "500", ["lessons"]),
        ("lessons", "404", ["lessons"]),
        ("events", "500", ["events"]),
        ("events", "not-json", ["events"]),
        ("events", "404", []),
        ("dated", "500", ["exams"]),
        ("dated", "403", []),
        ("subjects", "500", ["exams"]),
        ("subjects", "403", []),
        ("subjects.plannings", "not-json", ["plannings"]),
    ],
)
def test_a_source_that_fails_is_named_and_the_rest_is_shown(
    elsa: Caller, simulator: Simulator, operation: str, fault: str, missing: list[str]
) -> None:
    simulator.faults.set(operation, fault)
    body = calendar(elsa, f"{PATH}?include=lessons,events,exams,plannings")
    assert body["incomplete"] == missing
    assert body["items"]


def test_one_week_that_fails_is_named_and_the_others_are_shown(
    elsa: Caller, simulator: Simulator
) -> None:
    simulator.faults.set("lessons", "500", times=1)
    simulator.faults.set("dated", "500")
    body = calendar(elsa, f"{PATH}?include=lessons,exams")
    assert (body["incomplete"], kinds(body)) == (["lessons", "exams"], {"lesson"})


def test_the_weeks_of_another_year_are_not_shown_as_these(simulator: Simulator, db: None) -> None:
    with time_machine.travel(NOW, tick=False):
        elsa, path = signed_in(), f"{PATH}?from=2028-03-06&to=2028-03-12&include=lessons"
        body = calendar(elsa, f"{path},events")
        simulator.faults.set("dated", "500")
        assert elsa.get(f"{path},exams").status_code == 503
    assert body["incomplete"] == ["lessons"]
    assert kinds(body) == {"event"}


@pytest.mark.parametrize(("fault", "outcome"), [("500", 503), ("not-json", 502), ("403", 403)])
def test_when_all_fail_that_is_an_error(
    elsa: Caller, simulator: Simulator, fault: str, outcome: int
) -> None:
    simulator.faults.set("lessons", fault)
    simulator.faults.set("dated", "500" if fault == "403" else fault)
    assert elsa.get(f"{PATH}?include=lessons,exams").status_code == outcome


@pytest.mark.parametrize("form", ["wrapped", "none"])
@pytest.mark.parametrize("ends", ["inclusive", "exclusive"])
def test_events_in_each_form(elsa: Caller, simulator: Simulator, form: str, ends: str) -> None:
    simulator.state.settings.set("events", form)
    simulator.state.settings.set("event_ends", ends)
    items = calendar(elsa, f"{PATH}?include=events")["items"]
    assert bool(items) is (form == "wrapped")


@pytest.mark.parametrize(
    "query", ["include=", "include=lessons,,exams", "include=countdowns", "include=Lessons",
              "from=2026-03-10&to=2026-05-11", "from=x"]
)  # fmt: skip
def test_another_query_is_400(elsa: Caller, query: str) -> None:
    answer = elsa.get(f"{PATH}?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")


def test_teachers_have_none(simulator: Simulator, db: None) -> None:
    torbjorn = signed_in("torbjörn.ekvik")
    assert torbjorn.get("/api/session").status_code == 200
    simulator.requests.clear()
    assert torbjorn.get(PATH).json()["code"] == "not_for_this_role"
    assert len(simulator.requests) == 0


def test_a_guardian_reads_one_child_at_a_time(simulator: Simulator, db: None) -> None:
    with time_machine.travel(NOW, tick=False):
        eva = signed_in(GUARDIAN)
        for child in (BO, ALVA, BO):
            body = calendar(eva, f"{PATH}?from=2026-03-09&to=2026-03-13&child={child}")
            assert body["child"] == {"id": child, "name": NAMES[child]}
            lessons = [item for item in body["items"] if item["kind"] == "lesson"]
            shown = {item["id"] for item in lessons} - {None}
            assert shown
            assert shown <= {str(number) for number in starts_of(simulator, child)}
        assert eva.get(PATH).json()["code"] == "child_required"
