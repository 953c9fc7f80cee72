"""Reading the frames that a client receives."""

import json
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection


def receive(
    connection: ClientConnection, *, within: float = 10, notifications: bool = False
) -> dict[str, Any]:
    """The next frame; those about notifications are passed over unless they are wanted."""
    while True:
        frame: dict[str, Any] = json.loads(connection.recv(timeout=within))
        if notifications or not frame["type"].startswith("notification."):
            return frame


def receive_ready(connection: ClientConnection) -> str:
    """The username in the `ready` frame, which must be next."""
    frame = receive(connection)
    assert frame["type"] == "ready", frame
    username: str = frame["username"]
    return username


def close_code(connection: ClientConnection, *, within: float = 10) -> int:
    """The code that the server closes with; no other frame may come before."""
    with pytest.raises(ConnectionClosed) as closed:
        receive(connection, within=within)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


def answers_ping(connection: ClientConnection) -> bool:
    connection.send('{"type": "ping"}')
    return receive(connection) == {"type": "pong"}
