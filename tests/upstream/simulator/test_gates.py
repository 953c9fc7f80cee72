"""Gates hold requests, so that tests of races need no sleeping."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.upstream.simulator.visitor import Visitor
from upstream.simulator.server import Simulator


def test_a_gate_holds_requests_until_it_is_released(simulator: Simulator, visitor: Visitor) -> None:
    cookies = visitor.sign_in()
    with ThreadPoolExecutor(3) as pool, simulator.faults.hold("session") as gate:
        waiting = [pool.submit(visitor.session, cookies) for _ in range(3)]
        gate.wait_for(3)
        assert gate.arrived.is_set()
        assert not any(one.done() for one in waiting)
        assert simulator.requests.running == 3
        gate.release()
        assert [one.result().status_code for one in waiting] == [200, 200, 200]
    assert simulator.requests.most_at_once == 3


def test_a_released_gate_stays_open(simulator: Simulator, visitor: Visitor) -> None:
    with simulator.faults.hold("session") as gate:
        gate.release()
        assert visitor.session("").status_code == 401
        assert gate.count == 1


def test_a_gate_holds_only_what_it_names(simulator: Simulator, visitor: Visitor) -> None:
    with simulator.faults.hold("session", school="nyvang") as gate:
        assert visitor.session(visitor.sign_in()).status_code == 200
        assert gate.count == 0


@pytest.mark.parametrize(("after", "sessions"), [(False, 0), (True, 1)])
def test_a_gate_stands_before_or_after_the_work(
    simulator: Simulator, visitor: Visitor, after: bool, sessions: int
) -> None:
    elsa = simulator.state.person("bjorkdalen", "elsa.nordvall")
    token = visitor.grant()["access_token"]
    with ThreadPoolExecutor(1) as pool, simulator.faults.hold("login.session", after=after) as gate:
        waiting = pool.submit(visitor.translate, token)
        gate.wait_for(1)
        assert simulator.state.web_sessions.live(elsa) == sessions
        gate.release()
        assert waiting.result().status_code == 200


def test_waiting_for_requests_that_do_not_come_is_an_error(simulator: Simulator) -> None:
    with simulator.faults.hold("session") as gate, pytest.raises(TimeoutError, match="0 of 1"):
        gate.wait_for(1, timeout=0.01)


def test_clearing_opens_every_gate(simulator: Simulator, visitor: Visitor) -> None:
    gate = simulator.faults.hold("session")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(visitor.session, "")
        gate.wait_for(1)
        simulator.faults.clear()
        assert waiting.result().status_code == 401


def test_an_operation_that_does_not_exist_has_no_gate(simulator: Simulator) -> None:
    with pytest.raises(ValueError):
        simulator.faults.hold("logout")
