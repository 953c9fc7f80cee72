"""`presence`: a heartbeat by socket has the same effect as one by REST."""

import json

import pytest
from websockets.sync.client import ClientConnection

from social.models import Friendship
from social.services.presence import read_presences
from tests.social.conftest import OpenSocket, SignIn
from tests.social.factories import account
from tests.social.socket_frames import answers_ping, receive

ELSA, BO, ALVA = "elsa.nordvall", "bo.ek", "alva.lind"


@pytest.fixture
def elsa_bo_alva(
    port: int, sign_in: SignIn, ready_socket: OpenSocket
) -> tuple[ClientConnection, ClientConnection, ClientConnection]:
    """Elsa, her friend, and somebody who is not a friend."""
    sockets = [ready_socket(port, sign_in(name)) for name in (ELSA, BO, ALVA)]
    low, high = sorted([account(ELSA).pk, account(BO).pk])
    Friendship.objects.create(low_id=low, high_id=high, requested_by_id=low, status="accepted")
    return sockets[0], sockets[1], sockets[2]


def is_there(connection: ClientConnection, status: str) -> None:
    connection.send(json.dumps({"type": "presence", "status": status}))


def test_friends_receive_it_and_others_do_not(
    elsa_bo_alva: tuple[ClientConnection, ClientConnection, ClientConnection],
) -> None:
    elsa, bo, alva = elsa_bo_alva
    is_there(elsa, "online")
    assert receive(bo) == {"type": "presence.changed", "username": ELSA, "status": "online"}
    assert read_presences(account(BO).pk, [ELSA]) == {ELSA: "online"}
    assert read_presences(account(ALVA).pk, [ELSA]) == {ELSA: "offline"}  # no contact of hers
    is_there(elsa, "idle")  # a heartbeat too: the status does not change
    is_there(elsa, "offline")
    assert receive(bo) == {"type": "presence.changed", "username": ELSA, "status": "offline"}
    assert read_presences(account(BO).pk, [ELSA]) == {ELSA: "offline"}
    assert answers_ping(alva)
    assert answers_ping(elsa)
