"""GET /api/exams: exams and homework between two days, each once."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
import time_machine

from schoolproxy.services.exam_rows import Room, exams_of, kind_of
from schoolproxy.services.exams import between
from tests.conftest import Caller, signed_in
from tests.schoolproxy.family import ALVA, BO, NAMES
from upstream.simulator.assignments.data import of_room
from upstream.simulator.classes import class_of
from upstream.simulator.server import Simulator

PATH = "/api/exams"
NOW = datetime(2026, 3, 11, 12, tzinfo=UTC)
ROW: dict[str, Any] = {
    "id": "442",
    "entityId": 88121,
    "activityId": 1204,
    "category": "test",
    "typeName": "Prov",
    "name": "Prov kap 4",
    "startDate": "2026-03-17 08:20",
    "endDate": "2026-03-17 09:40",
    "allDay": False,
}
ROOMS = {
    1204: Room("Matematik", ("8C",)),
    1305: Room("Matematik", ("8C/MA-2",)),
    1400: Room("Fysik", ()),
}


def exams(caller: Caller, path: str = PATH) -> list[dict[str, Any]]:
    answer = caller.get(path)
    assert answer.status_code == 200, answer.content
    rows: list[dict[str, Any]] = answer.json()["exams"]
    return rows


def simulated(simulator: Simulator, username: str, first: date, last: date) -> set[str]:
    """The ids of a pupil's assignments that are due, or run, on these days."""
    person, today = simulator.state.person("bjorkdalen", username), simulator.state.clock.today()
    own = class_of(person, simulator.state)
    rows = [r for i in range(10) for r in of_room(own, i, today, whole_year=True)]
    begins = {row.id: (row.start if row.index == 1 else row.due).date() for row in rows}
    return {str(row.id) for row in rows if begins[row.id] <= last and row.due.date() >= first}


def test_the_same_exam_of_two_groups_is_there_once_and_plannings_are_not(
    simulator: Simulator, db: None
) -> None:
    with time_machine.travel(NOW, tick=False):
        elsa = signed_in()
        assert elsa.get("/api/session").status_code == 200
        simulator.requests.clear()
        rows = exams(elsa)
        assert len(simulator.requests) == 2  # all rooms at once, and their names
        expected = simulated(simulator, "elsa.nordvall", date(2026, 3, 11), date(2026, 4, 7))
        assert {row["id"] for row in rows} == expected
        assert len(rows) == len(expected) > 3
        assert [row["start"] for row in rows] == sorted(row["start"] for row in rows)
        assert {row["kind"] for row in rows} == {"exam", "homework", "other"}
        assert {row["allDay"] for row in rows if row["kind"] == "homework"} == {True}
        assert all(row["subject"] and row["title"] for row in rows)
        assert exams(elsa, f"{PATH}?from=2026-03-17&to=2026-03-17") == [
            row for row in rows if row["start"] < "2026-03-18" and row["end"] >= "2026-03-17"
        ]
        assert len(simulator.requests) == 2  # other days cost nothing


@pytest.mark.parametrize(
    ("change", "count"),
    [
        ({"activityId": 1305, "id": "442-2"}, 1),
        ({"activityId": 1305, "entityId": 88122}, 1),
        ({"activityId": 9, "id": "442-2"}, 1),
        ({"activityId": 1400, "entityId": 88122}, 2),  # another subject has the same title
        ({"name": "Prov kap 5", "entityId": 88122}, 2),
        ({"startDate": "2026-03-17 08:30"}, 2),
        ({"endDate": "2026-03-18 09:40", "entityId": 88122}, 2),
        ({"category": "planning"}, 1),
    ],
)
def test_what_is_the_same_exam(change: dict[str, Any], count: int) -> None:
    found = exams_of([ROW, ROW | change], ROOMS)
    assert len(found) == count
    assert found[0]["id"] == "88121"
    if change.get("activityId") == 1305:
        assert (found[0]["subject"], found[0]["groups"]) == ("Matematik", ["8C", "8C/MA-2"])


def test_without_their_subjects_exams_are_told_apart_by_their_numbers() -> None:
    other = ROW | {"activityId": 1400, "entityId": 88122}
    assert [exam["id"] for exam in exams_of([ROW, other, other], {})] == ["88121", "88122"]
    assert len(exams_of([ROW | {"entityId": None}, other | {"entityId": -1}], {})) == 1


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({"entityId": -1}, {"id": None}),
        ({"entityId": "88121"}, {"id": "88121"}),
        ({"entityId": None, "name": None}, {"id": None, "title": ""}),
        ({"activityId": -1}, {"subject": None, "groups": []}),
        ({"startDate": "2026-03-17"}, {"allDay": True, "start": "2026-03-17"}),
        ({"allDay": True}, {"allDay": True}),
        ({"allDay": "yes"}, {"allDay": False}),
        ({"startDate": None}, {"start": "2026-03-17 09:40", "end": None}),
        ({"endDate": "snart"}, {"end": None}),
        ({"endDate": 5}, {"end": None}),
    ],
)
def test_odd_values_do_no_harm(change: dict[str, Any], shown: dict[str, Any]) -> None:
    (exam,) = exams_of([ROW | change], ROOMS)
    assert shown.items() <= exam.items()


def test_a_row_without_a_date_is_left_out() -> None:
    assert exams_of([ROW | {"startDate": "soon", "endDate": 1_773_732_000_000}], {}) == []


@pytest.mark.parametrize(
    ("category", "type_name", "kind"),
    [
        ("test", "Prov", "exam"), ("homework", "Glosor", "homework"), ("planning", "", None),
        (None, "Planering", None), (None, "Muntligt prov", "exam"), ("task", "Hemläxa", "homework"),
        (None, "Inlämningsuppgift", "other"), (None, None, "other"), (7, [], "other"),
        ("assignment", "Omprov", "exam"), (None, "Improvisation", "other"),
    ],
)  # fmt: skip
def test_a_kind_is_the_category_or_the_word_of_the_school(
    category: object, type_name: object, kind: str | None
) -> None:
    assert kind_of(category, type_name) == kind


@pytest.mark.parametrize(
    ("start", "end", "first", "last", "shown"),
    [
        ("2026-03-17 08:20", None, "2026-03-17", "2026-03-17", True),
        ("2026-03-17 08:20", None, "2026-03-18", "2026-03-20", False),
        ("2026-03-02", "2026-03-20", "2026-03-10", "2026-03-10", True),
        ("2026-03-02", "2026-03-20", "2026-03-20", "2026-03-25", True),
        ("2026-03-02", "2020-01-01", "2026-03-01", "2026-03-02", True),  # an end before the start
        ("2026-12-28T10:00", "2027-01-03", "2027-01-01", "2027-01-01", True),  # week 53
        ("2026-03-29 02:30", "2026-03-29 03:30", "2026-03-29", "2026-03-29", True),  # no such time
        ("2026-06-30 23:59", None, "2026-06-30", "2026-06-30", True),
    ],
)
def test_it_is_shown_on_each_of_its_days(
    start: str, end: str | None, first: str, last: str, shown: bool
) -> None:
    fields = {"exams": [{"start": start, "end": end}]}
    days = {"first": date.fromisoformat(first), "last": date.fromisoformat(last)}
    assert bool(between(fields, **days)["exams"]) is shown


@pytest.mark.parametrize(
    "query",
    ["from=x", "from=", "to=2026-03-10", "from=2026-03-10&to=2026-05-11", "from=20260310",
     "from=2026-02-30", "from=2026-W11-3", "from=1999-12-31&to=2000-01-01", "from=2026-03-10T00:00",
     "from=9999-12-31", "from=2026-03-12&to=2026-03-11"],
)  # fmt: skip
def test_days_that_cannot_be_asked_for_are_400_without_a_call(
    simulator: Simulator, db: None, query: str
) -> None:
    with time_machine.travel(NOW, tick=False):
        elsa = signed_in()
        assert elsa.get("/api/session").status_code == 200
        simulator.requests.clear()
        answer = elsa.get(f"{PATH}?{query}")
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
        assert set(answer.json()["fields"]) <= {"from", "to"}
        assert len(simulator.requests) == 0
        assert elsa.get(f"{PATH}?from=2026-03-10&to=2026-05-10").status_code == 200


def test_rows_of_the_school_in_odd_forms(elsa: Caller, simulator: Simulator) -> None:
    simulator.state.settings.set("dated_entities", "odd")
    assert elsa.get(PATH).status_code == 200


def test_teachers_have_none(simulator: Simulator, db: None) -> None:
    torbjorn = signed_in("torbjörn.ekvik")
    assert torbjorn.get("/api/session").status_code == 200
    simulator.requests.clear()
    answer = torbjorn.get(PATH)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_for_this_role")
    assert len(simulator.requests) == 0


def test_a_guardian_reads_and_ticks_for_one_child_at_a_time(
    simulator: Simulator, eva: Caller
) -> None:
    for child, name in ((BO, "bo.ek"), (ALVA, "alva.lind"), (BO, "bo.ek")):
        answer = eva.get(f"{PATH}?child={child}").json()
        assert answer["child"] == {"id": child, "name": NAMES[child]}
        person = simulator.state.person("bjorkdalen", name)
        own = class_of(person, simulator.state).number
        assert {int(row["id"]) // 100_000 for row in answer["exams"]} == {own}
    assert eva.get(PATH).json()["code"] == "child_required"
    number = exams(eva, f"{PATH}?child={BO}")[0]["id"]
    assert eva.put(f"/api/assignments/{number}/done?child={BO}", {"done": True}).status_code == 200
    assert exams(eva, f"{PATH}?child={BO}")[0]["done"] is True
    assert not any(row["done"] for row in exams(eva, f"{PATH}?child={ALVA}"))
    assert not any(row["done"] for row in exams(signed_in("bo.ek")))


def test_an_exam_without_a_page_of_its_own_can_be_ticked_off(
    elsa: Caller, simulator: Simulator
) -> None:
    number = exams(elsa)[0]["id"]
    simulator.faults.set("assignment", "404")
    assert elsa.put(f"/api/assignments/{number}/done", {"done": True}).status_code == 200
    assert exams(elsa)[0]["done"] is True
    assert elsa.put("/api/assignments/5/done", {"done": True}).status_code == 404
    simulator.faults.set("dated", "403")
    assert elsa.put("/api/assignments/6/done", {"done": True}).status_code == 404


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [("500", 503), ("not-json", 502), ("empty-list", 200), ("404", 404), ("403", 403)],
)
def test_an_answer_that_upstream_fails_to_give_is_never_an_empty_list(
    elsa: Caller, simulator: Simulator, fault: str, outcome: int
) -> None:
    simulator.faults.set("dated", fault)
    assert elsa.get(PATH).status_code == outcome


@pytest.mark.parametrize("fault", ["500", "not-json", "404", "403"])
def test_without_the_rooms_only_the_subjects_are_missing(
    elsa: Caller, simulator: Simulator, fault: str
) -> None:
    simulator.faults.set("subjects", fault)
    answer = elsa.get(PATH).json()
    assert answer["incomplete"] == ["subjects"]
    assert answer["exams"]
    assert {row["subject"] for row in answer["exams"]} == {None}
