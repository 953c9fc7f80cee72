"""How many sockets a person, and an address without a session, may open in a minute."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pytest_django import Settings
from websockets.exceptions import InvalidStatus

from accounts.models import Account
from accounts.services.erasure import erase_account
from tests.social.conftest import OpenSocket, SignIn
from tests.social.socket_frames import answers_ping, close_code, receive, receive_ready


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
    settings.LIMITS = {"sockets_without_session": "3/86400"}
    headers = {"Authorization": credential} if credential else {}
    for _ in range(3):
        open_without_session(port, open_socket, **headers)
    response = refused(open_socket, port, headers={**headers, "Accept-Language": "sv"})
    assert response.status_code == 429
    assert 1 <= int(response.headers["Retry-After"]) <= 86400
    assert response.headers["Content-Language"] == "sv"
    body = json.loads(response.body)
    assert (body["success"], body["code"]) == (False, "too_many_requests")


def test_too_many_of_one_person_are_429_on_all_their_devices(
    port: int,
    open_socket: OpenSocket,
    ready_socket: OpenSocket,
    sign_in: SignIn,
    settings: Settings,
) -> None:
    settings.LIMITS = {"new_sockets": "3/86400"}
    phone, laptop = sign_in(), sign_in()
    first = ready_socket(port, phone)
    for device in (laptop, phone):
        ready_socket(port, device).close()
    for device in (phone, laptop):
        response = refused(open_socket, port, device)
        assert response.status_code == 429
        assert 1 <= int(response.headers["Retry-After"]) <= 86400
    assert answers_ping(first)
    ready_socket(port, sign_in("bo.ek"))


def test_an_erasure_gives_back_no_sockets(
    port: int,
    open_socket: OpenSocket,
    ready_socket: OpenSocket,
    sign_in: SignIn,
    settings: Settings,
) -> None:
    settings.LIMITS = {"new_sockets": "1/86400"}
    ready_socket(port, sign_in())
    erase_account(Account.objects.get().pk)
    assert refused(open_socket, port, sign_in()).status_code == 429


def test_people_with_a_session_are_not_counted(
    port: int, open_socket: OpenSocket, sign_in: SignIn, settings: Settings
) -> None:
    settings.LIMITS = {"sockets_without_session": "1/86400"}
    people = [sign_in(), sign_in("alva.lind"), sign_in("bo.ek")]
    for person in people * 2:
        receive_ready(open_socket(port, person))
    open_without_session(port, open_socket)


def test_where_an_address_has_too_many_a_session_opens_one(
    port: int, open_socket: OpenSocket, sign_in: SignIn, settings: Settings
) -> None:
    settings.LIMITS = {"sockets_without_session": "1/86400"}
    open_without_session(port, open_socket)
    assert refused(open_socket, port).status_code == 429
    connection = open_socket(port, sign_in())
    receive_ready(connection)
    assert answers_ping(connection)


def test_a_whole_school_behind_one_address_may_open_theirs_at_once(
    port: int, open_socket: OpenSocket, sign_in: SignIn, settings: Settings
) -> None:
    settings.LIMITS = {"sockets_without_session": "1/86400"}
    people = [sign_in(), sign_in("alva.lind"), sign_in("bo.ek")] * 5
    with ThreadPoolExecutor(len(people)) as threads:
        opened = list(threads.map(lambda person: open_socket(port, person), people))
    for connection in opened:
        receive_ready(connection)
    open_without_session(port, open_socket)
