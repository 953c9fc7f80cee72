"""GET /api/schedule when upstream refuses or sends something else: no empty week, no wrong 401."""

import pytest

from tests.conftest import Caller
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


@pytest.mark.parametrize(
    ("fault", "status", "wait"),
    [
        ("429", 503, "7"),
        ("503", 503, "5"),
        ("cut", 503, "5"),
        ("not-json", 502, None),
        ("truncated", 502, None),
        ("huge", 502, None),
        ("gzip-bomb", 502, None),
        ("404", 404, None),
    ],
)
def test_without_a_cached_answer_an_upstream_error_is_passed_on(
    elsa: Caller, simulator: Simulator, fault: str, status: int, wait: str | None
) -> None:
    simulator.faults.set("lessons", fault)
    answer = elsa.get(PATH)
    assert (answer.status_code, answer.json()["success"]) == (status, False)
    assert answer.headers.get("Retry-After") == wait
