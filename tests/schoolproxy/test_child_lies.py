"""A school system that answers with another child, or says nothing about whose answer it is."""

from typing import Any

import pytest
from pytest_django.fixtures import Settings

from tests.concurrency import crowd, wait_until
from tests.conftest import Caller, signed_in
from tests.schoolproxy.family import (
    ALVA,
    BO,
    GUARDIAN,
    assert_about,
    change,
    outcome,
    person,
    week_of,
)
from upstream.simulator.server import Simulator

CHANGED = (502, "upstream_changed")


@pytest.fixture(params=["specified", "observed"])
def eva(request: Any, simulator: Simulator, settings: Settings, db: None) -> Caller:
    settings.UPSTREAM_DIALECT = {"": request.param}
    eva = signed_in(GUARDIAN)
    eva.get("/api/children")
    return eva


def test_a_switch_without_effect_is_502(eva: Caller, simulator: Simulator) -> None:
    simulator.state.settings.set("bridge_child", "ignored")
    simulator.faults.set("child.switch", "empty")
    assert outcome(eva.get(week_of(ALVA))) == CHANGED
    simulator.faults.clear()
    assert_about(simulator, eva.get(week_of(ALVA)), ALVA)


def test_a_bridge_that_ignores_the_child_is_no_problem(eva: Caller, simulator: Simulator) -> None:
    simulator.state.settings.set("bridge_child", "ignored")
    for child in (ALVA, BO):
        assert_about(simulator, eva.get(week_of(child)), child)


@pytest.mark.parametrize("lie", ["other-child", "no-current-child", "no-children", "empty"])
def test_a_header_that_lies_never_shows_another_child(
    eva: Caller, simulator: Simulator, lie: str
) -> None:
    for number in range(1, 6):
        simulator.faults.set("child", lie, times=number)
        for child in (ALVA, BO):
            answer = eva.get(week_of(child, 10 + number))
            if answer.status_code == 200:
                assert_about(simulator, answer, child, week=10 + number)
            else:
                assert outcome(answer) == CHANGED
        simulator.faults.clear()


def test_a_proof_that_fails_is_502_and_no_data(eva: Caller, simulator: Simulator) -> None:
    simulator.faults.set("child", "no-current-child")
    answer = eva.get(week_of(ALVA))
    assert outcome(answer) == CHANGED
    assert b"eventId" not in answer.content
    assert simulator.requests.count_operation("lessons") == 0


@pytest.mark.parametrize("web_sessions", ["many", "one"])
def test_another_child_in_the_middle_of_the_first_read_is_502(
    transactional_db: None, simulator: Simulator, web_sessions: str
) -> None:
    """Somebody chooses another child in the same web session, after the first proof."""
    simulator.state.settings.set("web_sessions", web_sessions)
    eva = signed_in(GUARDIAN)
    eva.get("/api/children")
    held = simulator.faults.hold("lessons")
    with crowd(1) as start:
        read = start(lambda: eva.get(week_of(ALVA)))
        held.wait_for(1)
        simulator.state.focus(person(simulator), "bo.ek")
        held.release()
        answer = read.result(30)
    assert outcome(answer) == CHANGED
    assert b"eventId" not in answer.content
    simulator.faults.clear()
    assert_about(simulator, eva.get(week_of(ALVA)), ALVA)


@pytest.mark.parametrize("lie", ["other-child", "no-current-child", "500", "401"])
def test_a_session_that_was_not_proven_is_ended(
    eva: Caller, simulator: Simulator, lie: str
) -> None:
    for number in (1, 2, 3, 4):
        simulator.faults.set("child", lie, times=number)
        eva.get(week_of(ALVA, 10 + number))
        simulator.faults.clear()
    eva.get(week_of(ALVA))
    # Her own and, at most, one for Alva.
    wait_until(lambda: simulator.state.web_sessions.count_live(person(simulator)) <= 2)


def test_an_unknown_child_is_never_asked_for(eva: Caller, simulator: Simulator) -> None:
    simulator.state.settings.set("unknown_child", "accepted")
    assert outcome(eva.get(week_of("730214"))) == (404, "not_found")
    assert simulator.requests.count_operation("child.switch") == 0
    assert_about(simulator, eva.get(week_of(BO)), BO)


def test_another_school_of_the_child_is_not_proven(
    simulator: Simulator, settings: Settings, db: None
) -> None:
    """A wrong organisation is accepted and ignored."""
    change(simulator, "alva.lind", org_ids=(41, 42))
    eva = signed_in(GUARDIAN)
    eva.get("/api/children")
    change(simulator, "alva.lind", org_ids=(41,))
    assert outcome(eva.get(f"{week_of(ALVA)}&org=42")) == CHANGED
    assert_about(simulator, eva.get(week_of(ALVA)), ALVA)


def test_a_session_that_dies_again_and_again_is_502(eva: Caller, simulator: Simulator) -> None:
    simulator.faults.set("lessons", "401")
    assert outcome(eva.get(week_of(BO))) == CHANGED
    assert eva.get("/api/session").status_code == 200
    simulator.faults.clear()
    assert_about(simulator, eva.get(week_of(BO)), BO)


@pytest.mark.parametrize("operation", ["login.session", "child", "child.switch", "lessons"])
@pytest.mark.parametrize("fault", ["500", "reset", "timeout", "not-json", "403", "404", "429"])
def test_no_fault_shows_another_child(
    simulator: Simulator, settings: Settings, db: None, operation: str, fault: str
) -> None:
    settings.UPSTREAM_DIALECT = {"": "specified"}
    eva = signed_in(GUARDIAN)
    eva.get("/api/children")
    assert_about(simulator, eva.get(week_of(BO)), BO)
    options: dict[str, Any] = {"seconds": 0.1} if fault == "timeout" else {}
    simulator.faults.set(operation, fault, times=1, **options)
    answer = eva.get(week_of(ALVA))
    assert answer.status_code in (200, 401, 403, 404, 502, 503, 504)
    if answer.status_code == 200:
        assert_about(simulator, answer, ALVA)
