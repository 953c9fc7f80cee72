"""Held requests, so that tests of races need no sleeping."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator


def test_requests_are_held_until_they_are_released(
    simulator: Simulator, client: PlainClient
) -> None:
    cookies = client.sign_in()
    with ThreadPoolExecutor(3) as pool, simulator.faults.hold("session") as held:
        waiting = [pool.submit(client.session, cookies) for _ in range(3)]
        held.wait_for(3)
        assert not any(one.done() for one in waiting)
        held.release()
        assert [one.result().status_code for one in waiting] == [200, 200, 200]
    assert simulator.requests.most_at_once == 3


def test_requests_after_the_release_are_not_held(simulator: Simulator, client: PlainClient) -> None:
    with simulator.faults.hold("session") as held:
        held.release()
        assert client.session("").status_code == 401
        assert held.count == 1


def test_only_the_named_school_is_held(simulator: Simulator, client: PlainClient) -> None:
    with simulator.faults.hold("session", school="nyvang") as held:
        assert client.session(client.sign_in()).status_code == 200
        assert held.count == 0


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


def test_waiting_for_requests_that_do_not_come_is_an_error(simulator: Simulator) -> None:
    with simulator.faults.hold("session") as held, pytest.raises(TimeoutError, match="0 of 1"):
        held.wait_for(1, timeout=0.01)


def test_clearing_the_faults_releases_all_requests(
    simulator: Simulator, client: PlainClient
) -> None:
    held = simulator.faults.hold("session")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(client.session, "")
        held.wait_for(1)
        simulator.faults.clear()
        assert waiting.result().status_code == 401


def test_an_unknown_operation_cannot_be_held(simulator: Simulator) -> None:
    with pytest.raises(ValueError):
        simulator.faults.hold("logout")
