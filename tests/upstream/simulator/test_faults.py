"""The fault script, held requests and the request log."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator


def test_a_fault_has_a_number_of_requests_a_school_and_an_end(
    simulator: Simulator, client: PlainClient
) -> None:
    cookies = client.sign_in()
    simulator.faults.set("session", "500", times=2)
    assert [client.session(cookies).status_code for _ in range(3)] == [500, 500, 200]
    simulator.faults.set("session", "401", school="nyvang")
    assert client.session(cookies).status_code == 200
    simulator.faults.set("session", "401")
    assert client.session(cookies).status_code == 401
    simulator.faults.set("session", "ok")
    assert client.session(cookies).status_code == 200


def test_traffic_is_everything_that_has_no_fault_of_its_own(
    simulator: Simulator, client: PlainClient
) -> None:
    cookies = client.sign_in()
    simulator.faults.set("traffic", "502")
    simulator.faults.set("session", "403")
    assert client.session(cookies).status_code == 403
    assert client.lessons(cookies).status_code == 502


@pytest.mark.parametrize(
    ("operation", "value", "options"),
    [
        ("logout", "401", {}),
        ("session", "418", {}),
        ("session", "timeout", {"second": 1}),
        ("session", "401", {"seconds": 1}),
        ("login.token", "no-state", {"seconds": 1}),
    ],
)
def test_a_name_that_does_not_exist_is_an_error(
    simulator: Simulator, operation: str, value: str, options: dict[str, Any]
) -> None:
    with pytest.raises(ValueError):
        simulator.faults.set(operation, value, **options)


@pytest.mark.parametrize(("after", "sessions"), [(False, 0), (True, 1)])
def test_requests_are_held_before_or_after_the_handler(
    simulator: Simulator, client: PlainClient, after: bool, sessions: int
) -> None:
    elsa = simulator.state.person("bjorkdalen", "elsa.nordvall")
    token = client.log_in()["access_token"]
    with ThreadPoolExecutor(1) as pool, simulator.faults.hold("login.session", after=after) as held:
        waiting = pool.submit(client.translate, token)
        held.wait_for(1)
        assert simulator.state.web_sessions.count_live(elsa) == sessions
        held.release()
        assert waiting.result().status_code == 200
    assert client.translate(token).status_code == 200, "not held any more"


def test_clearing_the_faults_releases_all_requests(
    simulator: Simulator, client: PlainClient
) -> None:
    held = simulator.faults.hold("session")
    with pytest.raises(TimeoutError, match="0 of 1"):
        held.wait_for(1, timeout=0.01)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(client.session, "")
        held.wait_for(1)
        simulator.faults.clear()
        assert waiting.result().status_code == 401


def test_requests_are_logged_without_secrets(simulator: Simulator, client: PlainClient) -> None:
    client.sign_in()
    assert [call.operation for call in simulator.requests] == [
        "login.password",
        "login.token",
        "login.session",
    ]
    assert simulator.requests.count("/login/") == 3
    assert "authorization" in simulator.requests[2].header_names
    assert "elsa-demo" not in repr(list(simulator.requests))
