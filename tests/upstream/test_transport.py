"""One request and its response over a real socket."""

import threading
import time
from pathlib import Path

import pytest

from tests.upstream.conftest import Get
from tests.upstream.raw_server import Piece, RawServer, always, http, in_turn
from upstream.errors import UpstreamError, UpstreamInvalid, UpstreamTimeout, UpstreamUnreachable
from upstream.timed_connections import MAX_RECEIVED
from upstream.transport import Request, Transport

SECRET = "hunter2-canary"


def test_it_returns_status_headers_and_body(get: Get, server: RawServer) -> None:
    server.script = always(http(b"hello", status=418, X_Thing="x"))
    response = get()
    assert (response.status, response.header("x-thing"), response.body()) == (418, "x", b"hello")


def test_it_adds_almost_no_headers(get: Get, transport: Transport, server: RawServer) -> None:
    request = Request("POST", f"{server.url}/b?c=d%20e", {"Content-Length": "2", "X": "y"}, b"{}")
    transport.send(request, deadline=time.monotonic() + 3)
    received = server.requests[0]
    assert (received.method, received.target, received.body) == ("POST", "/b?c=d%20e", b"{}")
    assert set(received.headers) <= {"host", "content-length", "x", "accept-encoding", "user-agent"}


def test_connections_are_reused(get: Get, server: RawServer) -> None:
    for _ in range(5):
        get()
    assert {request.connection for request in server.requests} == {1}


def test_a_connection_closed_after_the_response_is_replaced(get: Get, server: RawServer) -> None:
    server.script = always(http(b"whole", Connection="close"), b"")
    assert [get().body() for _ in range(3)] == [b"whole"] * 3
    assert {request.connection for request in server.requests} == {1, 2, 3}


def test_a_body_without_a_length_ends_with_the_connection(get: Get, server: RawServer) -> None:
    server.script = always(b"HTTP/1.1 200 OK\r\n\r\nall", 0.05, b" of it", b"")
    assert get().body() == b"all of it"
    assert get().body() == b"all of it"


def test_chunks_are_joined_and_the_connection_is_reused(get: Get, server: RawServer) -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    server.script = always(head + b"3\r\nabc\r\n", 0.02, b"2;x=y\r\nde\r\n0\r\nTrailer: t\r\n\r\n")
    assert [get().body() for _ in range(3)] == [b"abcde"] * 3
    assert {request.connection for request in server.requests} == {1}


@pytest.mark.parametrize("status", [103, 204, 304])
def test_what_follows_a_response_without_a_body_is_nobody_elses(
    get: Get, server: RawServer, status: int
) -> None:
    """Such as the real response after early hints: its connection is not used again."""
    early = f"HTTP/1.1 {status} Whatever\r\n\r\n".encode()
    server.script = in_turn([early, 0.05, http(b"of the first")], http(b"of the second"))
    assert get().status == status
    assert get().body() == b"of the second"
    assert len({request.connection for request in server.requests}) == 2


def test_a_connection_that_the_server_dropped_while_idle_is_replaced(
    get: Get, server: RawServer
) -> None:
    server.script = always(http(b"x"), b"")
    get()
    server.connection_closed.wait(2)
    server.script = always(http(b"y"))
    assert get().body() == b"y"


def test_redirects_are_not_followed(get: Get, server: RawServer) -> None:
    server.script = always(http(status=302, Location="/jsp/Login.jsp"))
    assert get().status == 302
    assert server.targets == ["/a"]


def test_cookies_of_one_person_never_go_out_for_the_next(get: Get, server: RawServer) -> None:
    server.script = always(http(b"[]", Set_Cookie="JSESSIONID=ALICE; Path=/"))
    get(Cookie="JSESSIONID=ALICE")
    get(Cookie="JSESSIONID=BOB")
    get()
    assert {request.connection for request in server.requests} == {1}
    cookies = [request.headers.get("cookie") for request in server.requests]
    assert cookies == ["JSESSIONID=ALICE", "JSESSIONID=BOB", None]


def test_environment_and_netrc_are_not_read(
    get: Get, server: RawServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login a password b\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    get(Authorization="Bearer ours")
    assert server.requests[0].headers["authorization"] == "Bearer ours"


def test_another_host_is_refused(transport: Transport, server: RawServer) -> None:
    for url in ("http://127.0.0.2/a", server.url + ".evil.example/a", "https" + server.url[4:]):
        with pytest.raises(UpstreamInvalid):
            transport.send(Request("GET", url, {}), deadline=time.monotonic() + 1)
    assert server.requests == []


# --- Cut, malformed or missing responses ---------------------------------------------------------


@pytest.mark.parametrize(
    "pieces",
    [
        (b"",),
        (b"HTTP/1.1 200 OK\r\nContent-Le", b""),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour", b""),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nfour", b""),
    ],
)
def test_a_response_that_was_cut_is_unreachable(
    get: Get, server: RawServer, pieces: tuple[Piece, ...]
) -> None:
    server.script = always(*pieces)
    with pytest.raises(UpstreamUnreachable):
        get()
    server.script = always(http(b"next"))
    assert get().body() == b"next"


@pytest.mark.parametrize(
    "garbage",
    [
        b"SSH-2.0-OpenSSH_9.9\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n",
        b"HTTP/1.1 200 OK\r\nA: " + b"b" * 70000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\nab",
        b"HTTP/9.9 200 OK\r\n\r\n",
    ],
    ids=["ssh", "status", "many", "long", "lengths", "version"],
)
def test_a_response_that_is_not_http_is_invalid(
    get: Get, server: RawServer, garbage: bytes
) -> None:
    server.script = always(garbage, b"")
    with pytest.raises(UpstreamInvalid):
        get()


def test_a_chunk_of_an_impossible_size_ends_with_the_bound(get: Get, server: RawServer) -> None:
    """Of it http.client reads everything until the connection ends."""
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n"
    server.script = always(head, *[b"x" * 1_000_000] * (MAX_RECEIVED // 1_000_000 + 1), 30.0)
    with pytest.raises(UpstreamInvalid):
        get()
    assert len(server.requests) == 1


def test_a_refused_connection_is_unreachable() -> None:
    transport = Transport("http://127.0.0.1:9", connect_seconds=0.5, pool_size=1)
    with pytest.raises(UpstreamUnreachable):
        transport.send(Request("GET", "http://127.0.0.1:9/a", {}), deadline=time.monotonic() + 1)


def test_no_time_left_means_nothing_is_sent(get: Get, server: RawServer) -> None:
    with pytest.raises(UpstreamTimeout):
        get(seconds=-1)
    assert server.requests == []


# --- Secrets -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pieces",
    [(b"",), (3.0,), (b"garbage\r\n\r\n", b""), (http(b"x" * 9, Content_Encoding="br"),),
     (b"HTTP/1.1 200 OK\r\nbad header\r\nA: b\r\n\r\n", b"")],
)  # fmt: skip
def test_no_error_and_no_log_line_holds_a_url_or_header(
    get: Get, server: RawServer, caplog: pytest.LogCaptureFixture, pieces: tuple[Piece, ...]
) -> None:
    server.script = always(*pieces)
    with caplog.at_level("DEBUG"):
        try:
            get(f"/p?password={SECRET}", 0.3, Cookie=SECRET).body()
        except UpstreamError as error:
            seen: BaseException | None = error
            while seen is not None:
                assert SECRET not in repr(seen) + str(seen)
                seen = seen.__cause__ or seen.__context__
    assert SECRET not in caplog.text


def test_the_repr_of_a_request_shows_only_its_method() -> None:
    request = Request("GET", f"http://h/{SECRET}", {"Cookie": SECRET}, SECRET.encode())
    assert repr(request) == "Request(method='GET')"


def test_many_threads_share_the_pool(get: Get, server: RawServer) -> None:
    server.script = in_turn([0.05, http(b"ok")])
    found: list[bytes] = []
    threads = [threading.Thread(target=lambda: found.append(get().body())) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [b"ok"] * 16
