"""Conversations and messages of an import, as their members see them afterwards."""

from pathlib import Path
from typing import Any

import pytest

from social.models import Conversation, Message, SpentIv
from tests.conftest import Caller, signed_in
from tests.import_files import (
    ALVA,
    BO,
    ELSA,
    ago,
    conversation,
    conversations,
    group,
    message,
    messages,
    person,
    run,
)
from tests.social.aes_group import seal

PEOPLE = [person(ELSA), person(BO), person(ALVA)]
DM = [*PEOPLE, conversation("c1", ELSA, BO)]


KEY = bytes(32)


def sealed(number: int) -> str:
    return seal(KEY, "hemligt", number.to_bytes(12))


def reasons(tmp_path: Path, *rows: Any) -> dict[str, str]:
    return run(tmp_path, *DM, *rows).reasons


def test_their_members_see_them(caller: Caller, tmp_path: Path) -> None:
    first, second = ago(days=40), ago(days=39)
    done = run(
        tmp_path,
        *DM,
        message("m1", "c1", ELSA, "Läste du?", createdAt=first),
        message(
            "m2",
            "c1",
            BO,
            "Ja.",
            createdAt=second,
            editedAt=second + 1000,
            pinned=True,
            reactions={"👍": [ELSA, BO]},
            replyTo={"messageId": "m1"},
        ),
    )
    assert done.counts("message") == (2, 0, 0, 0)
    elsa = signed_in("elsa.nordvall")
    (shown,) = conversations(elsa)
    assert (shown["unreadCount"], shown["lastReadSeq"], shown["lastSeq"]) == (0, 2, 2)
    assert (shown["lastMessage"], shown["lastAt"]) == ("Ja.", second)
    assert shown["participants"] == ["elsa.nordvall", "bo.ek"]
    one, two = messages(elsa)
    assert (one["content"], one["createdAt"], one["senderUsername"]) == (
        "Läste du?",
        first,
        "elsa.nordvall",
    )
    assert (two["seq"], two["pinned"], two["editedAt"]) == (2, True, second + 1000)
    assert two["reactions"] == {"👍": ["elsa.nordvall", "bo.ek"]}
    assert two["replyTo"]["content"] == "Läste du?"


def test_sync_finds_them(caller: Caller, tmp_path: Path) -> None:
    run(tmp_path, *DM, *(message(f"m{number}", "c1", ELSA) for number in range(7)))
    elsa = signed_in("elsa.nordvall")
    everything = elsa.post("/api/sync", {"conversations": {}}).json()
    (shown,) = everything["conversations"]
    numbers = [each["seq"] for each in everything["messages"][shown["id"]]]
    assert numbers == list(range(1, 8))
    run(tmp_path, *DM, *(message(f"m{number}", "c1", BO) for number in range(9)))
    known = {"conversations": {shown["id"]: shown["revision"]}}
    missed = elsa.post("/api/sync", known).json()
    assert [each["seq"] for each in missed["messages"][shown["id"]]] == [8, 9]
    revisions = Message.objects.order_by("seq").values_list("revision", flat=True)
    assert list(revisions) == list(range(2, 11))
    assert missed["conversations"][0]["revision"] == 10


def test_they_go_on_after_what_was_written_here(elsa: Caller, tmp_path: Path) -> None:
    bo = signed_in("bo.ek")
    dm = elsa.post("/api/conversations", {"targetUsername": "bo.ek"}).json()["conversation"]["id"]
    elsa.post(f"/api/conversations/{dm}/messages", {"content": "new"})
    done = run(tmp_path, *DM, message("m1", "c1", BO, "old"), message("m2", "c1", ELSA, "older"))
    assert done.counts("conversation") == (0, 1, 0, 0)
    assert [each["content"] for each in messages(elsa)] == ["new", "old", "older"]
    # Elsa had read all; Bo had not, so his own is read and the two of Elsa are not.
    assert conversations(elsa)[0]["unreadCount"] == 0
    assert conversations(bo)[0]["unreadCount"] == 2
    assert conversations(bo)[0]["lastAt"] == messages(bo)[0]["createdAt"]
    bo.patch(f"/api/conversations/{dm}", {"action": "mark_read"})
    assert conversations(bo)[0]["unreadCount"] == 0
    elsa.post(f"/api/conversations/{dm}/messages", {"content": "next"})
    assert messages(elsa)[-1]["seq"] == 4


def test_a_group_has_its_admin_and_members(caller: Caller, tmp_path: Path) -> None:
    described = group("g1", BO, ELSA, ALVA, groupDescription="Biologi")
    run(tmp_path, *PEOPLE, described, message("m1", "g1", ALVA))
    (shown,) = conversations(signed_in("elsa.nordvall"))
    assert (shown["groupName"], shown["groupDescription"]) == ("Ugglorna", "Biologi")
    assert (shown["adminUsername"], len(shown["participants"])) == ("bo.ek", 3)


def test_who_has_left_a_group_is_still_the_author(caller: Caller, tmp_path: Path) -> None:
    run(tmp_path, *PEOPLE, group("g1", BO, ELSA), message("m1", "g1", ALVA))
    (one,) = messages(signed_in("elsa.nordvall"))
    assert one["senderUsername"] == "alva.lind"
    assert conversations(signed_in("alva.lind")) == []


def test_the_server_takes_ciphertext_only_in_an_encrypted_group(
    caller: Caller, tmp_path: Path
) -> None:
    secret = group("g1", ELSA, BO, encryption="aes-gcm")
    same = sealed(2)
    done = run(
        tmp_path,
        *PEOPLE,
        secret,
        message("m1", "g1", ELSA, sealed(1)),
        message("m2", "g1", ELSA, "plain"),
        message("m3", "g1", ELSA, same),
        message("m4", "g1", ELSA, same),
        message("m5", "g1", ELSA, sealed(3)[:20]),
    )
    assert set(done.reasons) == {"m2", "m4", "m5"}
    assert done.reasons["m2"] == "content: Not base64, and the group is encrypted."
    assert done.reasons["m4"] == "iv: The sender has used it in this group already."
    assert SpentIv.objects.count() == 2
    one = messages(signed_in("bo.ek"))[0]
    assert (one["encrypted"], one["content"]) == (True, sealed(1))
    again = run(tmp_path, *PEOPLE, secret, message("m9", "g1", ELSA, same))
    assert again.reasons["m9"] == "iv: The sender has used it in this group already."


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no text": ({"content": " "}, "content: This field may not be blank."),
    "a long text": ({"content": "a" * 2001}, "content: At most 2000 characters."),
    "no conversation": (
        {"conversation": "c9"},
        "There is no conversation 'c9' before this line.",
    ),
    "somebody else": ({"sender": ALVA}, "The sender is not in the conversation."),
    "nobody": ({"sender": "x"}, "There is no person 'x' before this line."),
    "a reply to nothing": (
        {"replyTo": {"messageId": "m9"}},
        "There is no message 'm9' before this line.",
    ),
    "a reply to itself": (
        {"replyTo": {"messageId": "bad"}},
        "There is no message 'bad' before this line.",
    ),
    "no emoji": ({"reactions": {"x": [ELSA]}}, "reactions: Exactly one emoji."),
    "a reaction of nobody": (
        {"reactions": {"👍": ["x"]}},
        "There is no person 'x' before this line.",
    ),
    "the future": ({"createdAt": ago(days=-1)}, "createdAt: This is in the future."),
    "a wrong time": (
        {"createdAt": "2026-11-01"},
        "createdAt: Give Unix milliseconds, or a time such as 2026-11-20T14:05:00Z.",
    ),
    "a huge time": (
        {"createdAt": 2**62},
        "createdAt: Give Unix milliseconds, or a time such as 2026-11-20T14:05:00Z.",
    ),
    "edited before": ({"editedAt": 5}, "editedAt: This is before `createdAt`."),
    "a card": ({"shareCard": {}}, "shareCard: There is no such field."),
}


@pytest.mark.parametrize(("fields", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_message_is_refused(
    caller: Caller, tmp_path: Path, fields: dict[str, Any], reason: str
) -> None:
    bad = message("bad", "c1", ELSA) | fields
    done = run(tmp_path, *DM, message("m1", "c1", ELSA), bad, message("m2", "c1", BO))
    assert done.reasons == {"bad": reason}
    assert list(Message.objects.values_list("seq", flat=True)) == [1, 2]


def test_a_reply_stays_in_its_conversation(caller: Caller, tmp_path: Path) -> None:
    other = [conversation("c2", ELSA, ALVA), message("m1", "c2", ELSA)]
    reply = message("m2", "c1", ELSA, replyTo={"messageId": "m1"})
    assert reasons(tmp_path, *other, reply) == {
        "m2": "The message 'm1' is in another conversation."
    }


def test_a_reply_to_a_refused_message_is_refused(caller: Caller, tmp_path: Path) -> None:
    rows = [
        message("m1", "c1", ALVA),
        message("m2", "c1", ELSA, replyTo={"messageId": "m1"}),
        message("m3", "c1", ELSA, ""),
        message("m4", "c1", ELSA, replyTo={"messageId": "m3"}),
    ]
    found = reasons(tmp_path, *rows)
    assert found["m2"] == (
        "The message 'm1' of line 6 was refused: The sender is not in the conversation."
    )
    assert found["m4"].startswith("The message 'm3' of line 8 was refused: content:")


def test_what_is_too_old_is_counted(caller: Caller, tmp_path: Path) -> None:
    old = message("m1", "c1", ELSA, createdAt=ago(days=500))
    reply: dict[str, Any] = {"replyTo": {"messageId": "m1"}}
    done = run(
        tmp_path,
        *DM,
        old,
        message("m2", "c1", BO, **reply),
        note_kind := message("m3", "c1", BO, **reply),
    )
    assert note_kind["id"] == "m3"
    assert (done.status, done.counts("message")) == (0, (2, 0, 0, 1))
    assert done.reasons == {"m1": "It is older than RETENTION_MONTHS."}
    assert done.report[0]["tooOld"] is True
    assert "m1" not in done.err
    assert [each["replyTo"] for each in messages(signed_in("bo.ek"))] == [None, None]


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "three": ({"participants": [ELSA, BO, ALVA]}, "participants: A direct conversation has two."),
    "twice the same": ({"participants": [ELSA, ELSA]}, "participants: Somebody is there twice."),
    "encrypted": ({"encryption": "aes-gcm"}, "encryption: Only groups can be encrypted."),
    "mls": ({"encryption": "mls"}, 'encryption: "mls" is not a valid choice.'),
    "no admin": ({"groupName": "Ugglorna"}, "admin: This is not a participant."),
    "another admin": (
        {"groupName": "Ugglorna", "admin": ALVA},
        "admin: This is not a participant.",
    ),
    "a blank name": ({"groupName": " ", "admin": ELSA}, "groupName: This field may not be blank."),
    "a crowd": (
        {"participants": [f"p{number}" for number in range(51)]},
        "participants: Ensure this field has no more than 50 elements.",
    ),
    "nobody": ({"participants": [ELSA, "x"]}, "There is no person 'x' before this line."),
}


@pytest.mark.parametrize(("fields", "reason"), WRONG.values(), ids=WRONG)
def test_a_conversation_is_refused_with_its_messages(
    caller: Caller, tmp_path: Path, fields: dict[str, Any], reason: str
) -> None:
    bad = conversation("c1", ELSA, BO) | fields
    done = run(tmp_path, *PEOPLE, bad, message("m1", "c1", ELSA))
    assert done.reasons == {
        "c1": reason,
        "m1": f"The conversation 'c1' of line 5 was refused: {reason}",
    }
    assert not Conversation.objects.exists()
