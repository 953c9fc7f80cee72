"""Clients that send or read slowly use a thread for a limited time."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

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


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server with two threads and short timeouts."""
    folder = tmp_path_factory.mktemp("data")
    config = folder / "hurried.conf.py"
    config.write_text(HURRIED)
    with servers.running((str(config), *servers.HTTP[1:]), folder, WEB_THREADS="2") as server:
        yield server.port
    assert '"level":"ERROR"' not in server.log, server.log
    assert "Traceback" not in server.log


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=10)


@pytest.mark.parametrize("half", [HALF_A_HEAD, HALF_A_BODY], ids=["head", "body"])
def test_half_a_request_uses_a_thread_for_a_limited_time(port: int, half: bytes) -> None:
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


def test_single_bytes_do_not_extend_the_limit(port: int) -> None:
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


def test_a_client_that_does_not_close_blocks_nobody(port: int) -> None:
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
