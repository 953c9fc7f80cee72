"""GET /api/missing: what was not handed in during the running half-year."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
import time_machine

from schoolproxy.services.missing import missing_of
from tests.conftest import Caller, signed_in
from tests.schoolproxy.family import ALVA, BO, GUARDIAN
from upstream.simulator.assignments.data import of_room
from upstream.simulator.classes import class_of
from upstream.simulator.server import Simulator

PATH = "/api/missing"
TODAY = date(2026, 4, 20)
ROW = {
    "assignmentId": 88121,
    "title": "Labbrapport",
    "assignmentType": "Inlämningsuppgift",
    "subjects": [{"name": "Kemi", "color": "#3a7"}],
    "endDate": "2026-03-17 08:20",
    "submissionStatus": "EXPIRED_NOT_SUBMITTED",
}


def missing(caller: Caller, path: str = PATH) -> list[dict[str, Any]]:
    answer = caller.get(path)
    assert answer.status_code == 200, answer.content
    rows: list[dict[str, Any]] = answer.json()["missing"]
    return rows


def simulated(simulator: Simulator, username: str) -> set[str]:
    """The ids of what the school system has as missing for this pupil, over all rooms."""
    person, today = simulator.state.person("bjorkdalen", username), simulator.state.clock.today()
    own = class_of(person, simulator.state)
    rows = [row for index in range(10) for row in of_room(own, index, today)]
    return {str(row.id) for row in rows if row.handed_in(today) == "EXPIRED_NOT_SUBMITTED"}


def test_it_has_all_rooms_in_one_call_the_latest_first(simulator: Simulator, db: None) -> None:
    with time_machine.travel(datetime(2026, 5, 20, 12, tzinfo=UTC), tick=False):
        elsa = signed_in()
        simulator.requests.clear()
        rows = missing(elsa)
        assert simulator.requests.count_operation("subjects.assignments") == 1
        assert len(simulator.requests) == 1
        assert {row["assignmentId"] for row in rows} == simulated(simulator, "elsa.nordvall")
        assert len(rows) >= 2
        assert [row["dueAt"] for row in rows] == sorted(
            (row["dueAt"] for row in rows), reverse=True
        )
        assert {row["type"] for row in rows} == {"Inlämningsuppgift"}
        assert all(row["subject"] and row["title"] for row in rows)
        assert elsa.get(f"/api/assignment/{rows[0]['assignmentId']}").status_code == 200


@pytest.mark.parametrize(
    ("due", "today", "is_running"),
    [
        ("2026-06-28 23:59", date(2026, 6, 28), True),  # Sunday of week 26
        ("2026-06-28 23:59", date(2026, 6, 29), False),
        ("2025-12-29 08:20", date(2026, 1, 12), True),  # week 1 of 2026 begins in 2025
        ("2025-12-28 08:20", date(2026, 1, 12), False),
        ("2026-12-31 08:20", date(2027, 1, 3), True),  # week 53 of 2026 ends in 2027
        ("2026-12-31 08:20", date(2027, 1, 4), False),
        ("2025-03-17 08:20", TODAY, False),
        ("2026-03-17", TODAY, True),
        ("2026-03-17T08:20:00", TODAY, True),
        ("", TODAY, False),
        (None, TODAY, False),
        (1_773_732_000_000, TODAY, False),
        ("tis 17 mars", TODAY, False),
        ("0000-00-00 00:00", TODAY, False),
    ],
)
def test_only_the_running_half_year_counts(due: object, today: date, is_running: bool) -> None:
    rows = missing_of([ROW | {"endDate": due}], today)
    assert [row["dueAt"] for row in rows] == ([due] if is_running else [])


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({}, {"subject": "Kemi"}),
        ({"subjects": [{"name": " Ma "}, {"name": "Fy"}, {"name": "Ma"}]}, {"subject": "Ma, Fy"}),
        ({"subjects": None}, {"subject": None}),
        ({"subjects": [{"name": 4}, None, 7, ""]}, {"subject": None}),
        ({"subjects": ["Kemi", "Fysik"]}, {"subject": "Kemi, Fysik"}),
        ({"subjects": "Kemi"}, {"subject": "Kemi"}),
        ({"title": None}, {"title": ""}),
        ({"assignmentType": 7}, {"type": None}),
        ({"assignmentId": "88121"}, {"assignmentId": "88121"}),
    ],
)
def test_what_upstream_leaves_out_is_null(change: dict[str, Any], shown: dict[str, Any]) -> None:
    (row,) = missing_of([ROW | change], TODAY)
    assert shown.items() <= row.items()


@pytest.mark.parametrize(
    "change",
    [
        {"submissionStatus": "LATE"},
        {"submissionStatus": "NOT_SUBMITTED"},
        {"submissionStatus": 3},
        {"submissionStatus": None},
        {"assignmentId": None},
        {"assignmentId": -1},
    ],
)
def test_nothing_else_is_called_missing(change: dict[str, Any]) -> None:
    assert missing_of([ROW | change], TODAY) == []


def test_an_assignment_of_two_groups_is_there_once() -> None:
    assert len(missing_of([ROW, dict(ROW), ROW | {"assignmentId": 5}], TODAY)) == 2


def test_a_guardian_sees_the_missing_work_of_the_child_that_is_asked_for(
    simulator: Simulator, db: None
) -> None:
    guardian = signed_in(GUARDIAN)
    for child, name in ((BO, "bo.ek"), (ALVA, "alva.lind"), (BO, "bo.ek")):
        rows = missing(guardian, f"{PATH}?child={child}")
        assert {row["assignmentId"] for row in rows} == simulated(simulator, name)
    assert guardian.get(PATH).json()["code"] == "child_required"


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [("500", 503), ("not-json", 502), ("empty-list", 200), ("404", 404), ("403", 403)],
)
def test_an_answer_that_upstream_fails_to_give_is_never_an_empty_list(
    elsa: Caller, simulator: Simulator, fault: str, outcome: int
) -> None:
    simulator.faults.set("subjects.assignments", fault)
    assert elsa.get(PATH).status_code == outcome
