"""Encrypted groups: the service checks the form of messages and never sees plaintext."""

import base64
import os
from typing import Any

import pytest

from social.models import Conversation, Message, SpentIv
from tests.accounts.stored_data import store_contents, tables
from tests.conftest import Caller, signed_in
from tests.social.aes_group import key_of, seal, seal_apart, unseal
from tests.social.factories import group_of
from tests.social.friend_requests import code_of
from tests.social.message_requests import change, changed, message_path, one, read, send, sent, seqs
from tests.social_actions import befriend

CANARY = "Kanariefågeln sjunger i källaren"


@pytest.fixture(scope="module")
def key() -> bytes:
    """The key that both members derive from a shared phrase."""
    return key_of("korrekt häst batteri häftklammer", b"salt of this group")


@pytest.fixture
def group(elsa: Caller, bo: Caller) -> Conversation:
    group = group_of("elsa.nordvall", "bo.ek")
    Conversation.objects.update(encryption="aes-gcm")
    group.refresh_from_db()
    return group


def test_two_members_talk_and_the_service_sees_no_plaintext(
    elsa: Caller,
    bo: Caller,
    group: Conversation,
    key: bytes,
    caplog: pytest.LogCaptureFixture,
    capfd: Any,
) -> None:
    caplog.set_level("DEBUG")
    answers = [send(elsa, group, seal(key, CANARY))]
    content, iv = seal_apart(key, f"{CANARY}!")
    answers.append(send(bo, group, content, iv=iv, clientId="c"))
    edited = change(elsa, group, answers[0].json()["message"], "edit", content=seal(key, CANARY))
    answers.append(edited)
    answers.append(bo.get(message_path(group)))
    answers.append(bo.get("/api/conversations"))
    assert {answer.status_code for answer in answers} == {200, 201}
    second, first = answers[3].json()["messages"]
    assert unseal(key, first["content"], first["iv"]) == CANARY
    assert unseal(key, second["content"], second["iv"]) == f"{CANARY}!"
    assert (first["encrypted"], first["iv"], second["iv"]) == (True, None, iv)
    seen = b"".join(answer.content for answer in answers)
    seen += (
        tables() + store_contents() + caplog.text.encode() + "".join(capfd.readouterr()).encode()
    )
    for secret in (CANARY, "häftklammer", base64.b64encode(key).decode(), key.hex()):
        assert secret.encode() not in seen
    assert CANARY.encode().hex().encode() not in seen.lower()


def test_a_group_made_by_rest_takes_envelopes(elsa: Caller, key: bytes) -> None:
    signed_in("bo.ek")
    body = {"type": "group", "groupName": "Hemligt", "members": ["bo.ek"], "encrypted": True}
    made = elsa.post("/api/conversations", body).json()["conversation"]
    assert (made["encrypted"], made["encryption"], made["epoch"]) == (True, "aes-gcm", None)
    conversation = Conversation.objects.get()
    sent(elsa, conversation, seal(key, CANARY))
    assert code_of(send(elsa, conversation, "Hej")) == (400, "not_for_encrypted")


def encoded(size: int) -> str:
    """Random bytes in base64."""
    return base64.b64encode(os.urandom(size)).decode()


def test_content_that_is_not_an_encrypted_message_is_400(elsa: Caller, group: Conversation) -> None:
    for content, iv, code in (
        ("Hej på dig", None, "not_for_encrypted"),
        ("Hej", None, "not_for_encrypted"),
        ("x" * 2001, None, "not_for_encrypted"),
        (encoded(28), None, "wrong_envelope"),  # nothing between IV and tag
        (encoded(16), "B" * 16, "wrong_envelope"),
        (encoded(6145), "D" * 16, "invalid_input"),  # too long
        (encoded(40)[:-1] + "\n=", None, "not_for_encrypted"),
        (base64.urlsafe_b64encode(b"\xfb\xff" * 20).decode(), None, "not_for_encrypted"),
        (encoded(40).rstrip("="), None, "not_for_encrypted"),
        # Not canonical: bits that decoding drops.
        (base64.b64encode(bytes(31)).decode()[:-3] + "B==", None, "not_for_encrypted"),
        *((encoded(40), iv, "invalid_input") for iv in ("A" * 15, "A" * 17, "A" * 15 + "=")),
        *((encoded(40), iv, "invalid_input") for iv in ("A" * 15 + "-", "", "åäö")),
    ):
        assert code_of(send(elsa, group, content, iv=iv)) == (400, code), (content, iv)
    assert not Message.objects.exists()


def test_the_shortest_and_the_longest_fit(elsa: Caller, group: Conversation) -> None:
    for size, iv in ((17, "A" * 16), (6144, "C" * 16), (29, None), (6144, None)):
        assert send(elsa, group, encoded(size), iv=iv).status_code == 201, size


def test_an_iv_cannot_be_used_twice(
    elsa: Caller, bo: Caller, group: Conversation, key: bytes
) -> None:
    iv = os.urandom(12)
    first = sent(elsa, group, seal(key, "Ett", iv))
    apart = base64.b64encode(seal(key, "Två").encode()).decode()
    answers = [
        send(elsa, group, seal(key, "Två", iv)),
        send(elsa, group, apart, iv=base64.b64encode(iv).decode()),
        change(elsa, group, first, "edit", content=seal(key, "Två", iv)),
    ]
    assert {code_of(answer) for answer in answers} == {(409, "iv_reused")}
    # Neither an edit nor a deletion makes the IV usable again.
    changed(elsa, group, first, "edit", content=seal(key, "Tre"))
    assert code_of(send(elsa, group, seal(key, "Två", iv))) == (409, "iv_reused")
    elsa.delete(message_path(group, first))
    assert code_of(send(elsa, group, seal(key, "Två", iv))) == (409, "iv_reused")
    assert sent(bo, group, seal(key, "Fyra", iv))["seq"] == 2
    assert SpentIv.objects.count() == 3


def test_a_repeated_send_may_have_the_same_iv(
    elsa: Caller, group: Conversation, key: bytes
) -> None:
    content = seal(key, CANARY)
    first = sent(elsa, group, content, clientId="c")
    again = send(elsa, group, content, clientId="c")
    assert (again.status_code, again.json()["message"]) == (200, first)
    # The same text encrypted again is other content.
    other = send(elsa, group, seal(key, CANARY), clientId="c")
    assert code_of(other) == (409, "client_id_reused")


def test_edits_are_checked_as_encrypted_messages_too(
    elsa: Caller, group: Conversation, key: bytes
) -> None:
    message = sent(elsa, group, seal(key, CANARY))
    assert code_of(change(elsa, group, message, "edit", content="Klar text")) == (
        400, "not_for_encrypted"
    )  # fmt: skip
    content, iv = seal_apart(key, "Ändrat")
    edited = changed(elsa, group, message, "edit", content=content, iv=iv)
    assert unseal(key, edited["content"], edited["iv"]) == "Ändrat"
    assert changed(elsa, group, message, "edit", content=content, iv=iv) == edited


def test_there_are_no_cards(elsa: Caller, group: Conversation, key: bytes) -> None:
    note = elsa.post("/api/notes", {"content": CANARY}).json()["note"]
    card = {"type": "note", "noteId": note["id"]}
    answer = send(elsa, group, seal(key, "Se här"), shareCard=card)
    assert code_of(answer) == (400, "not_for_encrypted")


def test_a_quote_has_an_id_and_no_text(
    elsa: Caller, bo: Caller, group: Conversation, key: bytes
) -> None:
    first = sent(elsa, group, seal(key, CANARY))
    answer = sent(bo, group, seal(key, "Ja"), replyTo={"messageId": first["id"]})
    assert answer["replyTo"] == {
        "messageId": first["id"],
        "content": "",
        "senderUsername": "elsa.nordvall",
        "senderDisplayName": "Elsa Nordvall",
        "senderUserType": "student",
        "senderRealName": None,
    }
    assert one(elsa, group, answer) == answer


def test_previews_of_encrypted_messages_are_a_label(
    elsa: Caller, bo: Caller, group: Conversation, key: bytes
) -> None:
    content = sent(elsa, group, seal(key, CANARY))["content"]
    listed = bo.get("/api/conversations").json()["conversations"][0]
    assert listed["lastMessage"] == "Encrypted message"
    assert content[:40] not in str(listed)


def test_the_rest_is_as_in_any_group(
    elsa: Caller, bo: Caller, group: Conversation, key: bytes
) -> None:
    message = sent(elsa, group, seal(key, CANARY))
    changed(bo, group, message, "react", emoji="👍")
    changed(elsa, group, message, "pin")
    elsa.delete(message_path(group, message))
    left = one(bo, group, message)
    assert (left["content"], left["iv"], left["encrypted"]) == ("", None, True)
    assert seqs(read(bo, group)) == [1]


def test_an_iv_is_ignored_without_encryption(elsa: Caller, bo: Caller) -> None:
    message = sent(elsa, group_of("elsa.nordvall", "bo.ek"), "Hej", iv="A" * 16)
    assert (message["content"], message["iv"], message["encrypted"]) == ("Hej", None, False)


def test_the_founder_gives_a_check_of_the_key_that_never_changes(elsa: Caller, bo: Caller) -> None:
    befriend(elsa, bo, ("elsa.nordvall", "bo.ek"))
    body = {"type": "group", "groupName": "Hemligt", "members": ["bo.ek"]}
    check = "x" * 128
    answer = elsa.post("/api/conversations", body | {"encrypted": True, "keyCheck": check})
    group = answer.json()["conversation"]
    assert group["keyCheck"] == check
    path = f"/api/conversations/{group['id']}"
    rename = {"action": "rename", "groupName": "Annat", "keyCheck": "y"}
    assert elsa.patch(path, rename).json()["conversation"]["keyCheck"] == check
    (listed,) = bo.get("/api/conversations").json()["conversations"]
    assert listed["keyCheck"] == check
    plain = elsa.post("/api/conversations", body | {"groupName": "Öppet"}).json()["conversation"]
    assert plain["keyCheck"] is None
    for wrong in (
        body | {"keyCheck": check},
        body | {"encrypted": True, "keyCheck": check + "x"},
        body | {"encrypted": True, "keyCheck": ""},
        body | {"encrypted": True, "keyCheck": 7},
    ):
        answer = elsa.post("/api/conversations", wrong)
        assert (answer.status_code, list(answer.json()["fields"])) == (400, ["keyCheck"])
