"""Sockets and HTTP as they are shipped: in processes of their own on Redis, or one without it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import redis
from websockets.sync.client import ClientConnection

from stats.models import Counter
from tests.service_process import ServiceProcess, cookie_header, running
from tests.social.conftest import SocketsAt
from tests.social.factories import group_of
from tests.social.socket_frames import answers_ping, close_code, receive
from upstream.simulator.server import Simulator

Start = Callable[..., ServiceProcess]
Cookies = dict[str, str]
Connect = Callable[[ServiceProcess, Cookies], ClientConnection]


@pytest.fixture
def start(transactional_db: None, simulator: Simulator, tmp_path: Path) -> Iterator[Start]:
    """Starts a server of a kind; with the URL of a Redis database, or without Redis."""
    with ExitStack() as servers:

        def go(kind: str, redis_url: str = "") -> ServiceProcess:
            server = running(tmp_path, simulator.url, kind=kind, REDIS_URL=redis_url)
            return servers.enter_context(server)

        yield go


@pytest.fixture
def connect(sockets_at: SocketsAt) -> Connect:
    """Opens a socket with these cookies."""

    def go(server: ServiceProcess, cookies: Cookies) -> ClientConnection:
        return sockets_at(server.port).ready(headers={"Cookie": cookie_header(cookies)})

    return go


def log_out(server: ServiceProcess, cookies: Cookies) -> None:
    assert server.request("POST", "/api/logout", cookies=cookies)[0] == 200


def ends_by_logout(connection: ClientConnection) -> bool:
    ended = receive(connection, within=1)
    assert ended == {"type": "session.ended", "reason": "logout"}
    return close_code(connection, within=1) == 4401


def test_sockets_of_two_processes_a_message_and_a_logout_in_a_third(
    shared_redis: str, start: Start, connect: Connect
) -> None:
    web, here, there = (start(kind, shared_redis) for kind in ("http", "sockets", "sockets"))
    for _ in range(2):  # the second time finds the loop and its connection open
        leaving, staying = web.sign_in(), web.sign_in()
        ends = [connect(server, leaving) for server in (here, there)]
        stays = connect(there, staying)
        path = f"/api/conversations/{group_of('elsa.nordvall').pk.hex}/messages"
        status, answer, _ = web.request("POST", path, {"content": "Hej"}, cookies=staying)
        assert status == 201
        for connection in (*ends, stays):
            heard = receive(connection)
            assert (heard["type"], heard["message"]) == ("message.created", answer["message"])
        log_out(web, leaving)
        assert all(ends_by_logout(connection) for connection in ends)
        assert answers_ping(stays)


@pytest.mark.slow
def test_a_socket_survives_six_idle_seconds_and_a_lost_connection_to_redis(
    shared_redis: str, start: Start, connect: Connect
) -> None:
    """redis-py 8 under channels-redis 4.3 closed every idle socket after five seconds."""
    server = start("sockets", shared_redis)
    cookies = server.sign_in()
    connection = connect(server, cookies)
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
    log_out(server, cookies)
    assert receive(connection, within=2)["type"] == "session.ended"


def test_a_shutdown_closes_sockets_with_1012(start: Start, connect: Connect) -> None:
    server = start("sockets")
    connection = connect(server, server.sign_in())
    assert server.stop() == 0
    assert close_code(connection) == 1012
    assert Counter.objects.get(name="login").value == 1  # the statistics are not lost


def test_a_shutdown_without_sockets_loses_no_statistics(start: Start) -> None:
    server = start("http")
    for _ in range(3):
        server.sign_in()
    assert server.stop() == 0
    assert Counter.objects.get(name="login").value == 3
