"""GET /api/subjects/{id}: one subject room in detail."""

from typing import Any

import pytest

from tests.conftest import Caller, signed_in
from tests.schoolproxy.routes import SUBJECT, numbers
from upstream.simulator.server import Simulator


def detail(caller: Caller, simulator: Simulator) -> dict[str, Any]:
    answer = caller.get(SUBJECT.of(simulator))
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def test_it_has_the_room_its_tests_and_all_its_assignments(
    elsa: Caller, simulator: Simulator
) -> None:
    body = detail(elsa, simulator)
    room = numbers(simulator)["room"]
    assert (body["subject"]["id"], body["subject"]["activityId"]) == (str(room), room)
    assert body["subject"]["subject"] == "Matematik"
    assert body["overview"].keys() == {"examinations", "submissions"}
    assert body["assignments"]
    assert {row["entityType"] for row in body["assignments"]} == {"ASSIGNMENT", "PLANNING"}


def test_its_four_calls_run_in_parallel(elsa: Caller, simulator: Simulator) -> None:
    elsa.get("/api/session")
    simulator.requests.clear()
    detail(elsa, simulator)
    assert len(simulator.requests) == 4


@pytest.mark.parametrize("number", [1, 99999999])
def test_a_missing_room_is_404(elsa: Caller, number: int) -> None:
    answer = elsa.get(f"/api/subjects/{number}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("refusal", ["403", "404"])
def test_the_room_of_another_class_is_404(elsa: Caller, simulator: Simulator, refusal: str) -> None:
    simulator.state.settings.set("foreign", refusal)
    foreign = elsa.get(SUBJECT.of(simulator, "alva.lind"))
    unknown = elsa.get("/api/subjects/1")
    assert (foreign.status_code, foreign.content) == (404, unknown.content)
    assert elsa.get("/api/session").status_code == 200


def test_a_role_without_rooms_gets_403(simulator: Simulator, db: None) -> None:
    torbjorn = signed_in("torbjörn.ekvik")
    simulator.faults.set("subjects.room", "403")
    answer = torbjorn.get(SUBJECT.of(simulator))
    assert (answer.status_code, answer.json()["code"]) == (403, "not_for_this_role")


@pytest.mark.parametrize("fault", ["404", "403", "empty"])
@pytest.mark.parametrize(
    ("operation", "path"),
    [
        ("subjects.examinations", ("overview", "examinations")),
        ("subjects.submissions", ("overview", "submissions")),
        ("subjects.rows", ("assignments",)),
    ],
)
def test_a_part_that_upstream_does_not_have_is_empty(
    elsa: Caller, simulator: Simulator, operation: str, path: tuple[str, ...], fault: str
) -> None:
    simulator.faults.set(operation, fault)
    part: Any = detail(elsa, simulator)
    for name in path:
        part = part[name]
    assert part == []
