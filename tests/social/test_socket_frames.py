"""What a client may send, how much of it, and how long it may be silent."""

import pytest
from websockets.sync.client import ClientConnection

from social.limits import SocketLimits
from tests.social.conftest import SocketsWith
from tests.social.socket_frames import answers_ping, close_code, receive

PING = '{"type": "ping"}'


UNREADABLE = {
    "invalid_json": [
        *("", "not json", '{"type": "ping"', '{"type": NaN}', '{"type": "\\ud800"}', "[" * 60_000),
    ],
    "unknown_type": [
        *("[]", "null", '"ping"', "{}", '{"type": 5}', '{"type": ["ping"]}'),
        '{"type": "websocket.disconnect"}',
        '{"type": "deliver", "text": "x", "close": 4401}',
    ],
    "invalid_input": [
        '{"type": "typing"}',
        *(
            f'{{"type": "typing", "conversationId": {value}}}'
            for value in ('"1"', "5", '{"$ne": null}', '"' + "å" * 32 + '"')
        ),
        *(
            f'{{"type": "presence", "status": {value}}}'
            for value in ('"away"', "null", '["online"]')
        ),
    ],
}


def test_an_unreadable_frame_gets_an_error_and_the_socket_stays(
    elsas_socket: ClientConnection,
) -> None:
    for code, frames in UNREADABLE.items():
        for frame in frames:
            elsas_socket.send(frame)
            assert receive(elsas_socket) == {"type": "error", "code": code}, frame[:60]
            assert answers_ping(elsas_socket)


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("x" * (64 * 1024 + 1), 1009),
        ("x" * 500_000, 1009),
        ("å" * 40_000, 1009),  # the size counts bytes
        (PING.encode(), 1003),
    ],
    ids=["over 64 KiB", "far over 64 KiB", "over 64 KiB in bytes", "binary"],
)
def test_a_frame_that_is_too_long_or_binary_closes(
    elsas_socket: ClientConnection, frame: str | bytes, code: int
) -> None:
    elsas_socket.send(frame)
    assert close_code(elsas_socket) == code


def test_64_kib_are_read(elsas_socket: ClientConnection) -> None:
    elsas_socket.send('{"type": "ping", "pad": "' + "x" * (64 * 1024 - 27) + '"}')
    assert receive(elsas_socket) == {"type": "pong"}


def test_the_hundred_and_first_frame_of_a_minute_closes_with_4429(
    elsas_socket: ClientConnection,
) -> None:
    for _ in range(100):
        elsas_socket.send(PING)
    for _ in range(100):
        assert receive(elsas_socket) == {"type": "pong"}
    elsas_socket.send(PING)
    assert close_code(elsas_socket) == 4429


def test_a_client_within_the_frame_limit_stays_connected(sockets_with: SocketsWith) -> None:
    sockets = sockets_with(SocketLimits(frames=3, frames_seconds=0.05))
    connection = sockets.ready(sockets.sign_in())
    for _ in range(10):
        assert answers_ping(connection)
        # No frame arrives: this is the interval of the client.
        with pytest.raises(TimeoutError):
            connection.recv(timeout=0.03)


def test_a_client_is_closed_with_4408_when_it_is_silent_and_not_while_it_pings(
    sockets_with: SocketsWith,
) -> None:
    sockets = sockets_with(SocketLimits(silence_seconds=0.6))
    connection = sockets.ready(sockets.sign_in())
    for _ in range(5):
        with pytest.raises(TimeoutError):
            connection.recv(timeout=0.2)
        assert answers_ping(connection)
    assert close_code(connection) == 4408
