"""The events of messages that members receive, over real sockets."""

from typing import Any

import pytest

from social.models import Membership
from social.services.report_kinds.messages import hide_message, unhide_message
from tests.social.cast import Cast
from tests.social.conftest import Listen
from tests.social.factories import account, group_of
from tests.social.message_requests import Json, change, changed, message_path, one, send, sent


class Members:
    """Elsa, Bo and Alva in a group, each with an open socket."""

    def __init__(self, cast: Cast, listen: Listen) -> None:
        self.elsa, self.bo, self.alva = cast.elsa, cast.bo, cast.alva
        self.listeners = listen(self.elsa, self.bo, self.alva)
        self.group = group_of("elsa.nordvall", "bo.ek", "alva.lind")

    def received(self) -> list[Any]:
        """The one frame that each has received."""
        return [frame for listener in self.listeners for (frame,) in [listener.heard()]]


@pytest.fixture
def members(cast: Cast, listen: Listen) -> Members:
    return Members(cast, listen)


def frame(kind: str, members: Members, message: Json) -> Json:
    """The event about a message."""
    revision = message["revision"]
    conversation = members.group.pk.hex
    return {"type": kind, "conversationId": conversation, "revision": revision, "message": message}


def test_every_member_receives_every_change_with_the_message_as_rest_renders_it(
    members: Members,
) -> None:
    message = sent(members.bo, members.group, clientId="c")
    assert members.received() == [frame("message.created", members, message)] * 3
    for action, fields in (
        ("edit", {"content": "Hejdå"}), ("pin", {}), ("react", {"emoji": "👍"}),
        ("remove_reaction", {"emoji": "👍"}), ("unpin", {}),
    ):  # fmt: skip
        after = changed(members.bo, members.group, message, action, **fields)
        assert members.received() == [frame("message.updated", members, after)] * 3
    members.bo.delete(message_path(members.group, message))
    left = one(members.elsa, members.group, message)
    assert members.received() == [frame("message.deleted", members, left)] * 3
    # Changes that have no effect or are refused have no event.
    send(members.bo, members.group, clientId="c")
    change(members.bo, members.group, message, "pin")
    send(members.bo, members.group, "x" * 2001)
    assert [listener.heard() for listener in members.listeners] == [[], [], []]


def test_hiding_publishes_deleted_and_showing_again_publishes_updated(
    members: Members,
) -> None:
    message = sent(members.bo, members.group)
    members.received()
    hide_message(message_id=message["id"])
    heard = members.received()
    assert [event["type"] for event in heard] == ["message.deleted"] * 3
    assert all(event["message"]["content"] == "" for event in heard)
    unhide_message(message_id=message["id"])
    shown = one(members.bo, members.group, message)
    assert members.received() == [frame("message.updated", members, shown)] * 3


def test_a_quote_is_published_to_those_who_may_see_the_quoted_message(
    members: Members,
) -> None:
    early = sent(members.elsa, members.group, "Kanariefågel")
    members.received()
    Membership.objects.filter(account=account("alva.lind")).update(joined_seq=1)
    answer = sent(members.bo, members.group, replyTo={"messageId": early["id"]})
    for_elsa, for_bo, for_alva = members.received()
    assert for_elsa == for_bo == frame("message.created", members, answer)
    assert for_alva == frame("message.created", members, one(members.alva, members.group, answer))
    assert "Kanariefågel" not in str(for_alva)
    changed(members.bo, members.group, answer, "react", emoji="👍")
    for_elsa, for_bo, for_alva = members.received()
    assert for_elsa == for_bo
    assert "Kanariefågel" in str(for_elsa)
    assert "Kanariefågel" not in str(for_alva)


def test_changes_of_a_message_are_not_published_to_those_who_cannot_read_it(
    members: Members,
) -> None:
    message = sent(members.bo, members.group)
    members.received()
    Membership.objects.filter(account=account("alva.lind")).update(joined_seq=1)
    changed(members.bo, members.group, message, "react", emoji="👍")
    elsa, bo, alva = members.listeners
    assert [event["type"] for event in elsa.heard() + bo.heard()] == ["message.updated"] * 2
    assert alva.heard() == []
