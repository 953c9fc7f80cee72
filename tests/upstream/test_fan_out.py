"""Many calls at once to the simulator, which holds and counts them."""

import contextvars
import threading
from collections.abc import Callable
from functools import partial

import pytest

from tests.concurrency import crowd, wait_until
from tests.upstream.conftest import SCHOOL, MakeClient
from upstream.calls.lessons import fetch_lessons
from upstream.client import UpstreamClient
from upstream.errors import (
    BulkheadFull,
    CircuitOpen,
    SessionDead,
    UpstreamError,
    UpstreamFailing,
    UpstreamTimeout,
)
from upstream.fan_out import gather
from upstream.person import on_behalf_of
from upstream.records import ProvenSession
from upstream.simulator.server import Simulator

OTHER = "nyvang"
Call = Callable[[], object]
Lessons = Callable[..., list[Call]]


@pytest.fixture
def client(simulator: Simulator, make_client: MakeClient) -> UpstreamClient:
    return make_client(simulator.url)


@pytest.fixture
def lessons(simulator: Simulator) -> Lessons:
    """Makes calls for the lessons of a pupil."""

    def calls(client: UpstreamClient, count: int, *, school: str = SCHOOL) -> list[Call]:
        name = "elsa.nordvall" if school == SCHOOL else "nils.bergqvist"
        person = simulator.state.person(school, name)
        cookies = simulator.state.open_web_session(person, "specified")
        web = ProvenSession(cookies.jsessionid, cookies.hash, "1", school=school, role="student")
        return [partial(fetch_lessons, client, web=web, week=11) for _ in range(count)]

    return calls


def gather_for(
    person: str, client: UpstreamClient, school: str, calls: list[Call]
) -> list[object | UpstreamError]:
    with on_behalf_of(person):
        return gather(client, school, calls)


def assert_nothing_is_held(client: UpstreamClient) -> None:
    """Every slot is released: at once, or when the last thread has its response."""
    free = client.guards.of(SCHOOL)._share.calls
    wait_until(lambda: free._value == client.config.max_in_flight)


def test_thirty_seven_calls_end_in_two_round_trips(
    client: UpstreamClient, simulator: Simulator, lessons: Lessons
) -> None:
    calls = lessons(client, 36)
    simulator.requests.clear()
    with client.request_scope(SCHOOL, person="elsa"):
        calls[0]()
        with crowd(1) as start, simulator.faults.hold("lessons") as hold:
            request = start(partial(gather, client, SCHOOL, calls))
            hold.wait_for(36)
        assert len(request.result()) == 36
    assert simulator.requests.count("lessons") == 37
    assert simulator.requests.most_at_once == 36


def test_results_are_in_the_order_of_the_calls(client: UpstreamClient) -> None:
    turns = [threading.Event() for _ in range(6)]

    def call(number: int) -> int:
        if number < 5:
            turns[number + 1].wait(5)
        turns[number].set()
        return number

    assert gather(client, SCHOOL, [partial(call, n) for n in range(6)]) == list(range(6))
    assert gather(client, SCHOOL, []) == []


def test_one_failed_call_is_an_error_in_the_results(
    client: UpstreamClient, simulator: Simulator, lessons: Lessons
) -> None:
    calls = lessons(client, 4)
    simulator.faults.set("lessons", "500", times=1)
    results = gather(client, SCHOOL, calls)
    assert [isinstance(result, UpstreamFailing) for result in results].count(True) == 1
    assert [isinstance(result, list) for result in results].count(True) == 3
    assert_nothing_is_held(client)


def test_a_dead_session_ends_the_fan_out_at_once(
    client: UpstreamClient, simulator: Simulator, lessons: Lessons
) -> None:
    calls = lessons(client, 8)
    with crowd(1) as start, simulator.faults.hold("lessons") as hold:
        dead = threading.Event()

        def die() -> object:
            dead.wait(5)
            raise SessionDead("over")

        request = start(partial(gather, client, SCHOOL, [*calls, die]))
        hold.wait_for(8)
        dead.set()
        with pytest.raises(SessionDead):  # the other eight calls are not awaited
            request.result(10)
    assert_nothing_is_held(client)


def test_after_a_dead_session_nothing_more_is_sent(make_client: MakeClient) -> None:
    client = make_client("http://127.0.0.1:9", per_request=1)
    made: list[int] = []

    def die() -> object:
        raise SessionDead("over")

    with pytest.raises(SessionDead):
        calls: list[Call] = [die, *[partial(made.append, n) for n in range(5)]]
        gather(client, SCHOOL, calls)
    assert made == []


def test_other_exceptions_are_raised(client: UpstreamClient) -> None:
    with pytest.raises(ZeroDivisionError):
        gather(client, SCHOOL, [lambda: 1, lambda: 1 // 0])


def test_other_schools_are_served_while_one_school_hangs(
    client: UpstreamClient, simulator: Simulator, lessons: Lessons
) -> None:
    hanging, others = lessons(client, 40), lessons(client, 20, school=OTHER)
    with crowd(3) as start, simulator.faults.hold("lessons", school=SCHOOL) as hold:
        for number in range(3):
            start(partial(gather_for, f"person {number}", client, SCHOOL, hanging))
        hold.wait_for(64)
        assert all(isinstance(result, list) for result in gather(client, OTHER, others))
        assert hold.count == 64, "a school has no more than this in flight"
    assert_nothing_is_held(client)


def test_one_request_never_exceeds_its_calls_in_flight(
    make_client: MakeClient, simulator: Simulator, lessons: Lessons
) -> None:
    client = make_client(simulator.url, per_request=5)
    calls = lessons(client, 23)
    simulator.requests.clear()
    with crowd(1) as start, simulator.faults.hold("lessons") as hold:
        request = start(partial(gather, client, SCHOOL, calls))
        hold.wait_for(5)
    assert all(isinstance(result, list) for result in request.result())
    assert simulator.requests.most_at_once == 5
    assert simulator.requests.count("lessons") == 23


def test_calls_without_a_slot_are_bulkhead_full(
    make_client: MakeClient, simulator: Simulator, lessons: Lessons
) -> None:
    client = make_client(simulator.url, max_in_flight=2, wait_seconds=0.05)
    calls = lessons(client, 3)
    with crowd(1) as start, simulator.faults.hold("lessons") as hold:
        start(partial(gather, client, SCHOOL, calls[:2]))
        hold.wait_for(2)
        results = gather(client, SCHOOL, calls)
        assert [type(result) for result in results] == [BulkheadFull] * 3
    assert_nothing_is_held(client)


def test_all_calls_of_a_request_scope_share_one_deadline(
    make_client: MakeClient, simulator: Simulator, lessons: Lessons
) -> None:
    client = make_client(simulator.url, total_seconds=0.6)
    calls = lessons(client, 5)
    simulator.faults.set("lessons", "timeout")
    with client.request_scope(SCHOOL, person="elsa"):
        deadline = client.deadline()
        results = gather(client, SCHOOL, calls)
        assert client.deadline() == deadline
    assert [type(result) for result in results] == [UpstreamTimeout] * 5
    simulator.faults.clear()
    assert_nothing_is_held(client)


def test_a_call_that_does_not_end_is_a_timeout(make_client: MakeClient) -> None:
    client = make_client("http://127.0.0.1:9", total_seconds=0.05)
    stuck = threading.Event()
    left = threading.Event()

    def hang() -> None:
        stuck.wait(5)
        left.set()

    results = gather(client, SCHOOL, [hang, lambda: "done"])
    assert isinstance(results[0], UpstreamTimeout)
    assert results[1] == "done"
    stuck.set()
    assert left.wait(5)


def test_an_open_circuit_is_raised_before_anything_is_sent(client: UpstreamClient) -> None:
    for person in ("elsa", "bo", "alva"):
        client.guards.of(SCHOOL).breaker.failed(person)
    with pytest.raises(CircuitOpen):
        gather(client, SCHOOL, [lambda: 1])


def test_the_calls_have_the_context_of_the_request(client: UpstreamClient) -> None:
    who = contextvars.ContextVar("who", default="nobody")
    who.set("alice")
    assert gather(client, SCHOOL, [who.get, who.get]) == ["alice", "alice"]
