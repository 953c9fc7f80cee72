"""GET /api/schedule when upstream refuses or sends something else: no empty week, no wrong 401."""

from typing import Any

import pytest

from tests.conftest import Caller
from upstream.simulator.server import Simulator

PATH = "/api/schedule?week=12"


def status_and_code(caller: Caller) -> tuple[int, str]:
    answer = caller.get(PATH)
    return answer.status_code, answer.json()["code"]


def test_a_role_that_upstream_refuses_keeps_its_session(elsa: Caller, simulator: Simulator) -> None:
    simulator.faults.set("lessons", "403")
    assert status_and_code(elsa) == (403, "not_for_this_role")
    simulator.faults.clear()
    assert elsa.get("/api/session").status_code == 200
    assert elsa.get(PATH).status_code == 200


def test_a_403_of_a_dead_session_is_401(elsa: Caller, simulator: Simulator) -> None:
    assert elsa.get("/api/session").status_code == 200
    simulator.faults.set("lessons", "403")
    simulator.faults.set("session", "401")
    assert status_and_code(elsa) == (401, "not_signed_in")


def test_a_403_is_checked_with_one_call(elsa: Caller, simulator: Simulator) -> None:
    assert elsa.get("/api/session").status_code == 200
    simulator.faults.set("lessons", "403")
    simulator.requests.clear()
    status_and_code(elsa)
    assert [call.operation for call in simulator.requests] == ["lessons", "session"]


def test_a_403_that_cannot_be_checked_is_an_upstream_error(
    elsa: Caller, simulator: Simulator
) -> None:
    assert elsa.get("/api/session").status_code == 200
    simulator.faults.set("lessons", "403")
    simulator.faults.set("session", "500")
    assert status_and_code(elsa) == (503, "upstream_failing")


@pytest.mark.parametrize(
    "fault", ["200-html", "302-login", "302-login-relative", "302-saml", "401"]
)
def test_a_login_page_instead_of_data_is_401(
    elsa: Caller, simulator: Simulator, fault: str
) -> None:
    simulator.faults.set("lessons", fault)
    assert status_and_code(elsa) == (401, "not_signed_in")


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
        ("500", 503),
        ("503", 503),
        ("429", 503),
        ("reset", 503),
        ("cut", 503),
        ("not-json", 502),
        ("truncated", 502),
        ("redirect-elsewhere", 502),
        ("huge", 502),
        ("gzip-bomb", 502),
        ("400", 502),
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


@pytest.mark.parametrize("fault", ["gzip", "bom", "ok"])
def test_json_with_another_content_type_is_read(
    elsa: Caller, simulator: Simulator, fault: str
) -> None:
    simulator.faults.set("lessons", fault)
    assert elsa.get(PATH).json()["schedule"]


def test_a_failing_school_does_not_affect_another(
    elsa: Caller, zoe: Caller, simulator: Simulator
) -> None:
    simulator.faults.set("lessons", "500", school="bjorkdalen")
    for week in range(1, 11):
        assert elsa.get(f"/api/schedule?week={week}").status_code == 503
    calls = simulator.requests.count("/bjorkdalen/rest-api/student/calendar")
    assert calls < 10  # the breaker has opened
    assert elsa.get("/api/schedule?week=11").json()["code"] == "circuit_open"
    assert zoe.get(PATH).status_code == 200
