"""Sockets without a session: few at a time and a minute from one address, and dropped soon."""

import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
from pytest_django import Settings
from websockets.exceptions import InvalidStatus

from tests.social.conftest import OpenSocket, SignIn
from tests.social.socket_frames import answers_ping, close_code, receive, receive_ready

HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def refused(open_socket: OpenSocket, *args: Any, **options: Any) -> Any:
    """The response to a handshake that is refused."""
    with pytest.raises(InvalidStatus) as refusal:
        open_socket(*args, **options)
    return refusal.value.response


def open_without_session(port: int, open_socket: OpenSocket, **headers: str) -> None:
    connection = open_socket(port, headers=headers)
    assert receive(connection)["type"] == "error"
    assert close_code(connection) == 4401


@pytest.mark.parametrize("credential", ["", "Bearer no-such-token"])
def test_too_many_in_a_minute_are_429_before_they_are_accepted(
    port: int, open_socket: OpenSocket, settings: Settings, credential: str
) -> None:
    settings.LIMITS = {"sockets_without_session": "3/60"}
    headers = {"Authorization": credential} if credential else {}
    for _ in range(3):
        open_without_session(port, open_socket, **headers)
    response = refused(open_socket, port, headers={**headers, "Accept-Language": "sv"})
    assert response.status_code == 429
    assert 1 <= int(response.headers["Retry-After"]) <= 60
    assert response.headers["Content-Language"] == "sv"
    body = json.loads(response.body)
    assert (body["success"], body["code"]) == (False, "too_many_requests")


def test_people_with_a_session_are_not_counted(
    port: int, open_socket: OpenSocket, sign_in: SignIn, settings: Settings
) -> None:
    settings.LIMITS = {"sockets_without_session": "2/60", "open_without_session": "2/60"}
    people = [sign_in(), sign_in("alva.lind"), sign_in("bo.ek")]
    for person in people * 2:
        receive_ready(open_socket(port, person))
    open_without_session(port, open_socket)


def test_where_an_address_has_too_many_a_session_opens_one(
    port: int, open_socket: OpenSocket, sign_in: SignIn, settings: Settings
) -> None:
    settings.LIMITS = {"sockets_without_session": "1/60"}
    open_without_session(port, open_socket)
    assert refused(open_socket, port).status_code == 429
    connection = open_socket(port, sign_in())
    receive_ready(connection)
    assert answers_ping(connection)


def test_a_whole_school_behind_one_address_may_open_theirs_at_once(
    port: int, open_socket: OpenSocket, sign_in: SignIn, settings: Settings
) -> None:
    settings.LIMITS = {"sockets_without_session": "2/60", "open_without_session": "2/60"}
    people = [sign_in(), sign_in("alva.lind"), sign_in("bo.ek")] * 5
    with ThreadPoolExecutor(len(people)) as threads:
        opened = list(threads.map(lambda person: open_socket(port, person), people))
    for connection in opened:
        receive_ready(connection)
    open_without_session(port, open_socket)


def raw_socket(port: int) -> socket.socket:
    """A client that completes the handshake, and never answers the close."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.sendall(HANDSHAKE)
    assert b" 101 " in connection.recv(4096)
    return connection


def test_too_many_at_a_time_are_429(port: int, open_socket: OpenSocket, settings: Settings) -> None:
    settings.LIMITS = {"open_without_session": "2/60"}
    with raw_socket(port), raw_socket(port):
        assert refused(open_socket, port).status_code == 429


def test_one_that_does_not_answer_the_close_is_dropped(port: int) -> None:
    with raw_socket(port) as connection:
        began = time.monotonic()
        with suppress(ConnectionResetError):
            while connection.recv(4096):
                pass
        assert time.monotonic() - began < 8  # and not uvicorn's ten seconds


def test_one_that_was_dropped_is_no_longer_counted(
    port: int, open_socket: OpenSocket, settings: Settings
) -> None:
    settings.LIMITS = {"open_without_session": "1/60"}
    open_without_session(port, open_socket)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            open_without_session(port, open_socket)
        except InvalidStatus:
            time.sleep(0.2)  # nothing announces that the connection was dropped
        else:
            return
    pytest.fail("it is still counted")
