"""Sockets and HTTP as they are shipped: two processes on Redis, or one process without it."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
import urllib3
from django.db import connection as database

from stats.models import Counter
from tests.ports import free_port
from tests.social.conftest import OpenSocket
from tests.social.socket_frames import answers_ping, close_code, receive, receive_ready
from upstream.simulator.server import Simulator

SERVES = {"http": "wrapper_project.wsgi:application", "sockets": "wrapper_project.asgi:application"}
REPOSITORY = Path(__file__).resolve().parents[2]
Start = Callable[..., int]
Stop = Callable[[int], None]
Cookies = dict[str, str]

http = urllib3.PoolManager(retries=False)


@pytest.fixture
def running() -> Iterator[dict[int, subprocess.Popen[bytes]]]:
    """The servers of a test by port; stopped at its end."""
    processes: dict[int, subprocess.Popen[bytes]] = {}
    yield processes
    for process in processes.values():
        process.terminate()
    for process in processes.values():
        process.wait(timeout=20)


@pytest.fixture
def start(
    transactional_db: None,
    simulator: Simulator,
    tmp_path: Path,
    running: dict[int, subprocess.Popen[bytes]],
) -> Start:
    """Starts gunicorn as shipped; returns its port once it is ready."""
    settings = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "UPSTREAM_URL": simulator.url,
        "DATA_DIR": str(tmp_path),
        "BIND_HOST": "127.0.0.1",
    }
    for name in ("REDIS_URL", "DJANGO_SETTINGS_MODULE"):  # each server sets its own
        settings.pop(name, None)

    def go(kind: str, environment: dict[str, str] | None = None) -> int:
        port = free_port()
        both = {"WEB_PORT": str(port), "SOCKETS_PORT": str(port)}
        with (tmp_path / f"{kind}-{port}.log").open("wb") as log:
            running[port] = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", "-c", f"deploy/{kind}.conf.py", SERVES[kind]],
                cwd=REPOSITORY,
                env={**settings, **both, **(environment or {})},
                stdout=log,
                stderr=log,
            )
        await_ready(port, running[port])
        return port

    return go


@pytest.fixture
def stop(running: dict[int, subprocess.Popen[bytes]]) -> Stop:
    """Stops a server as an operator does, and waits until it has ended."""

    def go(port: int) -> None:
        running[port].terminate()
        running[port].wait(timeout=20)

    return go


def database_url() -> str:
    """The database of the test, for a process of its own."""
    known = database.settings_dict
    if database.vendor == "sqlite":
        return f"sqlite:///{known['NAME']}"
    who = f"{known['USER']}:{known['PASSWORD']}"
    return f"postgresql://{who}@{known['HOST']}:{known['PORT']}/{known['NAME']}"


def await_ready(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and process.poll() is None:
        try:
            http.request("GET", f"http://127.0.0.1:{port}/healthz")
        except urllib3.exceptions.HTTPError:
            time.sleep(0.05)  # nothing announces a port of another process
        else:
            return
    raise AssertionError("the server did not start")


def sign_in(port: int) -> Cookies:
    answer = http.request(
        "POST",
        f"http://127.0.0.1:{port}/api/login",
        json={"username": "elsa.nordvall", "password": "elsa-demo", "school": "bjorkdalen"},
    )
    assert answer.status == 200, answer.data
    pairs = [line.partition(";")[0] for line in answer.headers.getlist("Set-Cookie")]
    return {"Cookie": "; ".join(pairs)}


def log_out(port: int, cookies: Cookies) -> None:
    answer = http.request("POST", f"http://127.0.0.1:{port}/api/logout", headers=cookies)
    assert json.loads(answer.data)["success"] is True


def test_a_logout_is_received_in_one_process_without_redis(
    start: Start, open_socket: OpenSocket
) -> None:
    port = start("sockets")
    leaving, staying = sign_in(port), sign_in(port)
    ends, stays = open_socket(port, headers=leaving), open_socket(port, headers=staying)
    assert receive_ready(ends) == receive_ready(stays) == "elsa.nordvall"
    log_out(port, leaving)
    assert receive(ends, within=1) == {"type": "session.ended", "reason": "logout"}
    assert close_code(ends, within=1) == 4401
    assert answers_ping(stays)


def test_a_logout_in_the_http_process_closes_sockets_in_two_other_processes(
    shared_redis: str, start: Start, open_socket: OpenSocket
) -> None:
    web = start("http", {"REDIS_URL": shared_redis})
    here = start("sockets", {"REDIS_URL": shared_redis})
    there = start("sockets", {"REDIS_URL": shared_redis})
    for _ in range(2):  # the second logout finds the loop and its connection open
        leaving, staying = sign_in(web), sign_in(web)
        ends = [open_socket(port, headers=leaving) for port in (here, there)]
        stays = open_socket(there, headers=staying)
        for connection in (*ends, stays):
            receive_ready(connection)
        log_out(web, leaving)
        for connection in ends:
            assert receive(connection, within=1) == {"type": "session.ended", "reason": "logout"}
            assert close_code(connection, within=1) == 4401
        assert answers_ping(stays)


def test_sockets_of_two_processes_count_together(
    shared_redis: str, start: Start, open_socket: OpenSocket
) -> None:
    ports = [start("sockets", {"REDIS_URL": shared_redis}) for _ in range(2)]
    cookies = sign_in(ports[0])
    sockets = []
    for number in range(6):
        sockets.append(open_socket(ports[number % 2], headers=cookies))
        receive_ready(sockets[-1])
    assert close_code(sockets[0], within=2) == 4409
    assert all(answers_ping(connection) for connection in sockets[1:])


@pytest.mark.slow
def test_a_socket_survives_six_idle_seconds_and_a_lost_connection_to_redis(
    shared_redis: str, start: Start, open_socket: OpenSocket
) -> None:
    """redis-py 8 under channels-redis 4.3 closed every idle socket after five seconds."""
    port = start("sockets", {"REDIS_URL": shared_redis})
    cookies = sign_in(port)
    connection = open_socket(port, headers=cookies)
    receive_ready(connection)
    with pytest.raises(TimeoutError):
        connection.recv(timeout=6.5)
    assert answers_ping(connection)
    with redis.Redis.from_url(shared_redis) as client:
        own = client.connection_pool.connection_kwargs["db"]
        for known in client.client_list():
            if int(known["db"]) == own and known["cmd"] != "client|list":
                client.client_kill_filter(_id=known["id"])
    with pytest.raises(TimeoutError):
        connection.recv(timeout=2.5)  # the layer tries again after a second
    log_out(port, cookies)
    assert receive(connection, within=2)["type"] == "session.ended"


def test_a_shutdown_closes_sockets_with_1012(
    start: Start, stop: Stop, open_socket: OpenSocket
) -> None:
    port = start("sockets")
    connection = open_socket(port, headers=sign_in(port))
    receive_ready(connection)
    stop(port)
    assert close_code(connection) == 1012


@pytest.mark.parametrize("kind", ["http", "sockets"])
def test_a_shutdown_flushes_the_statistics(start: Start, stop: Stop, kind: str) -> None:
    port = start(kind)
    for _ in range(3):
        sign_in(port)
    stop(port)
    assert Counter.objects.get(name="login").value == 3
