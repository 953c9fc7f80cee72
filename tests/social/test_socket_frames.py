"""What a client may send, how much of it, and how long it may be silent."""

from collections.abc import Callable

import pytest

from social.limits import SocketLimits
from tests.social.conftest import OpenSocket, SignIn
from tests.social.socket_frames import answers_ping, close_code, receive, receive_ready

PortWith = Callable[[SocketLimits], int]
PING = '{"type": "ping"}'


def test_a_ping_is_answered(port: int, sign_in: SignIn, open_socket: OpenSocket) -> None:
    connection = open_socket(port, sign_in())
    receive_ready(connection)
    connection.send('{"type": "ping", "at": 5}')
    assert receive(connection) == {"type": "pong"}


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("", "invalid_json"),
        ("not json", "invalid_json"),
        ('{"type": "ping"', "invalid_json"),
        ('{"type": NaN}', "invalid_json"),
        ('{"type": "\\ud800"}', "invalid_json"),
        ("[" * 60_000, "invalid_json"),
        ("[]", "unknown_type"),
        ("null", "unknown_type"),
        ('"ping"', "unknown_type"),
        ("{}", "unknown_type"),
        ('{"type": 5}', "unknown_type"),
        ('{"type": ["ping"]}', "unknown_type"),
        ('{"type": "websocket.disconnect"}', "unknown_type"),
        ('{"type": "deliver", "text": "x", "close": 4401}', "unknown_type"),
        ('{"type": "typing"}', "invalid_input"),
        ('{"type": "typing", "conversationId": "1"}', "invalid_input"),
        ('{"type": "typing", "conversationId": 5}', "invalid_input"),
        ('{"type": "typing", "conversationId": {"$ne": null}}', "invalid_input"),
        ('{"type": "typing", "conversationId": "' + "å" * 32 + '"}', "invalid_input"),
        ('{"type": "presence", "status": "away"}', "invalid_input"),
        ('{"type": "presence", "status": null}', "invalid_input"),
        ('{"type": "presence", "status": ["online"]}', "invalid_input"),
    ],
)
def test_an_unreadable_frame_gets_an_error_and_the_socket_stays(
    port: int, sign_in: SignIn, open_socket: OpenSocket, frame: str, code: str
) -> None:
    connection = open_socket(port, sign_in())
    receive_ready(connection)
    connection.send(frame)
    assert receive(connection) == {"type": "error", "code": code}
    assert answers_ping(connection)


@pytest.mark.parametrize("size", [64 * 1024 + 1, 500_000])
def test_a_frame_over_64_kib_closes_with_1009(
    port: int, sign_in: SignIn, open_socket: OpenSocket, size: int
) -> None:
    connection = open_socket(port, sign_in())
    receive_ready(connection)
    connection.send("x" * size)
    assert close_code(connection) == 1009


def test_the_size_counts_bytes(port: int, sign_in: SignIn, open_socket: OpenSocket) -> None:
    connection = open_socket(port, sign_in())
    receive_ready(connection)
    connection.send("å" * 40_000)
    assert close_code(connection) == 1009


def test_64_kib_are_read(port: int, sign_in: SignIn, open_socket: OpenSocket) -> None:
    connection = open_socket(port, sign_in())
    receive_ready(connection)
    connection.send('{"type": "ping", "pad": "' + "x" * (64 * 1024 - 27) + '"}')
    assert receive(connection) == {"type": "pong"}


def test_a_binary_frame_closes_with_1003(
    port: int, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    connection = open_socket(port, sign_in())
    receive_ready(connection)
    connection.send(PING.encode())
    assert close_code(connection) == 1003


def test_the_hundred_and_first_frame_of_a_minute_closes_with_4429(
    port: int, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    connection = open_socket(port, sign_in())
    receive_ready(connection)
    for _ in range(100):
        connection.send(PING)
    for _ in range(100):
        assert receive(connection) == {"type": "pong"}
    connection.send(PING)
    assert close_code(connection) == 4429


def test_a_client_within_the_frame_limit_stays_connected(
    port_with: PortWith, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    connection = open_socket(port_with(SocketLimits(frames=3, frames_seconds=0.05)), sign_in())
    receive_ready(connection)
    for _ in range(10):
        assert answers_ping(connection)
        # No frame arrives: this is the interval of the client.
        with pytest.raises(TimeoutError):
            connection.recv(timeout=0.03)


def test_a_silent_client_is_closed_with_4408(
    port_with: PortWith, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    connection = open_socket(port_with(SocketLimits(silence_seconds=0.3)), sign_in())
    receive_ready(connection)
    assert close_code(connection) == 4408


def test_a_client_that_pings_is_not_silent(
    port_with: PortWith, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    connection = open_socket(port_with(SocketLimits(silence_seconds=0.6)), sign_in())
    receive_ready(connection)
    for _ in range(5):
        with pytest.raises(TimeoutError):
            connection.recv(timeout=0.2)
        assert answers_ping(connection)
    assert close_code(connection) == 4408
