"""Sending: the message, who may send it, and why it is refused."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django.fixtures import Settings

from social.models import Conversation, Membership, Message
from stats import counters
from stats.models import Counter
from tests.conftest import Caller, signed_in
from tests.social.factories import account, group_of
from tests.social.friend_requests import befriend, code_of
from tests.social.message_requests import change, message_path, read, send, sent, seqs


def test_a_message_has_its_content_sender_and_conversation(elsa: Caller, dm: Conversation) -> None:
    before = timezone.now().timestamp() * 1000
    message = sent(elsa, dm, "  Hej, Bo!\n", clientId="c-1")
    assert message.pop("createdAt") >= int(before)
    assert message == {
        "id": f"{dm.pk.hex}-1",
        "conversationId": dm.pk.hex,
        "seq": 1,
        "revision": 1,
        "clientId": "c-1",
        "senderUsername": "elsa.nordvall",
        "senderDisplayName": "Elsa Nordvall",
        "senderUserType": "student",
        "senderRealName": None,
        "content": "  Hej, Bo!\n",
        "encrypted": False,
        "iv": None,
        "epoch": None,
        "edited": False,
        "editedAt": None,
        "pinned": False,
        "deletedAt": None,
        "reactions": {},
        "mentions": [],
        "replyTo": None,
        "shareCard": None,
    }


def test_both_sides_read_the_same(elsa: Caller, bo: Caller, dm: Conversation) -> None:
    messages = [sent(elsa, dm, "Hej"), sent(bo, dm, "Hej själv")]
    assert read(elsa, dm)["messages"] == read(bo, dm)["messages"] == messages[::-1]


def test_both_paths_and_both_names_of_the_text_send(elsa: Caller, dm: Conversation) -> None:
    answer = elsa.post(f"/api/conversations/{dm.pk.hex}", {"text": "Hej"})
    assert (answer.status_code, answer.json()["message"]["content"]) == (201, "Hej")
    both = elsa.post(message_path(dm), {"text": "Nej", "content": "Ja"})
    assert both.json()["message"]["content"] == "Ja"


def test_a_refused_message_takes_no_number(elsa: Caller, dm: Conversation) -> None:
    for body in ({"content": "x" * 2001}, {"content": "Hej", "replyTo": {"messageId": "x"}}):
        assert elsa.post(message_path(dm), body).status_code in (400, 404)
    assert sent(elsa, dm)["seq"] == 1


def test_times_in_a_conversation_never_decrease(elsa: Caller, dm: Conversation) -> None:
    later = timezone.now() + timedelta(hours=1)
    Conversation.objects.update(last_at=later)
    assert sent(elsa, dm)["createdAt"] == int(later.timestamp() * 1000)


NO_MESSAGES: list[dict[str, Any]] = [
    {}, {"content": ""}, {"content": " \n\t\u00a0"}, {"content": "\u200b\u3164 \u202e"},
    {"content": "\u2800\n\u2800"}, {"content": "\u0301"}, {"content": "\U000e0041\ufe0f\u200d"},
    {"content": None}, {"content": 5},
    {"content": ["Hej"]}, {"content": "x" * 2001}, {"content": "x" * 8193},
    {"content": "Hej", "clientId": "x" * 65}, {"content": "Hej", "clientId": 5},
    {"content": "Hej", "clientId": ""}, {"content": "Hej", "replyTo": "x"},
    {"content": "Hej", "replyTo": {}}, {"content": "Hej", "shareCard": {"type": "grades"}},
    {"content": "Hej", "shareCard": {}}, {"content": "Hej", "iv": "short"},
]  # fmt: skip


def test_a_body_of_the_wrong_shape_is_400(elsa: Caller, dm: Conversation) -> None:
    for body in NO_MESSAGES:
        assert code_of(elsa.post(message_path(dm), body)) == (400, "invalid_input"), body
    assert not Message.objects.exists()


STRIPPED = [
    ("\u202eHej\u200b\u2069", "Hej"),
    ("\ufeff  Hej\u200f \n\u200b", "  Hej \n"),
    ("Hej\u200b Bo", "Hej\u200b Bo"),
    ("❤️", "❤️"),
    ("👩‍👩‍👧\u200d", "👩‍👩‍👧"),
    ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"),
    ("👍🏽" * 1000, "👍🏽" * 1000),  # two thousand code points
]


def test_invisible_characters_are_stripped_at_both_ends(elsa: Caller, dm: Conversation) -> None:
    for content, stored in STRIPPED:
        assert sent(elsa, dm, content)["content"] == stored, ascii(content)


def test_strangers_get_the_same_404_as_for_an_unknown_one(
    elsa: Caller, dm: Conversation, zoe: Caller
) -> None:
    message = sent(elsa, dm)
    nowhere = "/api/conversations/" + "0" * 32
    known, unknown = (
        zoe.post(message_path(dm), {"content": "Hej"}),
        zoe.post(f"{nowhere}/messages", {"content": "Hej"}),
    )
    assert known.status_code == unknown.status_code == 404
    assert known.content == unknown.content == zoe.get(message_path(dm)).content
    assert zoe.delete(message_path(dm, message)).content == unknown.content
    # The required form is not revealed either.
    assert zoe.post(message_path(dm), {"content": "x" * 8000}).content == unknown.content
    assert seqs(read(elsa, dm)) == [1]


def test_a_left_group_and_a_closed_group_are_404(elsa: Caller, bo: Caller) -> None:
    group = group_of("elsa.nordvall", "bo.ek")
    Membership.objects.filter(account=account("bo.ek")).delete()
    assert code_of(send(bo, group)) == (404, "not_found")
    Conversation.objects.update(closed_at=timezone.now())
    assert code_of(send(elsa, group)) == (404, "not_found")


@pytest.mark.parametrize(
    ("privacy", "friends", "refused"),
    [
        ("everyone", False, False),
        ("friends", True, False),
        ("friends", False, True),
        ("nobody", True, True),
    ],
)
def test_privacy_applies_to_an_existing_conversation(
    privacy: str, friends: bool, refused: bool, elsa: Caller, bo: Caller, dm: Conversation
) -> None:
    if friends:
        befriend(elsa, "elsa.nordvall", bo, "bo.ek")
    assert bo.put("/api/profile", {"dmPrivacy": privacy}).status_code == 200
    assert send(elsa, dm).status_code == (403 if refused else 201)
    assert send(bo, dm).status_code == 201


def test_an_erased_person_receives_no_messages(elsa: Caller, bo: Caller, dm: Conversation) -> None:
    account("bo.ek").delete()
    assert code_of(send(elsa, dm)) == (403, "dm_refused")


def test_a_suspension_is_not_revealed(elsa: Caller, bo: Caller, dm: Conversation) -> None:
    bos = account("bo.ek")
    bos.suspended_at = timezone.now()
    bos.save()
    sent(elsa, dm)


def test_a_send_needs_the_same_few_queries_in_every_group(elsa: Caller, dm: Conversation) -> None:
    signed_in("alva.lind")
    two, three = group_of("elsa.nordvall", "bo.ek"), group_of("elsa.nordvall", "bo.ek", "alva.lind")
    noise = re.compile("SAVEPOINT|accounts_servicesession")

    def queries_of(conversation: Conversation, **fields: Any) -> int:
        with CaptureQueriesContext(connection) as queries:
            sent(elsa, conversation, **fields)
        return len([query for query in queries if not noise.search(query["sql"])])

    first = sent(elsa, three)
    for conversation in (two, dm):
        sent(elsa, conversation)  # these notify, too
    # The lock, the members, the people, the message, its number, what the sender has read, and who
    # is notified already.
    assert queries_of(three) == 7
    # Friendships and blocks between the two, in one.
    assert queries_of(two) == queries_of(dm) == 8
    assert queries_of(three, clientId="c", replyTo={"messageId": first["id"]}) == 9


def test_sends_have_a_limit_of_their_own(
    elsa: Caller, dm: Conversation, settings: Settings
) -> None:
    settings.LIMITS = {"messages": "2/86400"}
    other = group_of("elsa.nordvall")
    paths = [message_path(dm), message_path(other), f"/api/conversations/{dm.pk.hex}"]
    addresses = [*paths, message_path(other)]
    answers = [elsa.post(address, {"content": "Hej"}) for address in addresses]
    assert [answer.status_code for answer in answers] == [201, 201, 429, 429]
    assert int(answers[-1].headers["Retry-After"]) > 0
    # Checked before the body; reading is not limited by it.
    assert elsa.post(message_path(dm), {}).status_code == 429
    assert seqs(read(elsa, dm)) == seqs(read(elsa, other)) == [1]


def test_changes_of_messages_count_against_it_too(
    elsa: Caller, dm: Conversation, settings: Settings
) -> None:
    """Each of them reaches everybody in the conversation."""
    settings.LIMITS = {"messages": "4/86400"}
    message = sent(elsa, dm)
    answers = [
        change(elsa, dm, message, "react", emoji="👍"),
        change(elsa, dm, message, "edit", content="Hej hej"),
        change(elsa, dm, message, "pin"),
        *(change(elsa, dm, message, action, emoji="👍") for action in ("react", "add_reaction")),
        send(elsa, dm),
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429, 429]
    assert elsa.delete(message_path(dm, message)).status_code == 200


def test_messages_are_counted_without_their_content(elsa: Caller, dm: Conversation) -> None:
    counters.flush()
    before = {row.name: row.value for row in Counter.objects.all()}
    sent(elsa, dm, clientId="c")
    send(elsa, dm, clientId="c")
    counters.flush()
    after = {row.name: row.value for row in Counter.objects.all()}
    assert after["message"] == before.get("message", 0) + 1
