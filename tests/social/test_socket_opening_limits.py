"""How many sockets a person, and an address without a session, may open in a minute."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pytest_django import Settings
from websockets.exceptions import InvalidStatus

from accounts.models import Account
from accounts.services.erasure import erase_account
from tests.social.conftest import Sockets
from tests.social.socket_frames import answers_ping, close_code, receive, receive_ready


def refused(sockets: Sockets, *args: Any, **options: Any) -> Any:
    """The response to a handshake that is refused."""
    with pytest.raises(InvalidStatus) as refusal:
        sockets.open(*args, **options)
    return refusal.value.response


def open_without_session(sockets: Sockets, **headers: str) -> None:
    connection = sockets.open(headers=headers)
    assert receive(connection)["type"] == "error"
    assert close_code(connection) == 4401


@pytest.mark.parametrize("credential", ["", "Bearer no-such-token"])
def test_too_many_in_a_minute_are_429_before_they_are_accepted(
    sockets: Sockets, settings: Settings, credential: str
) -> None:
    settings.LIMITS = {"sockets_without_session": "3/86400"}
    headers = {"Authorization": credential} if credential else {}
    for _ in range(3):
        open_without_session(sockets, **headers)
    response = refused(sockets, headers={**headers, "Accept-Language": "sv"})
    assert response.status_code == 429
    assert 1 <= int(response.headers["Retry-After"]) <= 86400
    assert response.headers["Content-Language"] == "sv"
    body = json.loads(response.body)
    assert (body["success"], body["code"]) == (False, "too_many_requests")


def test_too_many_of_one_person_are_429_on_all_their_devices(
    sockets: Sockets, settings: Settings
) -> None:
    settings.LIMITS = {"new_sockets": "3/86400"}
    phone, laptop = sockets.sign_in(), sockets.sign_in()
    first = sockets.ready(phone)
    for device in (laptop, phone):
        sockets.ready(device).close()
    for device in (phone, laptop):
        response = refused(sockets, device)
        assert response.status_code == 429
        assert 1 <= int(response.headers["Retry-After"]) <= 86400
    assert answers_ping(first)
    sockets.ready(sockets.sign_in("bo.ek"))


def test_an_erasure_gives_back_no_sockets(sockets: Sockets, settings: Settings) -> None:
    settings.LIMITS = {"new_sockets": "1/86400"}
    sockets.ready(sockets.sign_in())
    erase_account(Account.objects.get().pk)
    assert refused(sockets, sockets.sign_in()).status_code == 429


def test_where_an_address_has_too_many_a_session_opens_one(
    sockets: Sockets, settings: Settings
) -> None:
    settings.LIMITS = {"sockets_without_session": "1/86400"}
    open_without_session(sockets)
    assert refused(sockets).status_code == 429
    connection = sockets.open(sockets.sign_in())
    receive_ready(connection)
    assert answers_ping(connection)


def test_a_whole_school_behind_one_address_may_open_theirs_at_once(
    sockets: Sockets, settings: Settings
) -> None:
    settings.LIMITS = {"sockets_without_session": "1/86400"}
    people = [sockets.sign_in(), sockets.sign_in("alva.lind"), sockets.sign_in("bo.ek")] * 5
    with ThreadPoolExecutor(len(people)) as threads:
        opened = list(threads.map(sockets.open, people))
    for connection in opened:
        receive_ready(connection)
    open_without_session(sockets)
