"""The two receive the events of their friendship, and a third person does not."""

from typing import Any

import pytest
from websockets.sync.client import ClientConnection

from social.models import Invite
from tests.conftest import Caller
from tests.social.conftest import Sockets
from tests.social.factories import account, group_of
from tests.social.friend_requests import FRIENDS, answer, ask, block
from tests.social.socket_frames import answers_ping, receive

ELSA, BO, ALVA = "elsa.nordvall", "bo.ek", "alva.lind"
Json = dict[str, Any]
Three = dict[str, tuple[Caller, ClientConnection]]


@pytest.fixture
def three(sockets: Sockets) -> Three:
    """Elsa, Bo and Alva, each with a socket."""
    found: Three = {}
    for name in (ELSA, BO, ALVA):
        caller = sockets.sign_in(name)
        found[name] = caller, sockets.ready(caller)
    return found


@pytest.fixture
def friends(three: Three) -> Json:
    """The friendship of Elsa and Bo, who have heard of it."""
    (elsa, at_elsas), (bo, at_bos), _ = three.values()
    ask(elsa, BO)
    friendship: Json = answer(bo, ELSA).json()["friendship"]
    for connection in (at_elsas, at_bos):
        receive(connection), receive(connection)
    return friendship


def test_every_change_of_a_friendship_is_published_to_both(three: Three) -> None:
    (elsa, at_elsas), (bo, at_bos), (_, at_alvas) = three.values()

    def both_hear(kind: str, friendship: dict[str, str]) -> None:
        told = {"type": kind, "friendship": friendship}
        assert receive(at_elsas) == receive(at_bos) == told

    asked = ask(elsa, BO).json()["friendship"]
    both_hear("friend.requested", asked)
    both_hear("friend.removed", answer(bo, ELSA, accept=False).json()["friendship"])
    both_hear("friend.requested", ask(bo, ELSA).json()["friendship"])
    friends = ask(elsa, BO).json()["friendship"]
    both_hear("friend.accepted", friends)
    elsa.delete(FRIENDS, {"targetUsername": BO})
    both_hear("friend.removed", friends)
    # There is nothing to end, so no event.
    elsa.delete(FRIENDS, {"targetUsername": BO})
    assert all(answers_ping(one) for one in (at_elsas, at_bos, at_alvas))


def test_a_block_publishes_only_the_end_of_the_friendship(three: Three, friends: Json) -> None:
    (_, at_elsas), (bo, at_bos), (_, at_alvas) = three.values()
    block(bo, ELSA)
    told = {"type": "friend.removed", "friendship": friends}
    assert receive(at_elsas) == receive(at_bos) == told
    block(bo, ALVA)  # who was not a friend and receives nothing
    assert all(answers_ping(one) for one in (at_elsas, at_bos, at_alvas))


def test_a_block_publishes_the_withdrawn_invites_to_both(three: Three) -> None:
    (_, at_elsas), (bo, at_bos), (_, at_alvas) = three.values()
    invite = Invite.objects.create(
        conversation=group_of(ELSA, ALVA), invited=account(BO), invited_by=account(ELSA)
    )
    block(bo, ELSA)
    told = receive(at_elsas)
    assert told == receive(at_bos)
    assert (told["type"], told["invite"]["id"]) == ("invite.resolved", invite.pk.hex)
    assert told["invite"]["status"] == "withdrawn"
    assert answers_ping(at_alvas)


def test_presence_is_published_to_friends_until_the_friendship_ends(
    three: Three, friends: Json
) -> None:
    (elsa, at_elsas), (bo, at_bos), (_, at_alvas) = three.values()
    for status in ("online", "online", "idle", "offline", "offline"):
        elsa.patch("/api/presence", {"status": status})
    changes = [receive(at_bos)["status"] for _ in range(2)]
    assert changes == ["online", "offline"]
    block(bo, ELSA)
    assert receive(at_elsas)["type"] == receive(at_bos)["type"] == "friend.removed"
    elsa.patch("/api/presence", {"status": "online"})
    assert all(answers_ping(one) for one in (at_elsas, at_bos, at_alvas))


def test_a_heartbeat_by_socket_is_like_one_by_rest(three: Three, friends: Json) -> None:
    (_, at_elsas), (bo, at_bos), (alva, at_alvas) = three.values()

    def seen_by(caller: Caller) -> str:
        return str(caller.get(f"/api/presence?users={ELSA}").json()["presences"][ELSA])

    at_elsas.send('{"type": "presence", "status": "online"}')
    assert receive(at_bos) == {"type": "presence.changed", "username": ELSA, "status": "online"}
    assert (seen_by(bo), seen_by(alva)) == ("online", "offline")  # Alva is no contact of hers
    at_elsas.send('{"type": "presence", "status": "idle"}')  # the status does not change
    at_elsas.send('{"type": "presence", "status": "offline"}')
    assert receive(at_bos) == {"type": "presence.changed", "username": ELSA, "status": "offline"}
    assert seen_by(bo) == "offline"
    assert all(answers_ping(one) for one in (at_elsas, at_alvas))


def test_a_refused_change_publishes_nothing(three: Three) -> None:
    (elsa, at_elsas), (bo, at_bos), (alva, at_alvas) = three.values()
    block(bo, ELSA)
    assert ask(elsa, BO).status_code == 404
    assert answer(alva, ELSA).status_code == 404
    assert all(answers_ping(one) for one in (at_elsas, at_bos, at_alvas))
