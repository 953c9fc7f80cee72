"""GET /api/assignment/{id}?type=planning: a planning, with the fields of an assignment."""

from typing import Any

import pytest

from tests.conftest import Caller
from tests.schoolproxy.routes import ASSIGNMENT, PLANNING
from upstream.simulator.server import Simulator


def read(caller: Caller, simulator: Simulator) -> dict[str, Any]:
    answer = caller.get(PLANNING.of(simulator))
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def test_it_has_the_fields_of_an_assignment(elsa: Caller, simulator: Simulator) -> None:
    planning, assignment = read(elsa, simulator), elsa.get(ASSIGNMENT.of(simulator)).json()
    assert planning["type"] == "planning"
    del assignment["assignment"]["done"]  # nobody ticks off a planning
    for name in ("assignment", "assessment", "grading"):
        assert planning[name].keys() == assignment[name].keys()
    assert planning["assignment"]["subjectNames"] == "Matematik"
    assert planning["assignment"]["title"] == "Geometri & mätningar"
    assert planning["assignment"]["subTitle"]
    assert {section["type"] for section in planning["sections"]} == {
        "GRADECRITERIA",
        "CENTRALCONTENT",
    }
    assert planning["grading"] == {"availableColumns": [], "selectedCriteria": []}


def test_its_parts_are_joined_each_with_its_title(elsa: Caller, simulator: Simulator) -> None:
    text = read(elsa, simulator)["assignment"]["description"]
    positions = [text.index(f"<h3>Geometri &amp; mätningar, del {part}</h3>") for part in (1, 2, 3)]
    assert positions == sorted(positions)
    assert "<li>Ta med linjal</li>" in text[positions[0] : positions[1]]
    assert "script" not in text.lower()


def test_the_id_of_an_assignment_is_not_one_of_a_planning(
    elsa: Caller, simulator: Simulator
) -> None:
    answer = elsa.get(f"{ASSIGNMENT.of(simulator)}?type=planning")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("operation", "fault"),
    [("planning", "404"), ("planning", "403"), ("planning", "empty"), ("planning.tabs", "404"),
     ("planning.tabs", "empty-list")],
)  # fmt: skip
def test_one_without_a_view_or_parts_is_404(
    elsa: Caller, simulator: Simulator, operation: str, fault: str
) -> None:
    simulator.faults.set(operation, fault)
    assert elsa.get(PLANNING.of(simulator)).status_code == 404


@pytest.mark.parametrize("operation", ["planning.part", "planning.sections"])
@pytest.mark.parametrize("fault", ["404", "403", "empty"])
def test_what_a_part_does_not_have_is_left_out(
    elsa: Caller, simulator: Simulator, operation: str, fault: str
) -> None:
    simulator.faults.set(operation, fault)
    body = read(elsa, simulator)
    assert body["assignment"]["title"] == "Geometri & mätningar"
    assert (body["sections"] == []) is (operation == "planning.sections")


def test_a_planning_and_an_assignment_with_the_same_id_have_two_cache_entries(
    elsa: Caller, simulator: Simulator
) -> None:
    path = PLANNING.of(simulator)
    assert elsa.get(path).status_code == 200
    assert elsa.get(path.partition("?")[0]).status_code == 404
    assert elsa.get(path).status_code == 200
