"""Pages of messages: directions, ends, and what a reader may see."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from social.models import Conversation, Membership, Message
from tests.conftest import Caller
from tests.social.factories import account
from tests.social.friend_requests import code_of
from tests.social.message_requests import changed, message_path, read, sent, seqs


def fill(conversation: Conversation, count: int) -> None:
    """Insert messages of Bo, as sending would leave them."""
    now = timezone.now()
    Message.objects.bulk_create(
        Message(
            conversation=conversation,
            seq=seq,
            revision=seq,
            sender=account("bo.ek"),
            content=f"Nummer {seq}",
            created_at=now,
        )
        for seq in range(1, count + 1)
    )
    Conversation.objects.filter(pk=conversation.pk).update(last_seq=count, revision=count)


def pages(caller: Caller, conversation: Conversation, query: str, parameter: str) -> list[int]:
    """The `seq` of all messages, by following `next`."""
    found, position = [], ""
    for _ in range(20):
        page = read(caller, conversation, f"?{query}{position}")
        found += seqs(page)
        if page["next"] is None:
            return found
        position = f"&{parameter}={page['next']}"
        query = query.partition("&")[0]
    raise AssertionError("there is always a next page")


def test_the_newest_thirty_come_first(elsa: Caller, group: Conversation) -> None:
    fill(group, 70)
    page = read(elsa, group)
    assert (seqs(page), page["next"]) == (list(range(70, 40, -1)), 41)
    page = read(elsa, group, "?before=41")
    assert (seqs(page), page["next"]) == (list(range(40, 10, -1)), 11)
    page = read(elsa, group, "?before=11")
    assert (seqs(page), page["next"]) == (list(range(10, 0, -1)), None)


@pytest.mark.parametrize("limit", [3, 100])
def test_every_direction_of_paging_returns_every_message_once(
    limit: int, elsa: Caller, group: Conversation
) -> None:
    fill(group, 10)
    everything = list(range(1, 11))
    assert pages(elsa, group, f"limit={limit}", "before") == everything[::-1]
    assert pages(elsa, group, f"limit={limit}&after=0", "after") == everything
    assert pages(elsa, group, f"limit={limit}&changedAfter=0", "changedAfter") == everything


def test_positions_beyond_the_ends_return_nothing_or_everything(
    elsa: Caller, group: Conversation
) -> None:
    assert read(elsa, group) == {"success": True, "messages": [], "next": None, "revision": 0}
    fill(group, 3)
    assert read(elsa, group, "?limit=3")["next"] is None
    assert read(elsa, group, "?limit=2")["next"] == 2
    assert seqs(read(elsa, group, "?after=3")) == []
    assert seqs(read(elsa, group, f"?after={2**63 - 1}")) == []
    assert seqs(read(elsa, group, f"?before={2**63 - 1}")) == [3, 2, 1]
    assert seqs(read(elsa, group, "?before=0")) == []


def test_changed_messages_are_in_the_order_of_their_revisions(
    elsa: Caller, bo: Caller, group: Conversation
) -> None:
    one, two, *_ = [sent(elsa, group) for _ in range(3)]
    changed(bo, group, one, "react", emoji="👍")
    elsa.delete(message_path(group, two))
    page = read(bo, group, "?changedAfter=2")
    assert [(message["seq"], message["revision"]) for message in page["messages"]] == [
        (3, 3), (1, 4), (2, 5)
    ]  # fmt: skip
    assert page["next"] is None
    assert seqs(read(bo, group, "?changedAfter=5")) == []


NO_PAGES = [
    "limit=0", "limit=101", "limit=x", "limit=-1", "before=x", "before=-1", "before=1.5", "after=",
    "changedAfter=٣", "before=99999999999999999999", "before=1&after=2", "after=1&changedAfter=1",
    "before=1&changedAfter=2", "limit=1&limit=",
]  # fmt: skip


def test_an_invalid_query_is_400(elsa: Caller, group: Conversation) -> None:
    for query in NO_PAGES:
        assert code_of(elsa.get(f"{message_path(group)}?{query}")) == (400, "invalid_input"), query


def test_a_new_member_reads_from_then_on(elsa: Caller, bo: Caller, group: Conversation) -> None:
    fill(group, 5)
    Membership.objects.filter(account=account("elsa.nordvall")).update(joined_seq=3)
    for query in ("", "?after=0", "?changedAfter=0", "?before=5"):
        assert set(seqs(read(elsa, group, query))) <= {4, 5}
    assert seqs(read(elsa, group, "?limit=2")) == [5, 4]
    assert read(elsa, group, "?limit=2")["next"] is None
    assert len(seqs(read(bo, group))) == 5
    hidden = {"id": f"{group.pk.hex}-3"}
    answer = elsa.patch(message_path(group, hidden), {"action": "react", "emoji": "👍"})
    assert code_of(answer) == (404, "not_found")


def test_a_former_member_cannot_read_messages(
    elsa: Caller, bo: Caller, group: Conversation
) -> None:
    fill(group, 2)
    Membership.objects.filter(account=account("bo.ek")).delete()
    assert code_of(bo.get(message_path(group))) == (404, "not_found")
    assert len(seqs(read(elsa, group))) == 2


def test_names_are_the_current_ones(elsa: Caller, bo: Caller, group: Conversation) -> None:
    first = sent(bo, group)
    sent(elsa, group, replyTo={"messageId": first["id"]})
    bo.put("/api/profile", {"displayName": "Bosse"})
    answer, message = read(elsa, group)["messages"]
    assert message["senderDisplayName"] == answer["replyTo"]["senderDisplayName"] == "Bosse"


def test_an_erased_sender_has_no_name(elsa: Caller, bo: Caller, group: Conversation) -> None:
    sent(bo, group)
    account("bo.ek").delete()
    (message,) = read(elsa, group)["messages"]
    assert (message["senderUsername"], message["senderDisplayName"]) == ("", "")


def test_a_page_takes_as_many_queries_for_a_hundred_as_for_one(
    elsa: Caller, bo: Caller, group: Conversation
) -> None:
    fill(group, 100)
    Message.objects.filter(seq__gt=1).update(reply_to_seq=1)
    for message in read(elsa, group, "?limit=5")["messages"]:
        changed(elsa, group, message, "react", emoji="👍")

    def statements(limit: int) -> int:
        with CaptureQueriesContext(connection) as queries:
            read(elsa, group, f"?limit={limit}")
        return len([q for q in queries if "accounts_servicesession" not in q["sql"]])

    # The membership, the page, the quoted messages, the reactions, the names; who is in it, and as
    # the two are alone, what is between them: people; friendships and blocks.
    assert statements(1) == statements(100) == 8
