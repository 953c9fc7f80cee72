"""Circuit breaker and bulkhead in the client, over a real socket."""

import threading
import time
from collections.abc import Iterator
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
from upstream.records import ProvenSession
from upstream.transport import Request


def fails(fetch: Fetch, times: int, error: type[Exception], school: str = SCHOOL) -> None:
    for _ in range(times):
        with pytest.raises(error):
            fetch(school)


def test_after_five_failures_nothing_is_sent_and_other_schools_go_on(
    fetch: Fetch, server: RawServer
) -> None:
    server.script = lambda received: [
        http(status=500) if received.target.startswith(f"/{SCHOOL}/") else http(b"[]")
    ]
    fails(fetch, 5, UpstreamFailing)
    fails(fetch, 20, CircuitOpen)
    assert len(server.requests) == 5
    assert fetch("nyvang") == []


def test_it_closes_after_a_successful_probe(
    make_client: MakeClient, server: RawServer, web: ProvenSession
) -> None:
    now = [1000.0]
    client = make_client(server.url, clock=lambda: now[0])

    def fetch(school: str) -> object:
        return client.fetch_json(SESSION, web=replace(web, school=school))

    server.script = always(http(status=500))
    fails(fetch, 5, UpstreamFailing)
    server.script = always(http(b"[]"))
    fails(fetch, 1, CircuitOpen)
    now[0] += 10
    assert fetch(SCHOOL) == []
    assert fetch(SCHOOL) == []


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

    fails(fetch, 5, UpstreamTimeout)
    fails(fetch, 1, CircuitOpen)


def test_a_429_pauses_the_school_for_its_retry_after(
    make_client: MakeClient, server: RawServer, web: ProvenSession
) -> None:
    now = [1000.0]
    client = make_client(server.url, clock=lambda: now[0])
    server.script = in_turn(http(status=429, Retry_After="30"), http(b"[]"))
    with pytest.raises(UpstreamThrottled) as caught:
        client.fetch_json(SESSION, web=web)
    assert caught.value.retry_after == 30
    now[0] += 12
    with pytest.raises(CircuitOpen) as waiting:
        client.fetch_json(SESSION, web=web)
    assert waiting.value.retry_after == 18
    now[0] += 18
    assert client.fetch_json(SESSION, web=web) == []


def test_a_throttled_login_does_not_lock_the_school_out(
    client: UpstreamClient, server: RawServer, web: ProvenSession
) -> None:
    server.script = in_turn(http(status=429, Retry_After="300"), http(b"[]"))
    request = Request("POST", client.url(SCHOOL, SESSION), {"Content-Length": "0"})
    with pytest.raises(UpstreamThrottled):
        client.send(request, school=SCHOOL, untrusted=True)
    assert client.fetch_json(SESSION, web=web) == []


@pytest.mark.parametrize(("status", "opens"), [(500, False), (503, True)])
def test_untrusted_input_cannot_open_the_circuit(
    client: UpstreamClient, server: RawServer, web: ProvenSession, status: int, opens: bool
) -> None:
    server.script = always(http(status=status))
    request = Request("POST", client.url(SCHOOL, SESSION), {"Content-Length": "0"})
    for _ in range(10):
        with pytest.raises(UpstreamUnavailable):
            client.send(request, school=SCHOOL, untrusted=True)
    assert len(server.requests) == (5 if opens else 10)


def test_an_unknown_session_cannot_open_the_circuit(
    client: UpstreamClient, server: RawServer, web: ProvenSession
) -> None:
    server.script = always(http(status=500))
    for run in (fetch_session, end_session) * 5:
        with pytest.raises(UpstreamFailing):
            run(client, school=SCHOOL, web=web, untrusted=True)
    server.script = in_turn(http(status=429), http(status=429), http(b"[]"))
    for run in (fetch_session, end_session):
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
