"""Quotes: built by the server when read, and empty when the reader may not see the message."""

from social.models import Conversation, Membership
from social.services.report_kinds.messages import hide_message, unhide_message
from tests.conftest import Caller
from tests.social.factories import account, group_of
from tests.social.friend_requests import code_of
from tests.social.message_requests import Json, changed, message_path, one, read, send, sent


def answered(caller: Caller, group: Conversation, message: Json) -> Json:
    """A reply to a message."""
    return sent(caller, group, "Svar", replyTo={"messageId": message["id"]})


def test_a_quote_is_the_beginning_of_what_was_said(
    elsa: Caller, bo: Caller, group: Conversation
) -> None:
    question = sent(bo, group, "å" * 500)
    answer = answered(elsa, group, question)
    assert answer["replyTo"] == {
        "messageId": question["id"],
        "content": "å" * 200,
        "senderUsername": "bo.ek",
        "senderDisplayName": "Bo Ek",
        "senderUserType": "student",
        "senderRealName": None,
    }
    assert one(bo, group, answer) == answer


def test_a_client_cannot_provide_the_quote_itself(
    elsa: Caller, bo: Caller, group: Conversation
) -> None:
    question = sent(bo, group, "Vem?")
    forged = {"messageId": question["id"], "content": "Nej!", "senderDisplayName": "Rektorn"}
    answer = sent(elsa, group, replyTo=forged)
    assert answer["replyTo"]["content"] == "Vem?"
    assert answer["replyTo"]["senderDisplayName"] == "Bo Ek"


def test_it_follows_the_message(elsa: Caller, bo: Caller, group: Conversation) -> None:
    question = sent(bo, group, "Vem?")
    answer = answered(elsa, group, question)
    changed(bo, group, question, "edit", content="Vem av er?")
    assert one(elsa, group, answer)["replyTo"]["content"] == "Vem av er?"
    hide_message(message_id=question["id"])
    assert one(elsa, group, answer)["replyTo"]["content"] == ""
    unhide_message(message_id=question["id"])
    bo.delete(message_path(group, question))
    assert one(elsa, group, answer)["replyTo"]["content"] == ""
    assert answered(elsa, group, question)["replyTo"]["content"] == ""


def test_a_message_that_cannot_be_read_cannot_be_quoted(
    elsa: Caller, bo: Caller, group: Conversation
) -> None:
    elsewhere = sent(bo, group_of("bo.ek", "elsa.nordvall"))
    early = sent(bo, group)
    Membership.objects.filter(account=account("elsa.nordvall")).update(joined_seq=1)
    nothing = {"id": f"{group.pk.hex}-99"}
    for message in (elsewhere, early, nothing, {"id": "x"}, {"id": f"{group.pk.hex}-0"}):
        answer = send(elsa, group, replyTo={"messageId": message["id"]})
        assert code_of(answer) == (404, "not_found"), message["id"]
    group.refresh_from_db()
    assert group.last_seq == 1


def test_a_later_member_sees_no_quoted_text_from_before(
    elsa: Caller, bo: Caller, group: Conversation
) -> None:
    early = sent(elsa, group, "Kanariefågel")
    Membership.objects.filter(account=account("bo.ek")).update(joined_seq=1)
    answer = answered(elsa, group, early)
    assert answer["replyTo"]["content"] == "Kanariefågel"
    assert one(bo, group, answer)["replyTo"] == {
        "messageId": early["id"],
        "content": "",
        "senderUsername": "",
        "senderDisplayName": "",
        "senderUserType": None,
        "senderRealName": None,
    }
    assert changed(bo, group, answer, "react", emoji="👍")["replyTo"]["content"] == ""
    for page in (read(bo, group), bo.get(f"/api/conversations/{group.pk.hex}").json()):
        assert "Kanariefågel" not in str(page)


def test_a_reply_to_a_reply_quotes_one_level(elsa: Caller, bo: Caller, group: Conversation) -> None:
    first = answered(elsa, group, sent(bo, group, "Vem?"))
    second = answered(bo, group, first)
    assert second["replyTo"]["content"] == "Svar"
    assert "replyTo" not in second["replyTo"]
    assert set(second["replyTo"]) == set(first["replyTo"])
