"""Both servers with the deployed configuration: bodies, starting, stopping."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.ports import free_port
from tests.wrapper_project import servers
from wrapper_project.servers import startup

JSON_POST = b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
GET = b"GET /api/version HTTP/1.1\r\nHost: localhost\r\n"
HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


@pytest.fixture(scope="module", params=[servers.HTTP, servers.SOCKETS], ids=["threads", "sockets"])
def port(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with servers.running(request.param, tmp_path_factory.mktemp("data")) as server:
        yield server.port


def _ask(port: int, request: bytes) -> tuple[int, dict[str, str], Any]:
    head, _, body = servers.exchange(port, request).partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return int(first.split()[1]), headers, orjson.loads(body) if body else None


def _chunks(body: bytes, size: int = 1000) -> bytes:
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def test_a_body_in_chunks_is_read(port: int) -> None:
    head = JSON_POST + b"Transfer-Encoding: chunked\r\n\r\n"
    status, _, body = _ask(port, head + _chunks(b'{"unknown": 1}'))
    assert (status, body["code"]) == (400, "invalid_input")
    status, _, body = _ask(port, head + _chunks(b'{"unknown": '))
    assert (status, body["code"]) == (400, "invalid_json")


def test_a_long_body_in_chunks_is_413(port: int) -> None:
    head = JSON_POST + b"Transfer-Encoding: chunked\r\n\r\n"
    status, _, body = _ask(port, head + _chunks(b" " * 300_000, 20_000))
    assert (status, body["code"]) == (413, "too_large")


def test_forwarded_headers_of_strangers_change_nothing(port: int) -> None:
    request = (
        b"GET /api/version HTTP/1.1\r\nHost: localhost\r\n"
        b"X-Forwarded-Proto: https\r\nX-Forwarded-For: 198.51.100.1\r\n\r\n"
    )
    status, headers, _ = _ask(port, request)
    assert status == 200
    # Only set over https.
    assert "strict-transport-security" not in headers


def test_a_content_type_that_cannot_be_read_is_no_server_error(port: int) -> None:
    for name in (b"x; a*=nonsense''b", b"multipart/form-data; boundary*=nonsense''b", b"\xff;=;"):
        head = b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + name
        status, _, body = _ask(port, head + b"\r\nContent-Length: 2\r\n\r\n{}")
        assert (status, body["code"]) == (400, "invalid_input")


def test_every_response_has_a_request_id_and_a_length(port: int) -> None:
    status, headers, _ = _ask(
        port, b"GET /api/nothing HTTP/1.1\r\nHost: localhost\r\nX-Request-ID: trace-1234\r\n\r\n"
    )
    assert (status, headers["x-request-id"]) == (404, "trace-1234")


@pytest.mark.parametrize("request_", [b"GARBAGE\r\n\r\n", GET + b"Content-Length: -1\r\n\r\n"])
def test_malformed_http_is_refused_without_a_trace(request_: bytes, port: int) -> None:
    answer = servers.exchange(port, request_)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"Traceback" not in answer


def test_pages_and_assets_are_served(port: int) -> None:
    for path in (b"/api/docs", b"/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui.css"):
        answer = servers.exchange(port, b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 200 " in answer.partition(b"\r\n")[0]


def _refusal(tmp_path: Path, **changes: str) -> tuple[int, str]:
    process = servers.start(servers.HTTP, tmp_path, free_port(), **changes)
    _, log = process.communicate(timeout=servers.START_SECONDS)
    return process.returncode, log


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"UPSTREAM_PER_REQUEST": "abc"}, "UPSTREAM_PER_REQUEST has an invalid value."),
        ({"SECRET_KEY": "canary"}, "SECRET_KEY is shorter than 32 characters."),
        ({"DATABASE_URL": "postgres://u:canary@h:port/x"}, "DATABASE_URL is not a valid URL"),
    ],
)
def test_a_dangerous_start_is_refused_with_the_reason(
    changes: dict[str, str], reason: str, tmp_path: Path
) -> None:
    code, log = _refusal(tmp_path, **changes)
    assert code != 0
    assert reason in log
    assert "Traceback" not in log
    assert "canary" not in log


def test_a_server_without_redis_is_refused_unless_it_is_for_development(tmp_path: Path) -> None:
    code, log = _refusal(tmp_path, DEBUG="0")
    assert (code, log.count("REDIS_URL is not set.")) == (startup.CANNOT_BOOT, 1)


def test_a_body_with_too_large_a_length_is_413_before_it_arrives(tmp_path: Path) -> None:
    with servers.running(servers.HTTP, tmp_path) as server:
        status, headers, body = _ask(server.port, JSON_POST + b"Content-Length: 99999999\r\n\r\n")
    assert (status, body["code"]) == (413, "too_large")
    assert headers["x-request-id"]


def test_a_request_that_has_begun_is_answered_when_the_server_stops(tmp_path: Path) -> None:
    body = b'{"unknown": 1}'
    with servers.running(servers.HTTP, tmp_path) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as begun:
            length = b"Content-Length: %d\r\n" % len(body)
            begun.sendall(JSON_POST + b"Expect: 100-continue\r\n" + length + b"\r\n")
            assert begun.recv(1024).startswith(b"HTTP/1.1 100 ")  # a thread waits for the body
            server.process.terminate()
            assert any("Handling signal: term" in line for line in server.process.stderr or ())
            begun.sendall(body)
            assert servers.read_answer(begun).startswith(b"HTTP/1.1 400 ")
        assert server.process.wait(10) == 0


def _handshake(port: int, path: bytes, headers: bytes) -> int:
    """The status of a WebSocket handshake from a page."""
    request = HANDSHAKE.replace(b"/ws", path) + headers + b"\r\n"
    return int(servers.exchange(port, request).split()[1])


@pytest.mark.parametrize(("trusted", "status"), [("127.0.0.1/8, ,::1", 403), ("10.0.0.0/8", 101)])
def test_a_socket_has_the_scheme_of_a_trusted_proxy(
    trusted: str, status: int, tmp_path: Path
) -> None:
    """Over https, a page that was fetched without it opens no socket."""
    page = b"Origin: http://localhost\r\n"
    with servers.running(servers.SOCKETS, tmp_path, TRUSTED_PROXIES=trusted) as server:
        assert _handshake(server.port, b"/ws", page) == 101
        assert _handshake(server.port, b"/elsewhere", page) == 403
        assert _handshake(server.port, b"/ws", page + b"X-Forwarded-Proto: https\r\n") == status
