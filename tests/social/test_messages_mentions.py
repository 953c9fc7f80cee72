"""Mentions: whom a message names, and whom it cannot name."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from social.models import Conversation, Membership, Mention
from social.services.messages.mentions import names_in
from tests.conftest import Caller, signed_in
from tests.social.factories import account, group_of
from tests.social.friend_requests import code_of
from tests.social.message_requests import (
    change,
    changed,
    message_path,
    one,
    read,
    send,
    sent,
)

BASE64 = "A" * 16 + "B" * 24


@pytest.fixture
def alva(elsa: Caller) -> Caller:
    return signed_in("alva.lind")


@pytest.fixture
def group(elsa: Caller, bo: Caller, alva: Caller) -> Conversation:
    return group_of("elsa.nordvall", "bo.ek", "alva.lind")


@pytest.fixture
def sealed(group: Conversation) -> Conversation:
    Conversation.objects.update(encryption="aes-gcm")
    group.refresh_from_db()
    return group


MEMBERS = ["anna", "anna.ek", "anna.ek.2", "åsa.öberg", "bo@nyvang", "a-b", "kim"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Hej @anna.ek!", ["anna.ek"]),
        ("@anna.ek.2 kommer", ["anna.ek.2"]),
        ("@anna.ek.3", []),
        ("@anna.eklund", []),
        ("Fråga @anna.", ["anna"]),
        ("@anna, @kim: @anna", ["anna", "kim"]),
        ("(@ANNA.EK)", ["anna.ek"]),
        ("@åsa.öberg", ["åsa.öberg"]),
        ("@a\u030asa.o\u0308berg", ["åsa.öberg"]),
        ("@bo@nyvang", ["bo@nyvang"]),
        ("@bo", []),
        ("@a-b och @a-b-c", ["a-b"]),
        ("kim@anna.ek", []),
        ("@@anna", []),
        ("https://tiktok.example/@anna.ek/video", []),
        ("@ anna", []),
        ("@nobody", []),
    ],
)
def test_the_longest_name_of_a_member_is_meant(text: str, names: list[str]) -> None:
    assert names_in(text, MEMBERS) == names


def test_a_message_says_whom_it_mentions(
    elsa: Caller, bo: Caller, alva: Caller, group: Conversation
) -> None:
    message = sent(elsa, group, "@bo.ek och @alva.lind, hinner ni? Jag (@elsa.nordvall) gör det")
    assert message["mentions"] == ["bo.ek", "alva.lind"]
    assert one(bo, group, message)["mentions"] == ["bo.ek", "alva.lind"]
    synced = bo.post("/api/sync", {"conversations": {}}).json()["messages"][group.pk.hex]
    assert synced == [one(bo, group, message)]


def test_only_members_are_mentioned(elsa: Caller, zoe: Caller, group: Conversation) -> None:
    Membership.objects.filter(account=account("bo.ek")).delete()
    message = sent(elsa, group, f"@bo.ek @{account('zoe.åkerman').username} @alva.lind")
    assert message["mentions"] == ["alva.lind"]


@pytest.mark.parametrize("blocker", ["elsa.nordvall", "bo.ek"])
def test_a_mention_does_not_say_who_has_blocked_whom(
    elsa: Caller, bo: Caller, group: Conversation, blocker: str
) -> None:
    people = {"elsa.nordvall": elsa, "bo.ek": bo}
    (other,) = people.keys() - {blocker}
    assert people[blocker].post("/api/blocks", {"targetUsername": other}).status_code == 201
    message = sent(elsa, group, "@bo.ek @alva.lind")
    assert message["mentions"] == ["bo.ek", "alva.lind"]
    edited = changed(elsa, group, message, "edit", content="Bara @bo.ek")
    assert edited["mentions"] == ["bo.ek"]


def test_mentions_follow_an_edit_and_end_with_the_message(
    elsa: Caller, bo: Caller, group: Conversation
) -> None:
    message = sent(elsa, group, "@bo.ek")
    assert changed(elsa, group, message, "edit", content="@alva.lind")["mentions"] == ["alva.lind"]
    assert one(bo, group, message)["mentions"] == ["alva.lind"]
    assert changed(bo, group, message, "react", emoji="👍")["mentions"] == ["alva.lind"]
    assert elsa.delete(message_path(group, message)).status_code == 200
    assert one(bo, group, message)["mentions"] == []
    assert not Mention.objects.exists()


def test_at_most_ten_are_mentioned(elsa: Caller) -> None:
    people = [account("elsa.nordvall")]
    people += [type(people[0]).objects.create(
        username=f"pupil.{number}", school="bjorkdalen", upstream_user_id=9000 + number
    ) for number in range(12)]  # fmt: skip
    group = group_of(*(person.username for person in people))
    text = " ".join(f"@{person.username}" for person in people)
    assert sent(elsa, group, text)["mentions"] == [f"pupil.{number}" for number in range(10)]


def test_a_page_takes_one_query_for_its_mentions(elsa: Caller, group: Conversation) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            read(elsa, group)
        return len(captured)

    for _ in range(3):
        sent(elsa, group, "Hej")
    read(elsa, group)
    without = queries()
    for _ in range(3):
        sent(elsa, group, "@bo.ek @alva.lind")
    assert queries() == without + 1


def test_an_encrypted_message_names_members_beside_the_text(
    elsa: Caller, bo: Caller, sealed: Conversation
) -> None:
    names = ["bo.ek", "Alva.Lind", "bo.ek", "elsa.nordvall"]
    message = sent(elsa, sealed, BASE64, mentions=names)
    assert message["mentions"] == ["bo.ek", "alva.lind"]
    again = changed(elsa, sealed, message, "edit", content="B" * 40, mentions=["bo.ek"])
    assert again["mentions"] == one(bo, sealed, message)["mentions"] == ["bo.ek"]
    assert changed(elsa, sealed, message, "edit", content="C" * 40)["mentions"] == []


@pytest.mark.parametrize(
    "mentions",
    [[""], [5], "bo.ek", {}, [["bo.ek"]],
     [f"x{number}" for number in range(11)]],
)  # fmt: skip
def test_wrong_names_beside_an_encrypted_text_are_400(
    elsa: Caller, zoe: Caller, sealed: Conversation, mentions: Any
) -> None:
    assert code_of(send(elsa, sealed, BASE64, mentions=mentions)) == (400, "invalid_input")
    message = sent(elsa, sealed, BASE64)
    answer = change(elsa, sealed, message, "edit", content="B" * 40, mentions=mentions)
    assert code_of(answer) == (400, "invalid_input")
    assert not Mention.objects.exists()


def test_names_of_no_members_beside_an_encrypted_text_are_left_out(
    elsa: Caller, bo: Caller, sealed: Conversation
) -> None:
    """A message may have waited on a device while somebody left."""
    assert bo.patch(f"/api/conversations/{sealed.pk.hex}", {"action": "leave"}).status_code == 200
    names = ["bo.ek", "nobody", "alva.lind"]
    message = sent(elsa, sealed, BASE64, mentions=names)
    assert message["mentions"] == ["alva.lind"]
    edited = changed(elsa, sealed, message, "edit", content="B" * 40, mentions=names[:2])
    assert edited["mentions"] == []


def test_the_same_ciphertext_again_keeps_its_mentions(elsa: Caller, sealed: Conversation) -> None:
    message = sent(elsa, sealed, BASE64, mentions=["bo.ek"])
    again = changed(elsa, sealed, message, "edit", content=BASE64, mentions=["alva.lind"])
    assert again == message


def test_a_text_that_can_be_read_says_itself_whom_it_mentions(
    elsa: Caller, group: Conversation
) -> None:
    assert sent(elsa, group, "Hej", mentions=["bo.ek"])["mentions"] == []


def test_the_same_send_again_needs_the_same_mentions(elsa: Caller, sealed: Conversation) -> None:
    first = sent(elsa, sealed, BASE64, mentions=["bo.ek"], clientId="c")
    again = send(elsa, sealed, BASE64, mentions=["bo.ek"], clientId="c")
    assert (again.status_code, again.json()["message"]) == (200, first)
    for other in ({}, {"mentions": ["alva.lind"]}):
        answer = send(elsa, sealed, BASE64, clientId="c", **other)
        assert code_of(answer) == (409, "client_id_reused")
    Membership.objects.filter(account=account("bo.ek")).delete()
    assert send(elsa, sealed, BASE64, mentions=["bo.ek"], clientId="c").status_code == 200


def test_an_erasure_takes_the_mention_with_it(
    elsa: Caller, bo: Caller, group: Conversation
) -> None:
    message = sent(elsa, group, "@bo.ek")
    call_command("erase_account", "bo.ek", "--yes")
    assert not Mention.objects.exists()
    page = read(elsa, group, f"?changedAfter={message['revision']}")
    assert [each["mentions"] for each in page["messages"]] == [[]]
