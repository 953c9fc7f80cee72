"""A client that does not read is closed with 4008, and delays nobody else."""

import json
import socket
from collections.abc import Iterator

import pytest
from channels.routing import URLRouter
from django.urls import path
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from accounts.models import Account
from social.limits import SocketLimits
from social.realtime.consumers import SocketConsumer
from social.realtime.events import SocketError
from social.realtime.publish import Delivery, publish_on_commit
from tests.social.conftest import Sockets, serve
from tests.social.socket_frames import answers_ping, receive
from upstream.simulator.server import Simulator

SMALL = 8 * 1024
# More than fits between the two (buffers of the kernel, of the server and of the client), and few
# enough that the close frame still waits to be read when the last one is published.
EVENTS, EVENT_LENGTH = 80, 20_000
FEW = SocketLimits(waiting_frames=20, write_seconds=3600)


@pytest.fixture
def port(transactional_db: None, simulator: Simulator) -> Iterator[int]:
    route = path("ws", SocketConsumer.as_asgi(limits=FEW))
    with serve(URLRouter([route]), send_buffer=SMALL) as port:
        yield port


def slow_socket(port: int) -> socket.socket:
    """A connection with small buffers."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    connection.connect(("127.0.0.1", port))
    return connection


def news(number: int) -> SocketError:
    return SocketError(code=f"{number}-" + "x" * EVENT_LENGTH)


def read_all(connection: ClientConnection) -> tuple[list[int], int | None]:
    """The numbers of the events that can still be read, and the close code."""
    numbers: list[int] = []
    while True:
        try:
            frame = json.loads(connection.recv(timeout=10))
        except ConnectionClosed as closed:
            return numbers, closed.rcvd.code if closed.rcvd else None
        numbers.append(int(frame["code"].partition("-")[0]))


def test_a_client_that_stops_reading_is_closed_with_4008_and_comes_back(sockets: Sockets) -> None:
    caller = sockets.sign_in()
    stops = sockets.ready(caller, sock=slow_socket(sockets.port), max_queue=1, compression=None)
    reads = sockets.ready(caller)
    account = Account.objects.get().pk
    for number in range(EVENTS):
        publish_on_commit([Delivery([account], news(number))])
        # What one receives was sent to the other too: nobody waits for a client that does not read.
        assert receive(reads)["code"].startswith(f"{number}-")

    numbers, code = read_all(stops)

    assert code == 4008
    assert numbers == list(range(len(numbers)))
    assert len(numbers) < EVENTS - FEW.waiting_frames
    assert answers_ping(reads)
    again = sockets.ready(caller)
    assert answers_ping(again)
