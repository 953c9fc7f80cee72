"""Clients that send or read slowly use a thread for a limited time."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.ports import free_port
from tests.wrapper_project import servers
from wrapper_project.servers.http_worker import ClientSocket

VERSION = b"GET /api/version HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF_A_HEAD = VERSION[:-10]
HALF_A_BODY = (
    b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
    b"Content-Length: 100\r\n\r\n{"
)
HURRIED = """
from wrapper_project.servers.http_worker import ClientSocket

ClientSocket.silence_seconds = 1
ClientSocket.request_seconds = 2
exec(open("deploy/http.conf.py").read())
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[int, list[str]]]:
    """The port of a server with two threads and short timeouts; its log, once it has ended."""
    config = tmp_path / "hurried.conf.py"
    config.write_text(HURRIED)
    kind = (str(config), *servers.HTTP[1:])
    log: list[str] = []
    port = free_port()
    process = servers.start(kind, tmp_path, port, WEB_THREADS="2")
    try:
        servers.wait(process, port)
        yield port, log
    finally:
        process.terminate()
        log.append(process.communicate(timeout=20)[1])
        assert '"level":"ERROR"' not in log[0], log[0]
        assert "Traceback" not in log[0]


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=10)


@pytest.mark.parametrize("half", [HALF_A_HEAD, HALF_A_BODY], ids=["head", "body"])
def test_half_a_request_uses_a_thread_for_a_limited_time(
    server: tuple[int, list[str]], half: bytes
) -> None:
    port, _ = server
    with ExitStack() as stack:
        slow = [stack.enter_context(connect(port)) for _ in range(4)]
        for one in slow:
            one.sendall(half)
        began = time.monotonic()
        assert b" 200 " in servers.exchange(port, VERSION)
        assert time.monotonic() - began < 6
        for one in slow:
            while one.recv(4096):
                pass  # a response or none, then the end


def test_single_bytes_do_not_extend_the_limit(server: tuple[int, list[str]]) -> None:
    port, _ = server
    over = threading.Event()

    def trickle(one: socket.socket) -> None:
        one.sendall(b"GET /")
        while not over.wait(0.3):
            try:
                one.sendall(b"x")
            except OSError:
                return

    with ExitStack() as stack:
        threads = [
            threading.Thread(target=trickle, args=(stack.enter_context(connect(port)),))
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        try:
            assert b" 200 " in servers.exchange(port, VERSION)
        finally:
            over.set()
            for thread in threads:
                thread.join(5)


def test_a_keep_alive_connection_may_be_idle_for_longer(server: tuple[int, list[str]]) -> None:
    port, _ = server
    with connect(port) as kept:
        for _ in range(2):
            kept.sendall(VERSION)
            answer = b""
            while not answer.endswith(b"}"):
                part = kept.recv(65536)
                assert part, "the connection is over"
                answer += part
            assert b" 200 " in answer
            time.sleep(2.5)  # longer than both limits


def test_a_client_that_does_not_close_blocks_nobody(server: tuple[int, list[str]]) -> None:
    port, _ = server
    request = VERSION.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    with connect(port) as one:
        one.sendall(request)
        while one.recv(65536):
            pass
        began = time.monotonic()
        assert b" 200 " in servers.exchange(port, VERSION)
        assert time.monotonic() - began < 1


def test_a_client_that_reads_nothing_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ClientSocket, "silence_seconds", 0.1)
    ours, theirs = socket.socketpair()
    with theirs, ClientSocket.take_over(ours) as taken:
        taken.setblocking(True)
        with pytest.raises(TimeoutError):
            taken.sendall(b"x" * 10_000_000)
        taken.finish()
        while theirs.recv(1_000_000):
            pass
