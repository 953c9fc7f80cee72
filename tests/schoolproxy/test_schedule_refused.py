"""GET /api/schedule when upstream refuses or sends something else: no empty week, no wrong 401."""

from typing import Any

import pytest

from tests.conftest import Caller, signed_in
from upstream.simulator.server import Simulator

PATH = "/api/schedule?week=12"


def status_and_code(caller: Caller) -> tuple[int, str]:
    answer = caller.get(PATH)
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize(
    ("session", "status", "code"),
    [
        ("ok", 403, "not_for_this_role"),
        ("401", 401, "not_signed_in"),
        ("500", 503, "upstream_failing"),
    ],
)
def test_a_403_is_checked_with_one_call(
    elsa: Caller, simulator: Simulator, session: str, status: int, code: str
) -> None:
    assert elsa.get("/api/session").status_code == 200
    simulator.faults.set("lessons", "403")
    simulator.faults.set("session", session)
    simulator.requests.clear()
    assert status_and_code(elsa) == (status, code)
    assert [call.operation for call in simulator.requests] == ["lessons", "session"]


Answer = dict[str, Any]
HTML: Answer = {"headers": {"Content-Type": "text/html"}, "body": "<html><h1>Hej</h1></html>"}
TEXT: Answer = {"headers": {"Content-Type": "application/json"}, "body": '"lessons"'}
NUMBER: Answer = {"headers": {"Content-Type": "application/json"}, "body": "7"}


@pytest.mark.parametrize("answer", [HTML, TEXT, NUMBER])
def test_an_answer_that_is_not_lessons_is_502(
    elsa: Caller, simulator: Simulator, answer: Answer
) -> None:
    simulator.faults.set("lessons", "answer", **answer)
    assert status_and_code(elsa)[0] == 502


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        ("503", 503),
        ("cut", 503),
        ("not-json", 502),
        ("truncated", 502),
        ("huge", 502),
        ("gzip-bomb", 502),
        ("404", 404),
    ],
)
def test_without_a_cached_answer_an_upstream_error_is_passed_on(
    elsa: Caller, simulator: Simulator, fault: str, status: int
) -> None:
    simulator.faults.set("lessons", fault)
    answer = elsa.get(PATH)
    assert (answer.status_code, answer.json()["success"]) == (status, False)
    assert ("Retry-After" in answer.headers) is (status == 503)
    simulator.faults.clear()


def test_a_throttled_upstream_gives_retry_after(elsa: Caller, simulator: Simulator) -> None:
    simulator.faults.set("lessons", "429", retry_after=42)
    answer = elsa.get(PATH)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "42")


def test_a_failing_school_does_not_affect_another(
    elsa: Caller, bo: Caller, zoe: Caller, simulator: Simulator
) -> None:
    pupils = [elsa, bo, signed_in("alva.lind")]
    simulator.faults.set("lessons", "500", school="bjorkdalen")
    for week in range(1, 11):
        for pupil in pupils:
            assert pupil.get(f"/api/schedule?week={week}").status_code == 503
    calls = simulator.requests.count("/bjorkdalen/rest-api/student/calendar")
    assert calls < 10  # the breaker has opened
    assert elsa.get("/api/schedule?week=11").json()["code"] == "circuit_open"
    assert zoe.get(PATH).status_code == 200
