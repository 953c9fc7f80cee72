"""The client over a real socket: requests, errors and retries."""

import time
from dataclasses import replace

import pytest
import responses

from tests.upstream.conftest import SCHOOL, Fetch, MakeClient
from tests.upstream.raw_server import Piece, RawServer, always, http, in_turn
from upstream.calls.lessons import fetch_lessons
from upstream.client import UpstreamClient
from upstream.endpoints import LESSONS, SESSION, build_url
from upstream.errors import (
    NotForThisRole,
    SessionDead,
    UpstreamFailing,
    UpstreamInvalid,
    UpstreamNotFound,
    UpstreamThrottled,
    UpstreamTimeout,
    UpstreamUnavailable,
    UpstreamUnreachable,
)
from upstream.records import ProvenSession
from upstream.set_cookie import cookie_header
from upstream.transport import HEADERS, Request

ALIVE = http(b'{"user":{"id":1}}')
CUT = (b"",)


def test_it_sends_the_cookies_and_asks_for_json(
    fetch: Fetch, server: RawServer, web: ProvenSession
) -> None:
    assert fetch() == []
    received = server.requests[0]
    assert received.target == f"/{SCHOOL}/rest-api/student/calendar/lessons/week/11"
    assert received.headers["cookie"] == cookie_header(web)
    assert received.headers["accept"] == "application/json"
    assert received.headers["accept-encoding"] == "gzip"


def test_values_that_could_inject_a_cookie_are_not_sent(
    client: UpstreamClient, server: RawServer, web: ProvenSession
) -> None:
    bad = replace(web, jsessionid="a; hash=other", hash="b")
    with pytest.raises(SessionDead):
        client.fetch_json(SESSION, web=bad)
    assert server.requests == []


# --- 403 -----------------------------------------------------------------------------------------


def test_a_403_with_a_valid_session_is_not_for_this_role(fetch: Fetch, server: RawServer) -> None:
    server.script = in_turn(http(status=403), ALIVE)
    with pytest.raises(NotForThisRole):
        fetch()
    assert server.targets[1:] == [f"/{SCHOOL}/rest-api/session"]
    assert server.requests[0].headers["cookie"] == server.requests[1].headers["cookie"]


@pytest.mark.parametrize("dead", [http(status=401), http(status=403), http(b"{}")])
def test_a_403_with_a_dead_session_is_a_dead_session(
    fetch: Fetch, server: RawServer, dead: bytes
) -> None:
    server.script = in_turn(http(status=403), dead)
    with pytest.raises(SessionDead):
        fetch()
    assert len(server.requests) == 2


def test_a_403_is_undecided_if_the_session_check_fails(fetch: Fetch, server: RawServer) -> None:
    server.script = in_turn(http(status=403), http(status=500))
    with pytest.raises(UpstreamFailing):
        fetch()


def test_both_requests_of_a_403_share_one_deadline(
    make_client: MakeClient, server: RawServer, web: ProvenSession
) -> None:
    """Each of them alone would be in time."""
    server.script = in_turn((0.7, http(status=403)), (0.7, ALIVE))
    with pytest.raises(UpstreamTimeout):
        make_client(server.url, total_seconds=1.0).fetch_json(SESSION, web=web)


# --- Retry ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [CUT, http(status=502), http(status=503), http(status=504)])
def test_a_get_is_retried_once_after_a_transient_failure(
    fetch: Fetch, server: RawServer, first: bytes | tuple[Piece, ...]
) -> None:
    server.script = in_turn(first, http(b"[1]"))
    assert fetch() == [1]
    assert len(server.requests) == 2


def test_there_is_no_second_retry(fetch: Fetch, server: RawServer) -> None:
    server.script = always(*CUT)
    with pytest.raises(UpstreamUnreachable):
        fetch()
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (http(status=500), UpstreamFailing),
        (http(status=429), UpstreamThrottled),
        (http(b"{"), UpstreamInvalid),
        (http(status=401), SessionDead),
        (http(status=404), UpstreamNotFound),
    ],
)
def test_other_failures_are_not_retried(
    fetch: Fetch, server: RawServer, answer: bytes, error: type[Exception]
) -> None:
    server.script = always(answer)
    with pytest.raises(error):
        fetch()
    assert len(server.requests) == 1


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("answer", [CUT, http(status=503)])
def test_a_login_is_never_retried(
    client: UpstreamClient, server: RawServer, method: str, answer: bytes | tuple[Piece, ...]
) -> None:
    server.script = in_turn(answer, http(b"{}"))
    url = client.url(SCHOOL, SESSION)
    with pytest.raises(UpstreamUnavailable):
        client.send(Request(method, url, {"Content-Length": "0"}), school=SCHOOL, untrusted=True)
    assert len(server.requests) == 1


def test_a_post_is_never_retried(client: UpstreamClient, server: RawServer) -> None:
    server.script = always(http(status=503))
    request = Request("POST", client.url(SCHOOL, SESSION), {"Content-Length": "0"})
    with pytest.raises(UpstreamFailing):
        client.send(request, school=SCHOOL)
    assert len(server.requests) == 1


def test_both_attempts_share_one_deadline(
    make_client: MakeClient, server: RawServer, web: ProvenSession
) -> None:
    client = make_client(server.url, total_seconds=1.6)
    server.script = in_turn((0.9, b""), (5.0,))
    began = time.monotonic()
    with pytest.raises(UpstreamTimeout):
        client.fetch_json(SESSION, web=web)
    assert time.monotonic() - began < 2.4
    assert len(server.requests) == 2


def test_a_timeout_is_not_retried(
    make_client: MakeClient, server: RawServer, web: ProvenSession
) -> None:
    client = make_client(server.url, total_seconds=0.4)
    server.script = always(5.0)
    with pytest.raises(UpstreamTimeout):
        client.fetch_json(SESSION, web=web)
    assert len(server.requests) == 1


# --- The responses library ------------------------------------------------------------------------


@responses.activate
def test_the_responses_library_can_replace_upstream(
    make_client: MakeClient, web: ProvenSession
) -> None:
    base = "https://sms.example"
    url = build_url(base, SCHOOL, LESSONS, role="student", week=11)
    responses.get(url, json=[{"eventId": 1}, 7], headers={"Set-Cookie": "JSESSIONID=X"})
    client = make_client(base)
    found = fetch_lessons(client, web=web, week=11)
    assert found == [{"eventId": 1}]
    assert responses.calls[0].request.headers["Cookie"] == cookie_header(web)
    assert responses.calls[0].request.headers["Accept"] == HEADERS["Accept"]
