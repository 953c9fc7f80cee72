"""The column `typing` of the contact table, over `/ws`."""

import json
from typing import Any

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings
from websockets.sync.client import ClientConnection

from accounts.models import Account, Profile
from social.limits import SocketLimits
from social.models import Membership
from tests.abuse.contact_table import TABLE, cells
from tests.abuse.people import BLOCKS
from tests.abuse.test_contact_table import Pair, old_dm
from tests.social.cast import Cast, Person, befriend
from tests.social.conftest import Sockets, SocketsWith
from tests.social.socket_frames import receive

# Every frame is passed on.
ALWAYS = SocketLimits(typing_seconds=0)
ROLES = [("adult", "pupil"), ("pupil", "adult"), ("pupil", "pupil"), ("adult", "adult")]


class OpenSockets:
    """An open socket for each person who needs one."""

    def __init__(self, sockets: Sockets) -> None:
        self._sockets = sockets
        self._open: dict[str, ClientConnection] = {}

    def of(self, person: Person) -> ClientConnection:
        if person.username not in self._open:
            # Most frames are never read; a full queue would delay the close.
            self._open[person.username] = self._sockets.ready(person, max_queue=None)
        return self._open[person.username]

    def types(self, person: Person, conversation: Any) -> None:
        frame = {"type": "typing", "conversationId": conversation["id"]}
        self.of(person).send(json.dumps(frame))

    def hears(self, person: Person) -> str:
        """The conversation in which somebody types next."""
        while (frame := receive(self.of(person)))["type"] != "typing":
            pass
        return str(frame["conversationId"])


def reset(pair: Pair) -> None:
    """Let the two be strangers again, without blocks and settings."""
    for one, other in ((pair.who, pair.whom), (pair.whom, pair.who)):
        one.delete(BLOCKS, {"targetUsername": other.username})
    pair.whom.delete("/api/friends", {"targetUsername": pair.who.username})
    usual = {"dmPrivacy": "everyone", "discoverable": True}
    assert pair.whom.put("/api/profile", usual).status_code == 200


def heard(pair: Pair, sockets: OpenSockets, groups: dict[str, Any]) -> str:
    """Whether the other receives it when one types in their old conversation."""
    dm = old_dm(pair)
    for person in (pair.who, pair.whom, pair.common):
        sockets.of(person)
    # Events of one person leave in order, and events to one person arrive in order.
    sockets.types(pair.who, dm)
    sockets.types(pair.who, groups[pair.who.username])
    assert sockets.hears(pair.common) == groups[pair.who.username]["id"]
    sockets.types(pair.common, groups[pair.whom.username])
    first = sockets.hears(pair.whom)
    if first == dm["id"]:
        assert sockets.hears(pair.whom) == groups[pair.whom.username]["id"]
    return "yes" if first == dm["id"] else "no"


def group_of_three(founder: Person, person: Person) -> Any:
    """With a third member, so that it does not ask what a direct conversation asks."""
    group = founder.group(person)
    third = Account.objects.create(
        school="bjorkdalen",
        upstream_user_id=10_000 + Account.objects.count(),
        username=f"third.{group['id']}",
    )
    Profile.objects.create(account=third, user_type="student")
    Membership.objects.create(conversation_id=group["id"], account=third, joined_at=timezone.now())
    return group


@pytest.mark.parametrize("roles", ROLES, ids=" to ".join)
def test_typing_reaches_whom_the_table_says(
    sockets_with: SocketsWith, settings: Settings, roles: tuple[str, str]
) -> None:
    settings.RATE_LIMITS = False  # the same two ask each other again and again
    cast, sockets = Cast(), OpenSockets(sockets_with(ALWAYS))
    groups: dict[str, Any] = {}
    found, expected = {}, {}
    for row in (row for row in TABLE if row[:2] == roles):
        pair = Pair(row, cast)
        for person in (pair.who, pair.whom):
            if person.username not in groups:
                befriend(pair.common, person)
                groups[person.username] = group_of_three(pair.common, person)
        found[str(row)] = heard(pair, sockets, groups)
        expected[str(row)] = cells(row)["typing"]
        reset(pair)
    assert found == expected
