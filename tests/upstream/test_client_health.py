"""Circuit breaker and bulkhead in the client, over a real socket."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from tests.upstream.conftest import SCHOOL, Fetch, MakeClient
from tests.upstream.raw_server import Piece, RawServer, Received, always, http, in_turn
from upstream.calls.session import end_session, fetch_session
from upstream.client import UpstreamClient
from upstream.endpoints import SESSION
from upstream.errors import (
    BulkheadFull,
    CircuitOpen,
    SessionDead,
    UpstreamFailing,
    UpstreamNotFound,
    UpstreamThrottled,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from upstream.person import on_behalf_of
from upstream.records import ProvenSession
from upstream.transport import Request


def fails(fetch: Fetch, people: int, error: type[Exception], school: str = SCHOOL) -> None:
    """Calls of this many people fail with this error."""
    for number in range(people):
        with pytest.raises(error), on_behalf_of(f"person {number}"):
            fetch(school)


def test_after_failures_of_three_people_nothing_is_sent_and_other_schools_go_on(
    fetch: Fetch, server: RawServer
) -> None:
    server.script = lambda received: [
        http(status=500) if received.target.startswith(f"/{SCHOOL}/") else http(b"[]")
    ]
    fails(fetch, 3, UpstreamFailing)
    fails(fetch, 20, CircuitOpen)
    assert len(server.requests) == 3
    assert fetch("nyvang") == []


def test_calls_for_nobody_count_as_one_person(fetch: Fetch, server: RawServer) -> None:
    server.script = always(http(status=500))
    for _ in range(30):
        with pytest.raises(UpstreamFailing):
            fetch(SCHOOL)


@pytest.mark.parametrize("status", [401, 404])
def test_refusals_do_not_open_the_circuit(fetch: Fetch, server: RawServer, status: int) -> None:
    server.script = always(http(status=status))
    fails(fetch, 30, SessionDead if status == 401 else UpstreamNotFound)
    assert len(server.requests) == 30


def test_timeouts_open_the_circuit(
    make_client: MakeClient, server: RawServer, web: ProvenSession
) -> None:
    client = make_client(server.url, total_seconds=0.1)
    server.script = always(5.0)

    def fetch(school: str) -> object:
        return client.fetch_json(SESSION, web=replace(web, school=school))

    fails(fetch, 3, UpstreamTimeout)
    fails(fetch, 1, CircuitOpen)


def test_429s_of_three_people_pause_the_school_for_their_retry_after(
    make_client: MakeClient, server: RawServer, web: ProvenSession
) -> None:
    now = [1000.0]
    client = make_client(server.url, clock=lambda: now[0])
    throttled = http(status=429, Retry_After="30")
    server.script = in_turn(throttled, throttled, throttled, http(b"[]"))
    for person in ("elsa", "bo", "alva"):
        with pytest.raises(UpstreamThrottled) as caught, on_behalf_of(person):
            client.fetch_json(SESSION, web=web)
        assert caught.value.retry_after == 30
    now[0] += 12
    with pytest.raises(CircuitOpen) as waiting:
        client.fetch_json(SESSION, web=web)
    assert waiting.value.retry_after == 18
    now[0] += 18
    assert client.fetch_json(SESSION, web=web) == []


def test_throttled_logins_do_not_lock_the_school_out(
    client: UpstreamClient, server: RawServer, web: ProvenSession
) -> None:
    throttled = http(status=429, Retry_After="300")
    server.script = in_turn(throttled, throttled, throttled, http(b"[]"))
    request = Request("POST", client.url(SCHOOL, SESSION), {"Content-Length": "0"})
    for person in ("one", "another", "a third"):
        with pytest.raises(UpstreamThrottled), on_behalf_of(person):
            client.send(request, school=SCHOOL, untrusted=True)
    assert client.fetch_json(SESSION, web=web) == []


@pytest.mark.parametrize(("status", "opens"), [(500, False), (503, True)])
def test_untrusted_input_cannot_open_the_circuit(
    client: UpstreamClient, server: RawServer, web: ProvenSession, status: int, opens: bool
) -> None:
    server.script = always(http(status=status))
    request = Request("POST", client.url(SCHOOL, SESSION), {"Content-Length": "0"})
    for number in range(10):
        with pytest.raises(UpstreamUnavailable), on_behalf_of(f"network {number}"):
            client.send(request, school=SCHOOL, untrusted=True)
    assert len(server.requests) == (3 if opens else 10)


def test_a_caller_in_a_hurry_cannot_open_the_circuit(
    client: UpstreamClient, server: RawServer
) -> None:
    server.script = always(3.0)
    request = Request("GET", client.url(SCHOOL, SESSION), {})
    hurried = client.config.total_seconds / 4
    for number in range(4):
        with pytest.raises(UpstreamTimeout), on_behalf_of(f"person {number}"):
            client.send(request, school=SCHOOL, deadline=time.monotonic() + hurried)
    assert client.guards.of(SCHOOL).breaker.closed


def test_an_unknown_session_cannot_open_the_circuit(
    client: UpstreamClient, server: RawServer, web: ProvenSession
) -> None:
    server.script = always(http(status=500))
    calls: list[Callable[..., object]] = [fetch_session, end_session]
    for number, run in enumerate(calls * 5):
        with pytest.raises(UpstreamFailing), on_behalf_of(f"network {number}"):
            run(client, school=SCHOOL, web=web, untrusted=True)
    server.script = in_turn(http(status=429), http(status=429), http(b"[]"))
    for run in calls:
        with pytest.raises(UpstreamThrottled):
            run(client, school=SCHOOL, web=web, untrusted=True)
    assert client.fetch_json(SESSION, web=web) == []


@pytest.fixture
def stuck(server: RawServer) -> Iterator[threading.Event]:
    """One school does not respond until the event is set."""
    go = threading.Event()

    def script(received: Received) -> list[Piece]:
        if received.target.startswith(f"/{SCHOOL}/"):
            go.wait(5)
        return [http(b"[]")]

    server.script = script
    yield go
    go.set()


def test_a_stuck_school_leaves_threads_for_the_others(
    make_client: MakeClient, server: RawServer, stuck: threading.Event, web: ProvenSession
) -> None:
    client = make_client(server.url, threads=4)

    def run() -> None:
        client.fetch_json(SESSION, web=web)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    while len(server.requests) < 2:
        time.sleep(0.005)
    assert client.fetch_json(SESSION, web=replace(web, school="nyvang")) == []
    with pytest.raises(BulkheadFull):
        run()
    assert client.fetch_json(SESSION, web=replace(web, school="nyvang")) == []
    stuck.set()
    for thread in threads:
        thread.join()
    run()
