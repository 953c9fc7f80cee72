"""Both servers with the deployed configuration: bodies, starting, stopping."""

import re
import socket
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.ports import free_port
from tests.wrapper_project import servers
from wrapper_project.servers import startup

JSON_POST = b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
GET = b"GET /api/version HTTP/1.1\r\nHost: localhost\r\n"
METRICS = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
# Whose forwarded headers count, and whose do not.
PROXY, STRANGER = "127.0.0.1", "127.0.0.2"


@pytest.fixture(params=["http", "sockets"])
def port(request: pytest.FixtureRequest) -> int:
    """Of each server."""
    found: int = request.getfixturevalue(f"{request.param}_server")
    return found


def _ask(port: int, request: bytes, *, client: str = PROXY) -> tuple[int, dict[str, str], Any]:
    head, _, body = servers.exchange(port, request, client=client).partition(b"\r\n\r\n")
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
    """Over https, what a page sends that was fetched without it is refused."""
    request = (
        b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
        b"X-Forwarded-Proto: https\r\nX-Forwarded-For: 198.51.100.1\r\n"
        b"Content-Length: 2\r\n\r\n{}"
    )
    for client, code in ((PROXY, "cross_origin"), (STRANGER, "invalid_input")):
        assert _ask(port, request, client=client)[2]["code"] == code


def test_a_content_type_that_cannot_be_read_is_no_server_error(port: int) -> None:
    for name in (b"x; a*=nonsense''b", b"multipart/form-data; boundary*=nonsense''b", b"\xff;=;"):
        head = b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + name
        status, _, body = _ask(port, head + b"\r\nContent-Length: 2\r\n\r\n{}")
        assert (status, body["code"]) == (400, "invalid_input")


def test_cookies_of_other_services_on_the_domain_do_no_harm(port: int) -> None:
    cookies = b"; ".join(b"other%d=%s" % (number, b"x" * 1000) for number in range(15))
    assert len(cookies) > 15_000
    status, _, body = _ask(port, GET + b"Cookie: " + cookies + b"\r\nConnection: close\r\n\r\n")
    assert (status, body["success"]) == (200, True)


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


def test_a_start_with_an_invalid_variable_is_refused_with_the_reason(tmp_path: Path) -> None:
    code, log = _refusal(tmp_path, DATABASE_URL="postgres://u:canary@h:port/x")
    assert code != 0
    assert "DATABASE_URL is not a valid URL" in log
    assert "Traceback" not in log
    assert "canary" not in log


def test_a_start_with_a_key_that_is_none_names_its_variable(tmp_path: Path) -> None:
    code, log = _refusal(tmp_path, FIELD_ENCRYPTION_KEYS="canary")
    assert code != 0
    assert "FIELD_ENCRYPTION_KEYS: key 1 is not 32 bytes in url-safe base64." in log
    assert "Traceback" not in log
    assert "canary" not in log


def test_a_start_with_dangerous_settings_is_refused_with_all_reasons(tmp_path: Path) -> None:
    code, log = _refusal(tmp_path, DEBUG="0", SECRET_KEY="canary")
    assert code == startup.CANNOT_BOOT
    for reason in ("SECRET_KEY is shorter than 32 characters.", "REDIS_URL is not set."):
        assert log.count(reason) == 1
    assert "Traceback" not in log
    assert "canary" not in log


def test_a_port_that_is_taken_is_named_in_the_log(tmp_path: Path, http_server: int) -> None:
    process = servers.start(servers.HTTP, tmp_path, http_server)
    _, log = process.communicate(timeout=servers.START_SECONDS)
    assert process.returncode != 0
    assert f"Connection in use: ('127.0.0.1', {http_server})" in log


def test_a_body_with_too_large_a_length_is_413_before_it_arrives(http_server: int) -> None:
    status, headers, body = _ask(http_server, JSON_POST + b"Content-Length: 99999999\r\n\r\n")
    assert (status, body["code"]) == (413, "too_large")
    assert headers["x-request-id"]


def test_workers_share_their_metrics_and_end_a_request_that_has_begun(tmp_path: Path) -> None:
    before, body = _metrics_folders(), b'{"unknown": 1}'
    changes = {"METRICS": "on", "WEB_WORKERS": "2", "TRUSTED_PROXIES": PROXY}
    with servers.running(servers.HTTP, tmp_path, **changes) as server:
        for _ in range(12):
            assert _ask(server.port, GET + b"\r\n")[0] == 200
        texts = [servers.exchange(server.port, METRICS + b"\r\n").decode() for _ in range(6)]
        outside = METRICS + b"X-Forwarded-For: 198.51.100.7\r\n\r\n"
        assert _ask(server.port, outside)[0] == 404
        ours = _metrics_folders() - before
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as begun:
            length = b"Content-Length: %d\r\n" % len(body)
            begun.sendall(JSON_POST + b"Expect: 100-continue\r\n" + length + b"\r\n")
            assert begun.recv(1024).startswith(b"HTTP/1.1 100 ")  # a thread waits for the body
            server.process.terminate()
            assert any("Handling signal: term" in line for line in server.process.stderr or ())
            begun.sendall(body)
            assert servers.read_answer(begun).startswith(b"HTTP/1.1 400 ")
        assert server.process.wait(10) == 0
    answers = 'wrapper_http_requests_total{method="GET",route="version",status="200"}'
    assert {_number(text, answers) for text in texts} == {12.0}
    assert _number(texts[0], "wrapper_http_requests_in_progress") == 1.0
    assert 'wrapper_info{version="' in texts[0]
    # Other test runs may create and delete theirs.
    assert not ours or ours - _metrics_folders()


def _metrics_folders() -> set[Path]:
    """The folders through which workers share metrics."""
    return set(Path("/dev/shm").glob("wrapper-metrics-*"))


def _number(text: str, sample: str) -> float:
    """The value of one sample, or 0."""
    found = re.search(rf"^{re.escape(sample)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


@pytest.mark.parametrize(("client", "status"), [(PROXY, 403), (STRANGER, 101)])
def test_a_socket_has_the_scheme_of_a_trusted_proxy(
    client: str, status: int, sockets_server: int
) -> None:
    """Over https, a page that was fetched without it opens no socket."""

    def handshake(path: bytes, headers: bytes) -> int:
        request = HANDSHAKE.replace(b"/ws", path) + headers + b"\r\n"
        return int(servers.exchange(sockets_server, request, client=client).split()[1])

    page = b"Origin: http://localhost\r\n"
    assert handshake(b"/ws", page) == 101
    assert handshake(b"/elsewhere", page) == 404
    assert handshake(b"/ws", page + b"X-Forwarded-Proto: https\r\n") == status
