"""A notification that is over goes away on all devices: the socket has `notification.read`."""

from typing import Any

import pytest

from tests.notifications.actions import of_kind
from tests.social.cast import INVITES, Cast, Person, befriend, invited
from tests.social.conftest import Listen, Listener
from tests.social.friend_requests import FRIENDS, answer, ask, block


def ended(listener: Listener) -> list[tuple[list[str], int]]:
    """What each `notification.read` since the last time names, and how many it says are left."""
    frames = listener.heard(notifications=True)
    return [(each["ids"], each["unread"]) for each in frames if each["type"] == "notification.read"]


def shown_one(person: Person, kind: str) -> str:
    (notification,) = of_kind(person, kind)
    return str(notification["id"])


def reply(cast: Cast, invite: Any, accept: bool) -> None:
    assert cast.alva.answer(invite, accept=accept).status_code == 200


@pytest.mark.parametrize(
    "end",
    [
        lambda cast, invite: reply(cast, invite, True),
        lambda cast, invite: reply(cast, invite, False),
        lambda cast, invite: cast.elsa.delete(f"{INVITES}?inviteId={invite['id']}"),
        lambda cast, _: block(cast.alva, "elsa.nordvall"),
    ],
    ids=["accepted", "declined", "withdrawn", "blocked"],
)
def test_an_invite_that_is_over(cast: Cast, listen: Listen, end: Any) -> None:
    befriend(cast.elsa, cast.bo)
    invite = invited(cast, cast.elsa.group(cast.bo), cast.alva)
    shown = shown_one(cast.alva, "invite")
    elsa, bo, alva = listen(cast.elsa, cast.bo, cast.alva)
    end(cast, invite)
    assert (ended(elsa), ended(bo), ended(alva)) == ([], [], [([shown], 0)])


@pytest.mark.parametrize(
    "end",
    [
        lambda cast: answer(cast.bo, "elsa.nordvall"),
        lambda cast: answer(cast.bo, "elsa.nordvall", accept=False),
        lambda cast: ask(cast.bo, "elsa.nordvall"),
        lambda cast: cast.elsa.delete(FRIENDS, {"targetUsername": "bo.ek"}),
    ],
    ids=["accepted", "declined", "asked back", "withdrawn"],
)
def test_a_friend_request_that_is_over(cast: Cast, listen: Listen, end: Any) -> None:
    assert ask(cast.elsa, cast.bo.username).status_code == 201
    shown = shown_one(cast.bo, "friend")
    elsa, bo = listen(cast.elsa, cast.bo)
    end(cast)
    assert (ended(elsa), ended(bo)) == ([], [([shown], 0)])


def test_the_end_of_a_friendship_ends_the_news_of_its_beginning(cast: Cast, listen: Listen) -> None:
    assert ask(cast.elsa, cast.bo.username).status_code == 201
    answer(cast.bo, "elsa.nordvall")
    shown = shown_one(cast.elsa, "friend")
    (elsa,) = listen(cast.elsa)
    cast.bo.delete(FRIENDS, {"targetUsername": "elsa.nordvall"})
    assert ended(elsa) == [([shown], 0)]
