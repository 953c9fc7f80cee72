"""Reading one conversation with its newest messages."""

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Account
from social.models import Conversation, Message
from stats import counters
from stats.models import Counter
from tests.social.cast import CONVERSATIONS, Cast, Person, befriend


def written(conversation: Any, sender: Person, count: int) -> None:
    """Insert this many messages, as sending would leave them."""
    now = timezone.now()
    Message.objects.bulk_create(
        Message(
            conversation_id=conversation["id"],
            seq=seq,
            revision=seq + 1,
            sender_id=sender.account_id,
            content=f"Nummer {seq}",
            pinned=seq % 10 == 0,
            created_at=now,
        )
        for seq in range(1, count + 1)
    )
    Conversation.objects.filter(pk=conversation["id"]).update(
        last_seq=count, revision=count + 1, last_at=now
    )


def seqs(person: Person, conversation: Any, query: str = "") -> list[int]:
    return [each["seq"] for each in person.read(conversation, query).json()["messages"]]


def test_it_comes_with_the_last_sixty_the_oldest_first(cast: Cast) -> None:
    dm = cast.elsa.dm(cast.bo)
    assert cast.elsa.read(dm).json() == {"success": True, "conversation": dm, "messages": []}
    written(dm, cast.bo, 70)
    assert seqs(cast.elsa, dm) == list(range(11, 71))
    assert cast.elsa.sees(dm)["unreadCount"] == 70


def test_its_pinned_messages_come_alone(cast: Cast) -> None:
    dm = cast.elsa.dm(cast.bo)
    written(dm, cast.bo, 70)
    assert seqs(cast.elsa, dm, "?pinned=true") == [10, 20, 30, 40, 50, 60, 70]
    assert seqs(cast.elsa, dm, "?pinned=false") == list(range(11, 71))


def test_pinned_is_true_or_false(cast: Cast) -> None:
    dm = cast.elsa.dm(cast.bo)
    for value in ("", "1", "TRUE", "maybe", "%00"):
        answer = cast.elsa.read(dm, f"?pinned={value}")
        assert (answer.status_code, list(answer.json()["fields"])) == (400, ["pinned"]), value


def test_a_returning_member_reads_from_the_new_joined_seq(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo)
    group = cast.elsa.group(cast.bo)
    cast.elsa.send(group, "Först")
    cast.bo.do(group, "mark_read")
    cast.bo.do(group, "leave")
    pinned = cast.elsa.send(group, "Hemligt")
    cast.elsa.patch(f"{CONVERSATIONS}/{group['id']}/{pinned['id']}", {"action": "pin"})
    cast.elsa.do(group, "add_member", targetUsername="bo.ek")
    shown = cast.bo.sees(group)
    assert (shown["lastMessage"], shown["lastSenderUsername"]) == ("", None)
    assert (shown["joinedSeq"], shown["lastReadSeq"], shown["unreadCount"]) == (2, 2, 0)
    assert seqs(cast.bo, group) == seqs(cast.bo, group, "?pinned=true") == []
    cast.elsa.send(group, "Välkommen")
    assert seqs(cast.bo, group) == [3]
    assert cast.bo.sees(group)["unreadCount"] == 1


def test_names_are_the_current_ones_and_erased_people_are_left_out(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo)
    group = cast.elsa.group(cast.bo)
    written(group, cast.bo, 1)
    account = Account.objects.get(username="bo.ek")
    account.profile.display_name = "Bosse"
    account.profile.save()
    assert cast.elsa.sees(group)["participantNames"]["bo.ek"] == "Bosse"
    account.delete()
    shown = cast.elsa.sees(group)
    assert shown["participants"] == ["elsa.nordvall"]
    assert shown["lastSenderUsername"] is None


def test_strangers_and_invalid_ids_get_the_same_404(cast: Cast) -> None:
    dm = cast.elsa.dm(cast.bo)
    paths = [dm["id"], "0" * 32, "x", dm["id"].upper(), f"{dm['id']}0", "..", "%00"]
    answers = [cast.alva.get(f"{CONVERSATIONS}/{path}") for path in paths]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1


def test_reading_one_takes_few_queries(cast: Cast) -> None:
    dm = cast.elsa.dm(cast.bo)
    written(dm, cast.bo, 60)
    cast.elsa.sees(dm)
    with CaptureQueriesContext(connection) as captured:
        cast.elsa.sees(dm)
    assert len(captured) <= 13


def test_new_conversations_are_counted_once(cast: Cast) -> None:
    def total() -> int:
        counters.flush()
        row = Counter.objects.filter(name="conversation").first()
        return row.value if row else 0

    before = total()
    cast.elsa.dm(cast.bo)
    cast.bo.dm(cast.elsa)
    cast.elsa.group(cast.bo)
    assert total() == before + 2
