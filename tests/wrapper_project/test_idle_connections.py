"""Connections that send no request, or not all of one, are dropped by both servers."""

import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.wrapper_project import servers

VERSION = b"GET /api/version HTTP/1.1\r\nHost: localhost\r\n\r\n"
PARTS = {
    "nothing": b"",
    "an empty line": b"\r\n",
    "half a head": VERSION[:-10],
    "half a body": b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{",
}
HURRIED = {
    "threads": """
from wrapper_project.servers.http_worker import ClientSocket
ClientSocket.silence_seconds = 1
exec(open("deploy/http.conf.py").read())
""",
    "sockets": """
from wrapper_project.servers.socket_worker import HttpProtocol
HttpProtocol.head_seconds = HttpProtocol.body_seconds = 1
exec(open("deploy/sockets.conf.py").read())
""",
}
# Less than the 75 s that a connection may be idle between two requests.
SOON = 30.0


@pytest.fixture(scope="module", params=HURRIED)
def port(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server with short time limits, and of HTTP with two threads."""
    folder = tmp_path_factory.mktemp("data")
    config = folder / "hurried.conf.py"
    config.write_text(HURRIED[request.param])
    shipped = servers.HTTP if request.param == "threads" else servers.SOCKETS
    kind = (str(config), *shipped[1:])
    changes = {"WEB_THREADS": "2", "PYTHONPATH": str(servers.ROOT)}
    with servers.running(kind, folder, **changes) as server:
        yield server.port
    assert "Traceback" not in server.log


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=SOON)


@pytest.mark.parametrize("part", PARTS)
def test_it_is_dropped_when_no_request_comes(port: int, part: str) -> None:
    with connect(port) as idle:
        idle.sendall(PARTS[part])
        while idle.recv(4096):
            pass  # a response or none, then the end


def test_the_rest_of_a_second_request_has_a_time_limit_too(port: int) -> None:
    with connect(port) as kept:
        kept.sendall(VERSION)
        assert b" 200 " in servers.read_answer(kept)
        kept.sendall(PARTS["half a head"])
        while kept.recv(4096):
            pass


def test_a_connection_between_two_requests_is_kept(port: int) -> None:
    with connect(port) as kept:
        kept.sendall(VERSION)
        assert b" 200 " in servers.read_answer(kept)
        time.sleep(2.5)  # longer than the limits
        kept.sendall(VERSION)
        assert b" 200 " in servers.read_answer(kept)


def test_connections_without_a_request_use_no_thread(port: int) -> None:
    with ExitStack() as stack:
        for _ in range(20):
            stack.enter_context(connect(port))
        began = time.monotonic()
        assert b" 200 " in servers.exchange(port, VERSION)
        # gunicorn would wait five seconds for each, two at a time.
        assert time.monotonic() - began < 10


def test_a_request_that_comes_while_the_server_stops_is_answered(tmp_path: Path) -> None:
    with servers.running(servers.HTTP, tmp_path) as server, connect(server.port) as early:
        # Accepted, because the server has answered a later one.
        assert b" 200 " in servers.exchange(server.port, VERSION)
        server.process.terminate()
        early.sendall(VERSION)
        assert b" 200 " in servers.read_answer(early)


def test_the_samples_allow_more_connections_than_the_usual_1024() -> None:
    deploy = servers.ROOT / "deploy"
    for unit in ("wrapper-web@.service", "wrapper-sockets@.service"):
        found = re.search(r"^LimitNOFILE=(\d+)$", (deploy / "systemd" / unit).read_text(), re.M)
        assert found is not None
        assert int(found[1]) > 10_000
    head = (deploy / "nginx.conf").read_text().partition("upstream wrapper_web")[0]
    assert re.search(r"worker_rlimit_nofile \d+;", head)
    assert re.search(r"worker_connections \d+;", head)
