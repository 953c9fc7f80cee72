"""Repeated and concurrent sends: one message for each `clientId`."""

from functools import partial
from typing import Any

from django.utils import timezone

from social.models import Conversation, Membership, Message
from tests.concurrency import at_once
from tests.conftest import Caller, signed_in
from tests.social.factories import account, group_of
from tests.social.friend_requests import block, code_of
from tests.social.message_requests import changed, message_path, read, send, sent, seqs


def test_a_repeated_send_is_the_same_message(elsa: Caller, dm: Conversation) -> None:
    first = sent(elsa, dm, clientId="c")
    again = send(elsa, dm, clientId="c")
    assert (again.status_code, again.json()["message"]) == (200, first)
    others = [sent(elsa, dm, **fields) for fields in ({"clientId": "d"}, {"clientId": None}, {})]
    assert [message["seq"] for message in others] == [2, 3, 4]
    assert seqs(read(elsa, dm)) == [4, 3, 2, 1]


def test_it_comes_as_it_is_now(elsa: Caller, bo: Caller, dm: Conversation) -> None:
    first = sent(elsa, dm, clientId="c")
    changed(bo, dm, first, "react", emoji="👍")
    edited = changed(elsa, dm, first, "edit", content="Hejdå")
    assert send(elsa, dm, clientId="c").json()["message"] == edited
    assert edited["reactions"] == {"👍": ["bo.ek"]}
    elsa.delete(message_path(dm, first))
    tombstone = send(elsa, dm, clientId="c")
    assert tombstone.status_code == 200
    assert tombstone.json()["message"]["content"] == ""
    assert tombstone.json()["message"]["deletedAt"]


def test_other_content_with_the_same_client_id_is_409(elsa: Caller, dm: Conversation) -> None:
    first = sent(elsa, dm, clientId="c")
    others: list[dict[str, Any]] = [
        {"content": "Hej!"},
        {"content": "Hej", "replyTo": {"messageId": first["id"]}},
        {"content": "Hej", "iv": "A" * 16},
    ]
    for body in others:
        answer = elsa.post(message_path(dm), body | {"clientId": "c"})
        assert code_of(answer) == (409, "client_id_reused"), body
    assert seqs(read(elsa, dm)) == [1]


def test_an_id_belongs_to_one_sender_in_one_conversation(
    elsa: Caller, bo: Caller, dm: Conversation
) -> None:
    group = group_of("elsa.nordvall", "bo.ek")
    messages = [sent(elsa, dm, clientId="c"), sent(bo, dm, clientId="c")]
    messages.append(sent(elsa, group, "Något annat", clientId="c"))
    assert [message["seq"] for message in messages] == [1, 2, 1]


def test_a_repeated_send_is_refused_where_a_new_one_would_be(
    elsa: Caller, bo: Caller, dm: Conversation
) -> None:
    group = group_of("bo.ek", "elsa.nordvall")
    sent(elsa, dm, clientId="c")
    sent(elsa, group, clientId="c")
    block(bo, "elsa.nordvall")
    assert code_of(send(elsa, dm, clientId="c")) == (403, "dm_refused")
    Membership.objects.filter(account=account("elsa.nordvall")).delete()
    assert code_of(send(elsa, dm, clientId="c")) == (404, "not_found")
    assert code_of(send(elsa, group, clientId="c")) == (404, "not_found")


def test_the_content_cannot_be_guessed_from_the_stored_hash(elsa: Caller, dm: Conversation) -> None:
    sent(elsa, dm, clientId="c")
    sent(elsa, dm, "Hej", clientId="d")
    sent(elsa, dm, "Hejdå", clientId="e")
    first, second, other = Message.objects.order_by("seq").values_list("sent_hash", flat=True)
    assert first == second != other
    assert len(first) == 64


def test_equal_sends_at_once_are_one_message(transactional_db: None, elsa: Caller) -> None:
    group = group_of("elsa.nordvall")
    answers = at_once([partial(send, elsa.twin(), group, clientId="c") for _ in range(8)])
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
    assert len({answer.json()["message"]["id"] for answer in answers}) == 1
    group.refresh_from_db()
    assert (group.last_seq, group.revision, Message.objects.count()) == (1, 1, 1)


def test_different_sends_under_one_id_at_once_are_one_message_and_conflicts(
    transactional_db: None, elsa: Caller
) -> None:
    group = group_of("elsa.nordvall")
    answers = at_once(
        [partial(send, elsa.twin(), group, f"Hej {number}", clientId="c") for number in range(8)]
    )
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
    assert Message.objects.count() == 1


def test_concurrent_senders_leave_no_gap(transactional_db: None, elsa: Caller) -> None:
    bo = signed_in("bo.ek")
    group = group_of("elsa.nordvall", "bo.ek")
    sends = [
        partial(sent, caller.twin(), group, f"{number}")
        for number in range(8)
        for caller in (elsa, bo)
    ]
    answers = at_once(sends)
    assert sorted(message["seq"] for message in answers) == list(range(1, 17))
    assert sorted(message["revision"] for message in answers) == list(range(1, 17))
    page = read(elsa, group, "?limit=100&after=0")["messages"]
    assert seqs({"messages": page}) == list(range(1, 17))
    assert [m["createdAt"] for m in page] == sorted(m["createdAt"] for m in page)
    # Each was read by its sender only.
    own = Membership.objects.get(account=account("elsa.nordvall"))
    assert 16 - own.last_read_seq - own.own_unread == sum(
        message["senderUsername"] == "bo.ek" and message["seq"] > own.last_read_seq
        for message in answers
    )


def test_a_member_removed_concurrently_writes_before_or_not_at_all(
    transactional_db: None, elsa: Caller
) -> None:
    bo = signed_in("bo.ek")
    group = group_of("elsa.nordvall", "bo.ek")
    out = {"action": "remove_member", "targetUsername": "bo.ek"}
    remove = partial(elsa.patch, f"/api/conversations/{group.pk.hex}", out)
    removed, *answers = at_once([remove, *(partial(send, bo.twin(), group) for _ in range(6))])
    assert removed.status_code == 200
    written = [answer.json()["message"] for answer in answers if answer.status_code == 201]
    assert {answer.status_code for answer in answers} <= {201, 404}
    group.refresh_from_db()
    # The removal took the revision after the last message: nothing was written after it.
    assert group.info_revision == group.revision == len(written) + 1
    assert group.last_seq == len(written)
    assert timezone.now() >= group.last_at
