"""Gates hold requests, so that tests of races need no sleeping."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator


def test_a_gate_holds_requests_until_it_is_released(
    simulator: Simulator, client: PlainClient
) -> None:
    cookies = client.sign_in()
    with ThreadPoolExecutor(3) as pool, simulator.faults.hold("session") as held:
        waiting = [pool.submit(client.session, cookies) for _ in range(3)]
        held.wait_for(3)
        assert held.arrived.is_set()
        assert not any(one.done() for one in waiting)
        assert simulator.requests.running == 3
        held.release()
        assert [one.result().status_code for one in waiting] == [200, 200, 200]
    assert simulator.requests.most_at_once == 3


def test_a_released_gate_stays_open(simulator: Simulator, client: PlainClient) -> None:
    with simulator.faults.hold("session") as held:
        held.release()
        assert client.session("").status_code == 401
        assert held.count == 1


def test_a_gate_holds_only_what_it_names(simulator: Simulator, client: PlainClient) -> None:
    with simulator.faults.hold("session", school="nyvang") as held:
        assert client.session(client.sign_in()).status_code == 200
        assert held.count == 0


@pytest.mark.parametrize(("after", "sessions"), [(False, 0), (True, 1)])
def test_a_gate_stands_before_or_after_the_work(
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


def test_clearing_opens_every_gate(simulator: Simulator, client: PlainClient) -> None:
    held = simulator.faults.hold("session")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(client.session, "")
        held.wait_for(1)
        simulator.faults.clear()
        assert waiting.result().status_code == 401


def test_an_operation_that_does_not_exist_has_no_gate(simulator: Simulator) -> None:
    with pytest.raises(ValueError):
        simulator.faults.hold("logout")
