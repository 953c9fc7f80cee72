"""Editing, pinning and deleting messages."""

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from social.models import Conversation, Membership, Message, Reaction
from social.services.report_kinds.messages import hide_message, unhide_message
from tests.concurrency import at_once
from tests.conftest import Caller, signed_in
from tests.social.factories import account, dm_of, group_of
from tests.social.friend_requests import block, code_of
from tests.social.message_requests import Json, change, changed, message_path, one, read, sent, seqs


@pytest.fixture
def alva(elsa: Caller) -> Caller:
    return signed_in("alva.lind")


@pytest.fixture
def group(elsa: Caller, bo: Caller, alva: Caller) -> Conversation:
    """A group with Elsa as admin."""
    return group_of("elsa.nordvall", "bo.ek", "alva.lind")


def age(message: Json, **ago: int) -> None:
    """Make a message older than it is."""
    then = timezone.now() - timedelta(**ago)
    Message.objects.filter(seq=message["seq"]).update(created_at=then)


def test_an_edit_has_its_own_revision(elsa: Caller, bo: Caller, group: Conversation) -> None:
    message = sent(bo, group)
    sent(bo, group)
    edited = changed(bo, group, message, "edit", content=" Hejdå ")
    assert (edited["content"], edited["edited"], edited["seq"]) == (" Hejdå ", True, 1)
    assert edited["editedAt"] >= edited["createdAt"] == message["createdAt"]
    assert edited["revision"] == 3
    assert one(elsa, group, message) == edited
    assert changed(bo, group, message, "edit", content=" Hejdå ") == edited  # no change
    refused = change(elsa, group, message, "edit", content="Nej")  # not her message
    assert code_of(refused) == (403, "forbidden")


def test_a_message_can_be_edited_for_a_day(bo: Caller, group: Conversation) -> None:
    message = sent(bo, group)
    age(message, hours=23, minutes=59)
    changed(bo, group, message, "edit", content="I tid")
    age(message, hours=24, minutes=1)
    answer = change(bo, group, message, "edit", content="För sent")
    assert code_of(answer) == (403, "edit_window_closed")
    assert one(bo, group, message)["content"] == "I tid"


NO_CHANGES: list[Json] = [
    {}, {"action": "shout"}, {"action": "edit"}, {"action": "edit", "content": ""},
    {"action": "edit", "content": " \n"}, {"action": "edit", "content": "\u3164"},
    {"action": "edit", "content": 5},
    {"action": "edit", "content": "x" * 2001}, {"action": ["edit"]}, {"action": "react"},
    {"action": "add_reaction", "emoji": None}, {"action": None},
]  # fmt: skip


def test_a_change_of_the_wrong_shape_is_400(bo: Caller, group: Conversation) -> None:
    message = sent(bo, group)
    for body in NO_CHANGES:
        answer = bo.patch(message_path(group, message), body)
        assert code_of(answer) == (400, "invalid_input"), body
    assert one(bo, group, message) == message


def test_a_block_refuses_edits_pins_and_reactions_but_not_removals(
    elsa: Caller, bo: Caller, dm: Conversation
) -> None:
    message, other = sent(elsa, dm), sent(bo, dm)
    changed(elsa, dm, other, "react", emoji="👍")
    changed(elsa, dm, other, "pin")
    block(bo, "elsa.nordvall")
    for person, own in ((elsa, message), (bo, other)):
        for action, fields in (
            ("edit", {"content": "Hör du?"}), ("pin", {"pinned": True}), ("react", {"emoji": "👎"}),
            ("add_reaction", {"emoji": "👎"}),
        ):  # fmt: skip
            answer = change(person, dm, own, action, **fields)
            assert code_of(answer) == (403, "dm_refused"), action
    assert changed(elsa, dm, other, "react", emoji="👍")["reactions"] == {}
    assert changed(elsa, dm, other, "unpin")["pinned"] is False
    assert elsa.delete(message_path(dm, message)).status_code == 200


def test_both_can_pin_in_a_direct_conversation(elsa: Caller, bo: Caller, dm: Conversation) -> None:
    message = sent(elsa, dm)
    pinned = changed(bo, dm, message, "pin")
    assert (pinned["pinned"], pinned["revision"]) == (True, 2)
    assert changed(elsa, dm, message, "pin", pinned=True) == pinned
    assert changed(elsa, dm, message, "unpin")["pinned"] is False
    # Without a wanted state, it is the other one.
    assert changed(bo, dm, message, "pin")["pinned"] is True
    assert changed(elsa, dm, message, "pin")["pinned"] is False
    assert changed(elsa, dm, message, "pin", pinned=False)["pinned"] is False
    assert code_of(change(elsa, dm, message, "pin", pinned="yes")) == (400, "invalid_input")


def test_in_a_group_the_admin_and_the_sender_pin(
    elsa: Caller, bo: Caller, alva: Caller, group: Conversation
) -> None:
    message = sent(bo, group)
    assert code_of(change(alva, group, message, "pin")) == (403, "forbidden")
    changed(bo, group, message, "pin")
    assert code_of(change(alva, group, message, "unpin")) == (403, "forbidden")
    changed(elsa, group, message, "unpin")


def test_the_pinned_ones_are_found(elsa: Caller, group: Conversation) -> None:
    messages = [sent(elsa, group, f"{number}") for number in range(5)]
    for message in (messages[3], messages[1]):
        changed(elsa, group, message, "pin")
    found = elsa.get(f"/api/conversations/{group.pk.hex}?pinned=true").json()
    assert seqs(found) == [2, 4]
    elsa.delete(message_path(group, messages[1]))
    hide_message(message_id=messages[3]["id"])
    assert seqs(elsa.get(f"/api/conversations/{group.pk.hex}?pinned=true").json()) == []


def test_a_deleted_message_is_a_tombstone(elsa: Caller, bo: Caller, group: Conversation) -> None:
    quoted = sent(elsa, group, "Kanariefågel")
    message = sent(bo, group, "Kanariefågel", replyTo={"messageId": quoted["id"]}, clientId="c")
    changed(elsa, group, message, "react", emoji="👍")
    changed(elsa, group, message, "pin")
    changed(bo, group, message, "edit", content="Kanariefågel!")
    Message.objects.filter(seq=2).update(share_card={"type": "note", "title": "Kanariefågel"})
    assert bo.delete(message_path(group, message)).json() == {"success": True}
    left = one(elsa, group, message)
    assert left["deletedAt"] >= message["createdAt"]
    nothing: Json = {"content": "", "replyTo": None, "edited": False, "editedAt": None}
    nothing |= {"pinned": False, "reactions": {}, "shareCard": None}
    assert left == message | nothing | {"revision": 6, "deletedAt": left["deletedAt"]}
    row = Message.objects.get(seq=2)
    assert (row.content, row.share_card, row.reply_to_seq) == ("", None, None)
    assert not Reaction.objects.exists()
    conversation = elsa.get(f"/api/conversations/{group.pk.hex}").json()["conversation"]
    assert "Kanarie" not in conversation["lastMessage"]


def test_a_deleted_message_cannot_be_changed(elsa: Caller, group: Conversation) -> None:
    message = sent(elsa, group)
    elsa.delete(message_path(group, message))
    for action, fields in (
        ("edit", {"content": "Hej"}), ("pin", {}), ("unpin", {}), ("react", {"emoji": "👍"}),
        ("remove_reaction", {"emoji": "👍"}),
    ):  # fmt: skip
        answer = change(elsa, group, message, action, **fields)
        assert code_of(answer) == (409, "message_gone"), action
    assert code_of(elsa.delete(message_path(group, message))) == (404, "not_found")


def test_its_sender_and_the_admin_delete_a_message(
    elsa: Caller, bo: Caller, alva: Caller, group: Conversation, zoe: Caller
) -> None:
    first, second = sent(bo, group), sent(bo, group)
    assert code_of(alva.delete(message_path(group, first))) == (403, "forbidden")
    assert code_of(zoe.delete(message_path(group, first))) == (404, "not_found")
    assert bo.delete(message_path(group, first)).status_code == 200
    assert elsa.delete(message_path(group, second)).status_code == 200
    dm = dm_of("elsa.nordvall", "bo.ek")  # has no admin
    assert code_of(bo.delete(message_path(dm, sent(elsa, dm)))) == (403, "forbidden")


def test_the_admin_of_one_group_has_no_rights_in_another(
    elsa: Caller, bo: Caller, group: Conversation
) -> None:
    other = group_of("bo.ek", "elsa.nordvall")
    message = sent(elsa, group)
    # The message of one group under the path of another is unknown.
    foreign = f"/api/conversations/{other.pk.hex}/{message['id']}"
    assert code_of(bo.delete(foreign)) == (404, "not_found")
    assert code_of(bo.delete(message_path(group, message))) == (403, "forbidden")


def test_an_address_of_no_message_is_404(elsa: Caller, group: Conversation) -> None:
    sent(elsa, group)
    hex_id = group.pk.hex
    for name in (
        "1",
        "x-1",
        f"{hex_id}-0",
        f"{hex_id}-01",
        f"{hex_id}-9999999999999999999",
        hex_id,
    ):
        answer = elsa.delete(f"/api/conversations/{hex_id}/{name}")
        assert code_of(answer) == (404, "not_found"), name


def test_a_hidden_message_looks_deleted_and_can_be_shown_again(
    elsa: Caller, bo: Caller, group: Conversation
) -> None:
    message = sent(bo, group, "Något fult")
    changed(elsa, group, message, "react", emoji="👍")
    before = one(elsa, group, message)
    for _ in range(2):
        hide_message(message_id=message["id"])
    hidden = one(bo, group, message)
    assert (hidden["content"], hidden["reactions"], hidden["revision"]) == ("", {}, 3)
    assert hidden["deletedAt"]
    assert Message.objects.get().content == "Något fult"
    assert code_of(change(bo, group, message, "edit", content="Hej")) == (409, "message_gone")
    assert code_of(bo.delete(message_path(group, message))) == (404, "not_found")
    assert seqs(read(elsa, group, "?changedAfter=2")) == [1]
    unhide_message(message_id=message["id"])
    assert one(elsa, group, message) == before | {"revision": 4}


def test_an_edit_and_a_deletion_at_once_leave_a_tombstone(
    transactional_db: None, elsa: Caller
) -> None:
    group = group_of("elsa.nordvall")
    message = sent(elsa, group)
    edits = [
        partial(change, elsa.twin(), group, message, "edit", content=f"Hej {number}")
        for number in range(4)
    ]
    deleted, *edited = at_once([partial(elsa.delete, message_path(group, message)), *edits])
    assert deleted.status_code == 200
    assert {answer.status_code for answer in edited} <= {200, 409}
    left = one(elsa, group, message)
    assert (left["content"], left["edited"]) == ("", False)
    assert left["revision"] == 2 + sum(answer.status_code == 200 for answer in edited)
    assert Membership.objects.get(account=account("elsa.nordvall")).last_read_seq == 1
