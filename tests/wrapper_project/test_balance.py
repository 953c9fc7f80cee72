"""Two workers of one server share the cores and the connections."""

import os
import signal
import socket
import statistics
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.wrapper_project import servers

GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
AT_ONCE = 16


def workers_of(master: int) -> list[int]:
    listed = Path(f"/proc/{master}/task/{master}/children").read_text()
    return [int(pid) for pid in listed.split()]


def peers_of(pid: int, port: int) -> set[int]:
    """The ports of the clients whose connections a process holds."""
    inodes = set()
    for each in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            inodes.add(str(each.readlink()))
    peers = set()
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, remote, *_, inode = line.split()[:10]
        if int(local.partition(":")[2], 16) == port and f"socket:[{inode}]" in inodes:
            peers.add(int(remote.partition(":")[2], 16))
    return peers


def connect(stack: ExitStack, port: int, count: int) -> list[socket.socket]:
    """Connections that were opened in one burst."""
    address = ("127.0.0.1", port)
    return [
        stack.enter_context(socket.create_connection(address, timeout=10)) for _ in range(count)
    ]


def ask(connection: socket.socket) -> None:
    connection.sendall(GET)
    assert b" 200 " in servers.read_answer(connection)


def shares_of_a_burst(port: int, workers: list[int]) -> list[int]:
    """How many of AT_ONCE connections each worker accepts."""
    with ExitStack() as stack:
        connections = connect(stack, port, AT_ONCE)
        for connection in connections:
            ask(connection)
        own = {connection.getsockname()[1] for connection in connections}
        return [len(own & peers_of(pid, port)) for pid in workers]


def is_shared(port: int, workers: list[int]) -> bool:
    """Whether each worker usually accepts a quarter or more of a burst.

    Each has a core of its own: while something else keeps one busy, its worker rightly accepts
    less, so this looks several times.
    """
    return any(_usual_smaller_share(port, workers) >= AT_ONCE / 4 for _ in range(10))


def _usual_smaller_share(port: int, workers: list[int]) -> float:
    return statistics.median(min(shares_of_a_burst(port, workers)) for _ in range(9))


def await_workers(port: int, master: int) -> list[int]:
    """Two workers, when both accept connections."""
    deadline = time.monotonic() + servers.START_SECONDS
    while time.monotonic() < deadline:
        workers = workers_of(master)
        if len(workers) == 2 and min(shares_of_a_burst(port, workers)) > 0:
            return workers
    raise AssertionError("only one worker accepts connections")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, spare_redis: str) -> Iterator[tuple[int, int]]:
    """The port and the master of a server with two workers."""
    changes = {"REDIS_URL": spare_redis, "WEB_WORKERS": "2", "WEB_THREADS": "16"}
    # Nobody reads its log, which would fill the pipe.
    changes["LOG_LEVEL"] = "WARNING"
    with servers.running(servers.HTTP, tmp_path_factory.mktemp("data"), **changes) as running:
        await_workers(running.port, running.process.pid)
        yield running.port, running.process.pid


def test_each_worker_takes_its_share_of_a_burst(server: tuple[int, int]) -> None:
    port, master = server
    assert is_shared(port, workers_of(master))


@pytest.mark.skipif(os.cpu_count() == 1, reason="needs two cores")
def test_each_worker_stays_on_a_core_of_its_own(server: tuple[int, int]) -> None:
    cores = [os.sched_getaffinity(pid) for pid in workers_of(server[1])]
    assert [len(each) for each in cores] == [1, 1]
    assert cores[0] != cores[1]


def test_a_worker_that_hangs_keeps_no_connection_from_the_other(server: tuple[int, int]) -> None:
    port, master = server
    hanging = workers_of(master)[0]
    os.kill(hanging, signal.SIGSTOP)
    try:
        with ExitStack() as stack:
            for connection in connect(stack, port, AT_ONCE):
                ask(connection)
    finally:
        os.kill(hanging, signal.SIGCONT)


def test_the_successor_of_a_killed_worker_takes_its_share(server: tuple[int, int]) -> None:
    port, master = server
    killed, kept = workers_of(master)
    os.kill(killed, signal.SIGKILL)
    while killed in workers_of(master):
        time.sleep(0.05)
    workers = await_workers(port, master)
    assert kept in workers
    assert is_shared(port, workers)
