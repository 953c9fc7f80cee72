"""A notification names nobody as somebody else."""

import pytest
from django.utils.translation import override

from accounts.models import Profile
from accounts.real_names import name_in_text
from social.models import Conversation
from social.services.notifications.messages import group_title
from tests.conftest import Caller, signed_in
from tests.notifications.actions import of_kind
from tests.social_actions import befriend, dm_of, say

SHOWN = "Rektorn (Elsa Nordvall)"


@pytest.fixture
def rektorn(elsa: Caller) -> Caller:
    """Elsa, who called herself so before it was refused."""
    Profile.objects.filter(account__username="elsa.nordvall").update(display_name="Rektorn")
    return elsa


def test_a_message_and_a_reply_name_who_really_wrote_them(rektorn: Caller, bo: Caller) -> None:
    dm = dm_of(rektorn, "bo.ek")
    say(rektorn, dm, "Hej")
    assert [each["title"] for each in of_kind(bo, "message")] == [SHOWN]
    mine = say(bo, dm, "Vem är du?")
    reply = {"content": "Rektorn", "replyTo": {"messageId": mine["id"]}}
    assert rektorn.post(f"/api/conversations/{dm}/messages", reply).status_code == 201
    assert [each["title"] for each in of_kind(bo, "reply")] == [SHOWN]


def test_so_does_a_new_friendship(rektorn: Caller) -> None:
    alva = signed_in("alva.lind")
    befriend(alva, rektorn, ("alva.lind", "elsa.nordvall"))
    assert [each["title"] for each in of_kind(alva, "friend")] == [SHOWN]


def test_a_request_and_an_invite_show_the_real_name_alone(rektorn: Caller) -> None:
    alva = signed_in("alva.lind")
    assert rektorn.post("/api/friends", {"targetUsername": "alva.lind"}).status_code == 201
    body = {"type": "group", "groupName": "Ugglorna", "members": ["alva.lind"]}
    assert rektorn.post("/api/conversations", body).status_code == 201
    for kind in ("friend", "invite"):
        assert [each["title"] for each in of_kind(alva, kind)] == ["Elsa Nordvall"]


def test_a_group_is_named_as_a_group() -> None:
    group = Conversation(type=Conversation.GROUP, group_name="Rektorn")
    with override("sv"):
        assert group_title(group) == "Grupp: Rektorn"
    with override("en"):
        assert group_title(group) == "Group: Rektorn"


def test_a_long_name_leaves_room_for_the_real_one() -> None:
    text = name_in_text("Rektorn " * 10, "Elsa Nordvall")
    assert text == "Rektorn Rektorn Rektorn Rekto… (Elsa Nordvall)"
    assert len(name_in_text("x" * 80, "y" * 80)) <= 80
    assert name_in_text("x" * 80, None) == "x" * 80
