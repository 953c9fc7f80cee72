"""What members hear of messages, over real sockets."""

from typing import Any

import pytest
from websockets.sync.client import ClientConnection

from social.models import Membership
from social.services.moderation import hide_message, unhide_message
from tests.social.circles import account, group_of
from tests.social.conftest import OpenSocket, SignedIn, SignIn
from tests.social.reading import hear, hear_ready, still_answers
from tests.social.talk import Json, change, changed, one, place, said, say

NAMES = ("elsa.nordvall", "bo.ek", "alva.lind")


class Room:
    """A group of three, each with an open socket; what each of them hears."""

    def __init__(self, port: int, sign_in: SignIn, open_socket: OpenSocket) -> None:
        self.people: dict[str, SignedIn] = {name: sign_in(name) for name in NAMES}
        self.elsa, self.bo, self.alva = self.people.values()
        self.group = group_of(*NAMES)
        self.sockets: dict[str, ClientConnection] = {
            name: open_socket(port, caller) for name, caller in self.people.items()
        }
        for socket in self.sockets.values():
            hear_ready(socket)

    def heard(self) -> list[dict[str, Any]]:
        """The next frame of each."""
        return [hear(socket) for socket in self.sockets.values()]

    def quiet(self) -> bool:
        """Whether nobody hears anything."""
        return all(still_answers(socket) for socket in self.sockets.values())


@pytest.fixture
def room(port: int, sign_in: SignIn, open_socket: OpenSocket) -> Room:
    return Room(port, sign_in, open_socket)


def frame(kind: str, room: Room, message: Json) -> Json:
    """The event about a message."""
    revision = message["revision"]
    conversation = room.group.pk.hex
    return {"type": kind, "conversationId": conversation, "revision": revision, "message": message}


def test_every_member_receives_every_change_with_the_message_as_rest_renders_it(room: Room) -> None:
    message = said(room.bo, room.group, clientId="c")
    assert room.heard() == [frame("message.created", room, message)] * 3
    for action, fields in (
        ("edit", {"content": "Hejdå"}), ("pin", {}), ("react", {"emoji": "👍"}),
        ("remove_reaction", {"emoji": "👍"}), ("unpin", {}),
    ):  # fmt: skip
        after = changed(room.bo, room.group, message, action, **fields)
        assert room.heard() == [frame("message.updated", room, after)] * 3
    room.bo.delete(place(room.group, message))
    left = one(room.elsa, room.group, message)
    assert room.heard() == [frame("message.deleted", room, left)] * 3
    # What changes nothing, or is refused, is not told.
    say(room.bo, room.group, clientId="c")
    change(room.bo, room.group, message, "pin")
    say(room.bo, room.group, "x" * 2001)
    assert room.quiet()


def test_hiding_publishes_deleted_and_showing_again_publishes_updated(room: Room) -> None:
    message = said(room.bo, room.group)
    room.heard()
    hide_message(message_id=message["id"])
    heard = room.heard()
    assert [event["type"] for event in heard] == ["message.deleted"] * 3
    assert all(event["message"]["content"] == "" for event in heard)
    unhide_message(message_id=message["id"])
    shown = one(room.bo, room.group, message)
    assert room.heard() == [frame("message.updated", room, shown)] * 3


def test_a_quote_is_published_to_those_who_may_see_the_quoted_message(room: Room) -> None:
    early = said(room.elsa, room.group, "Kanariefågel")
    room.heard()
    Membership.objects.filter(account=account("alva.lind")).update(joined_seq=1)
    answer = said(room.bo, room.group, replyTo={"messageId": early["id"]})
    for_elsa, for_bo, for_alva = room.heard()
    assert for_elsa == for_bo == frame("message.created", room, answer)
    assert for_alva == frame("message.created", room, one(room.alva, room.group, answer))
    assert "Kanariefågel" not in str(for_alva)
    changed(room.bo, room.group, answer, "react", emoji="👍")
    for_elsa, for_bo, for_alva = room.heard()
    assert for_elsa == for_bo
    assert "Kanariefågel" in str(for_elsa)
    assert "Kanariefågel" not in str(for_alva)


def test_changes_of_a_message_are_not_published_to_those_who_cannot_read_it(room: Room) -> None:
    message = said(room.bo, room.group)
    room.heard()
    Membership.objects.filter(account=account("alva.lind")).update(joined_seq=1)
    changed(room.bo, room.group, message, "react", emoji="👍")
    assert hear(room.sockets["elsa.nordvall"])["type"] == "message.updated"
    assert hear(room.sockets["bo.ek"])["type"] == "message.updated"
    assert still_answers(room.sockets["alva.lind"])


def test_a_removed_member_receives_no_later_message(room: Room) -> None:
    out = {"action": "remove_member", "targetUsername": "alva.lind"}
    room.elsa.patch(f"/api/conversations/{room.group.pk.hex}", out)
    assert hear(room.sockets["alva.lind"])["type"] == "conversation.removed"
    said(room.bo, room.group)
    assert still_answers(room.sockets["alva.lind"])
