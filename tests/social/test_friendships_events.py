"""The two receive the events of their friendship, and a third person does not."""

from typing import Any

from social.models import Invite
from tests.social.cast import Cast, Person, befriend
from tests.social.conftest import Listen
from tests.social.factories import account, group_of
from tests.social.friend_requests import FRIENDS, answer, ask, block
from tests.social.socket_frames import receive

ELSA, BO, ALVA = "elsa.nordvall", "bo.ek", "alva.lind"


def removed(friendship: Any) -> dict[str, Any]:
    return {"type": "friend.removed", "friendship": friendship}


def friendship_of(person: Person) -> Any:
    """Their only one."""
    (friendship,) = person.get(FRIENDS).json()["friends"]
    return friendship


def test_every_change_of_a_friendship_is_published_to_both(cast: Cast, listen: Listen) -> None:
    elsa, bo, alva = listen(cast.elsa, cast.bo, cast.alva)
    asked, declined = ask(cast.elsa, BO), answer(cast.bo, ELSA, accept=False)
    asked_back, accepted = ask(cast.bo, ELSA), ask(cast.elsa, BO)
    for _ in range(2):  # the second time there is nothing to end, so no event
        cast.elsa.delete(FRIENDS, {"targetUsername": BO})
    told = [
        {"type": kind, "friendship": response.json()["friendship"]}
        for kind, response in (
            ("friend.requested", asked),
            ("friend.removed", declined),
            ("friend.requested", asked_back),
            ("friend.accepted", accepted),
            ("friend.removed", accepted),
        )
    ]
    assert (elsa.heard(), bo.heard(), alva.heard()) == (told, told, [])


def test_a_block_publishes_only_the_end_of_the_friendship(cast: Cast, listen: Listen) -> None:
    befriend(cast.elsa, cast.bo)
    told = [removed(friendship_of(cast.elsa))]
    elsa, bo, alva = listen(cast.elsa, cast.bo, cast.alva)
    block(cast.bo, ELSA)
    block(cast.bo, ALVA)  # who was not a friend and receives nothing
    assert (elsa.heard(), bo.heard(), alva.heard()) == (told, told, [])


def test_a_block_publishes_the_withdrawn_invites_to_both(cast: Cast, listen: Listen) -> None:
    elsa, bo, alva = listen(cast.elsa, cast.bo, cast.alva)
    invite = Invite.objects.create(
        conversation=group_of(ELSA, ALVA), invited=account(BO), invited_by=account(ELSA)
    )
    block(cast.bo, ELSA)
    (told,) = elsa.heard()
    assert (bo.heard(), alva.heard()) == ([told], [])
    assert (told["type"], told["invite"]["id"]) == ("invite.resolved", invite.pk.hex)
    assert told["invite"]["status"] == "withdrawn"


def test_presence_is_published_to_friends_until_the_friendship_ends(
    cast: Cast, listen: Listen
) -> None:
    befriend(cast.elsa, cast.bo)
    elsa, bo, alva = listen(cast.elsa, cast.bo, cast.alva)
    for status in ("online", "online", "idle", "offline", "offline"):
        cast.elsa.patch("/api/presence", {"status": status})
    assert [event["status"] for event in bo.heard()] == ["online", "offline"]
    block(cast.bo, ELSA)
    cast.elsa.patch("/api/presence", {"status": "online"})
    assert [event["type"] for event in elsa.heard()] == ["friend.removed"]
    assert [event["type"] for event in bo.heard()] == ["friend.removed"]
    assert alva.heard() == []


def test_a_heartbeat_by_socket_is_like_one_by_rest(cast: Cast, listen: Listen) -> None:
    befriend(cast.elsa, cast.bo)
    elsa, bo, alva = listen(cast.elsa, cast.bo, cast.alva)

    def beat(status: str) -> None:
        elsa.connection.send(f'{{"type": "presence", "status": "{status}"}}')

    def changed(status: str) -> dict[str, str]:
        return {"type": "presence.changed", "username": ELSA, "status": status}

    def seen_by(person: Person) -> str:
        return str(person.get(f"/api/presence?users={ELSA}").json()["presences"][ELSA])

    beat("online")
    assert receive(bo.connection) == changed("online")
    assert (seen_by(cast.bo), seen_by(cast.alva)) == ("online", "offline")  # no contact of hers
    beat("idle")  # the status does not change
    beat("offline")
    assert receive(bo.connection) == changed("offline")
    assert seen_by(cast.bo) == "offline"
    assert elsa.heard() == alva.heard() == []


def test_a_refused_change_publishes_nothing(cast: Cast, listen: Listen) -> None:
    people = listen(cast.elsa, cast.bo, cast.alva)
    block(cast.bo, ELSA)
    assert ask(cast.elsa, BO).status_code == 404
    assert answer(cast.alva, ELSA).status_code == 404
    assert [person.heard() for person in people] == [[], [], []]
