"""Both servers with the deployed configuration: odd bodies, malformed requests, error bodies."""

import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.ports import free_port
from tests.wrapper_project import servers

JSON_POST = b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
GET = b"GET /api/version HTTP/1.1\r\nHost: localhost\r\n"
HANDSHAKE = GET.replace(b"/api/version", b"/ws") + b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
KEY = b"dGhlIHNhbXBsZSBub25jZQ=="
WHOLE = b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + KEY + b"\r\n\r\n"


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


def test_a_body_with_too_large_a_length_is_413_before_it_arrives(port: int) -> None:
    status, headers, body = _ask(port, JSON_POST + b"Content-Length: 99999999\r\n\r\n")
    assert (status, body["code"]) == (413, "too_large")
    assert headers["x-request-id"]


def test_a_malformed_content_type_is_not_a_server_error(port: int) -> None:
    for name in (b"x; a*=nonsense''b", b"multipart/form-data; boundary*=nonsense''b", b"\xff;=;"):
        head = b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + name
        status, _, body = _ask(port, head + b"\r\nContent-Length: 2\r\n\r\n{}")
        assert (status, body["code"]) == (400, "invalid_input")


@pytest.mark.parametrize("size", [5_000_000, 12_000_000])
def test_a_refused_upload_gets_a_response_and_no_reset(port: int, size: int) -> None:
    head = b"POST /api/profile/picture HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
    status, _, body = _ask(port, head % size + b"x" * size)
    assert (status, body["code"]) in {(401, "not_signed_in"), (413, "too_large")}


def test_a_refused_large_body_gets_a_response_and_no_reset(port: int) -> None:
    for size in (300_000, 2_000_000, 3_900_000, 9_000_000) * 3:
        head = JSON_POST + b"Content-Length: %d\r\n\r\n" % size
        status, _, body = _ask(port, head + b"x" * size)
        assert (status, body["code"]) == (413, "too_large")


def test_a_malformed_chunk_is_400(port: int) -> None:
    head = JSON_POST + b"Transfer-Encoding: chunked\r\n\r\n"
    for chunks in (b"zz\r\n{}\r\n0\r\n\r\n", b"2\r\n{}xx\r\n0\r\n\r\n", b"-1\r\n{}\r\n"):
        status, _, body = _ask(port, head + chunks)
        assert (status, body["code"]) == (400, "bad_request")


@pytest.mark.parametrize("path", [b"/api/login", b"/api/notes", b"/api/nothing", b"/api/version"])
def test_a_connection_that_is_kept_serves_the_next_request(port: int, path: bytes) -> None:
    head = JSON_POST.replace(b"/api/login", path)
    for size in (60_000, 81_920, 300_000, 1_000_000, 3_900_000) * 2:
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            connection.sendall(head + b"Content-Length: %d\r\n\r\n" % size + b"x" * size)
            first = servers.read_answer(connection)
            assert first.startswith(b"HTTP/1.1 4")
            if b"connection: close" in first.lower():
                continue
            connection.sendall(b"GET /api/version HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert servers.read_answer(connection).startswith(b"HTTP/1.1 200")


def test_forwarded_headers_of_strangers_change_nothing(port: int) -> None:
    request = (
        b"GET /api/version HTTP/1.1\r\nHost: localhost\r\n"
        b"X-Forwarded-Proto: https\r\nX-Forwarded-For: 198.51.100.1\r\n\r\n"
    )
    status, headers, _ = _ask(port, request)
    assert status == 200
    # Only set over https.
    assert "strict-transport-security" not in headers


def test_every_response_has_a_request_id_and_a_length(port: int) -> None:
    status, headers, _ = _ask(
        port, b"GET /api/nothing HTTP/1.1\r\nHost: localhost\r\nX-Request-ID: trace-1234\r\n\r\n"
    )
    assert (status, headers["x-request-id"]) == (404, "trace-1234")


@pytest.mark.parametrize(
    "request_",
    [
        b"GARBAGE\r\n\r\n",
        b"GET /canary\x01 HTTP/1.1\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 99000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 900_000,
        JSON_POST + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        JSON_POST + b"Content-Length: -1\r\n\r\n",
        GET + b"canary\r\n\r\n",
        GET + b"X: a\x00canary\r\n\r\n",
        GET.replace(b"/api/", b"/api/canary ") + b"\r\n",
        HANDSHAKE + b"\r\n",
        HANDSHAKE + b"Sec-WebSocket-Version: 8\r\nSec-WebSocket-Key: " + KEY + b"\r\n\r\n",
        HANDSHAKE + b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: canary\r\n\r\n",
        HANDSHAKE.replace(b"GET", b"POST") + b"Content-Length: 2\r\n\r\n{}",
        HANDSHAKE.replace(b"/ws", b"/canary") + WHOLE,
        HANDSHAKE + b"Origin: https://canary.example\r\n" + WHOLE,
    ],
    ids=[
        "no HTTP",
        "control character",
        "version",
        "long line",
        "long header",
        "endless header",
        "two lengths",
        "negative length",
        "no header",
        "zero byte",
        "space in the path",
        "handshake without a key",
        "handshake of another version",
        "handshake with a wrong key",
        "handshake with a body",
        "handshake elsewhere",
        "handshake from another site",
    ],
)
def test_malformed_http_gets_the_error_body_without_an_echo(request_: bytes, port: int) -> None:
    status, headers, body = _ask(port, request_)
    assert 400 <= status < 600
    assert headers["content-type"] == "application/json"
    assert headers["content-language"] == "en"
    assert body["success"] is False
    assert "canary" not in str(body)


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
        ({"WEB_THREADS": "abc"}, "WEB_THREADS must be a whole number"),
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


def test_a_second_process_without_redis_is_refused(tmp_path: Path) -> None:
    with servers.running(servers.HTTP, tmp_path):
        code, log = _refusal(tmp_path)
    assert code != 0
    assert "another server already runs" in log


SAYS_WHAT_IS_FROZEN = """
import gc

exec(open("{config}").read())
deployed = post_worker_init


def post_worker_init(worker):
    deployed(worker)
    print("frozen objects:", gc.get_freeze_count(), file=sys.stderr, flush=True)
"""


@pytest.mark.parametrize("kind", [servers.HTTP, servers.SOCKETS], ids=["http", "sockets"])
def test_what_is_loaded_at_start_is_not_collected(
    kind: tuple[str, str, str], tmp_path: Path
) -> None:
    config = tmp_path / "says.conf.py"
    config.write_text(SAYS_WHAT_IS_FROZEN.format(config=kind[0]))
    with servers.running((str(config), *kind[1:]), tmp_path) as server:
        pass
    found = re.findall(r"frozen objects: (\d+)", server.log)
    assert [int(count) > 100_000 for count in found] == [True], server.log
