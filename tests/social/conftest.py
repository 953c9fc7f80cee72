"""A real server on a loopback port, real clients, and the simulated school system."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import pytest
import redis
import uvicorn
from channels.routing import URLRouter
from django.test import override_settings
from django.urls import path
from websockets.sync.client import ClientConnection, connect

from social.limits import SocketLimits
from social.models import Conversation
from social.realtime.consumers import SocketConsumer
from social.realtime.events import SocketError
from social.realtime.publish import Delivery, publish_on_commit
from social.realtime.sender import wait_until_sent
from tests.conftest import Caller
from tests.social.cast import Cast, Person
from tests.social.factories import dm_of, group_of
from tests.social.socket_frames import receive, receive_ready
from upstream.simulator.server import Simulator
from wrapper_project.servers import socket_worker

SocketsAt = Callable[[int], "Sockets"]
SocketsWith = Callable[[SocketLimits], "Sockets"]
Listen = Callable[..., list["Listener"]]


class _Server(uvicorn.Server):
    """Sets `up` when it serves."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()


def service() -> Any:
    """The application of the sockets server. It loads with DEBUG: there may be no Redis."""
    with override_settings(DEBUG=True):
        from wrapper_project.asgi import application

    return application


@contextmanager
def serve(application: Any, **changes: Any) -> Iterator[int]:
    """The application in a thread, set up as the shipped worker; yields the port."""
    with serving(application, **changes) as (port, _):
        yield port


@contextmanager
def serving(
    application: Any, *, send_buffer: int | None = None, **changes: Any
) -> Iterator[tuple[int, uvicorn.Server]]:
    """The same, with the server. `changes` are of its configuration.

    `send_buffer`: bytes that the kernel holds for a client that does not read.
    """
    listener = socket.create_server(("127.0.0.1", 0))
    if send_buffer is not None:  # connections inherit it
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
    options = {**socket_worker.SocketWorker.CONFIG_KWARGS, "loop": "asyncio", "lifespan": "off"}
    options |= {"log_level": "critical"} | changes  # for the whole process, the simulator too
    server = _Server(uvicorn.Config(application, log_config=None, **options))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        assert server.up.wait(15)
        yield listener.getsockname()[1], server
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@pytest.fixture
def port(transactional_db: None, simulator: Simulator) -> Iterator[int]:
    """The service itself, HTTP and sockets."""
    with serve(service()) as port:
        yield port


class SignedIn(Caller):
    """Somebody who has signed in with cookies; `token` is what a native app would send."""

    token = ""


def cookie_header(caller: Caller) -> str:
    return "; ".join(f"{name}={morsel.value}" for name, morsel in caller.http.cookies.items())


class Sockets:
    """People, and their sockets at a port. What was published before one is opened is sent first,
    so that it does not receive it."""

    def __init__(self, port: int, stack: ExitStack) -> None:
        self.port = port
        self._stack = stack

    def sign_in(self, username: str = "elsa.nordvall", school: str = "bjorkdalen") -> SignedIn:
        """Somebody with cookies of their own."""
        caller = SignedIn()
        caller.enter(username, school)
        return caller

    def open(
        self, caller: Caller | None = None, *, address: str = "/ws", **options: Any
    ) -> ClientConnection:
        headers = dict(options.pop("headers", {}))
        if caller is not None:
            headers["Cookie"] = cookie_header(caller)
        url = f"ws://127.0.0.1:{self.port}{address}"
        wait_until_sent()
        connection: ClientConnection = connect(
            url, additional_headers=headers, proxy=None, **options
        )
        return self._stack.enter_context(connection)

    def ready(self, caller: Caller | None = None, **options: Any) -> ClientConnection:
        """The same, when it has said `ready`."""
        connection = self.open(caller, **options)
        receive_ready(connection)
        return connection


@pytest.fixture
def sockets_at() -> Iterator[SocketsAt]:
    """Sockets at a port. Everything is closed at the end."""
    with ExitStack() as stack:
        yield partial(Sockets, stack=stack)


@pytest.fixture
def sockets(port: int, sockets_at: SocketsAt) -> Sockets:
    """Sockets of the service."""
    return sockets_at(port)


@pytest.fixture
def sockets_with(
    transactional_db: None, simulator: Simulator, sockets_at: SocketsAt
) -> Iterator[SocketsWith]:
    """Sockets without the rest of the service, with limits that a test can wait for."""
    with ExitStack() as servers:

        def start(limits: SocketLimits) -> Sockets:
            route = path("ws", SocketConsumer.as_asgi(limits=limits))
            return sockets_at(servers.enter_context(serve(URLRouter([route]))))

        yield start


@pytest.fixture
def elsas_socket(sockets: Sockets) -> ClientConnection:
    """A socket of Elsa's, which is ready."""
    return sockets.ready(sockets.sign_in())


class Listener:
    """A person's open socket."""

    def __init__(self, person: Person, connection: ClientConnection) -> None:
        self.person = person
        self.connection = connection

    def heard(self, *, notifications: bool = False) -> list[dict[str, Any]]:
        """Everything about people and conversations that was published since the last time; about
        notifications, if these are wanted."""
        end = SocketError(code="nothing else was published")
        publish_on_commit([Delivery([self.person.account_id], end)])
        frames: list[dict[str, Any]] = []
        last = {"type": "error", "code": end.code}
        while (frame := receive(self.connection, notifications=notifications)) != last:
            frames.append(frame)
        return frames


@pytest.fixture
def listen(sockets: Sockets) -> Listen:
    """Opens a socket for each of these people."""
    return lambda *people: [Listener(person, sockets.ready(person)) for person in people]


@pytest.fixture
def group(elsa: Caller, bo: Caller) -> Conversation:
    return group_of("elsa.nordvall", "bo.ek")


@pytest.fixture
def dm(elsa: Caller, bo: Caller) -> Conversation:
    return dm_of("elsa.nordvall", "bo.ek")


@pytest.fixture
def cast(simulator: Simulator, db: None) -> Cast:
    """People with conversations; each signs in when first used."""
    return Cast()


@pytest.fixture
def shared_redis(spare_redis: str) -> str:
    """The URL of an empty Redis database for servers that share it, whatever the suite runs on."""
    with redis.Redis.from_url(spare_redis) as client:
        client.flushdb()
    return spare_redis
