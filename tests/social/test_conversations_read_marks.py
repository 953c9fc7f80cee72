"""Read marks and unread counts."""

from datetime import timedelta
from typing import Any

from django.core.management import call_command
from django.utils import timezone

from accounts.services.erasure import erase_account
from social.models import Membership, Message
from social.services.report_kinds.messages import hide_message, unhide_message
from tests.social.cast import CONVERSATIONS, Cast, Person


def counts(person: Person, conversation: Any) -> tuple[int, int]:
    """(lastReadSeq, unreadCount)."""
    shown = person.sees(conversation)
    total = person.get(CONVERSATIONS).json()["unreadTotal"]
    assert total == shown["unreadCount"]
    return shown["lastReadSeq"], shown["unreadCount"]


def mark(person: Person, conversation: Any, seq: int) -> Any:
    answer = person.do(conversation, "mark_read", seq=seq)
    assert answer.status_code == 200, answer.content
    return answer.json()["conversation"]


def test_marking_as_read_resets_the_count_and_changes_nothing_for_others(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    dm = elsa.dm(bo)
    for text in ("ett", "två", "tre"):
        bo.send(dm, text)
    assert counts(elsa, dm) == (0, 3)
    before = bo.sees(dm)
    shown = mark(elsa, dm, 2)
    assert (shown["lastReadSeq"], shown["unreadCount"]) == (2, 1)
    assert counts(elsa, dm) == (2, 1)
    assert elsa.do(dm, "mark_read").json()["conversation"]["unreadCount"] == 0
    assert counts(elsa, dm) == (3, 0)
    for seq in (0, 1, 2, 3):  # less than before changes nothing
        assert mark(elsa, dm, seq)["lastReadSeq"] == 3
    assert bo.sees(dm) == before


def test_a_message_that_does_not_exist_cannot_be_marked_as_read(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    dm = elsa.dm(bo)
    bo.send(dm, "ett")
    for seq in (2, 2**62, 2**63 - 1):
        answer = elsa.do(dm, "mark_read", seq=seq)
        assert (answer.status_code, list(answer.json()["fields"])) == (400, ["seq"])
    assert counts(elsa, dm) == (0, 1)


def test_unread_counts_differ_by_member(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    dm = elsa.dm(bo)
    bo.send(dm, "ett")
    elsa.send(dm, "två")
    mark(bo, dm, 2)
    assert counts(bo, dm) == (2, 0)
    assert counts(elsa, dm) == (0, 1)


def test_your_own_messages_are_never_unread(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    dm = elsa.dm(bo)
    writers = [bo, elsa, bo, bo, elsa, elsa, bo, elsa]
    for writer in writers:
        writer.send(dm, "Hej")
    for seq in range(9):
        Membership.objects.filter(account=elsa.account_id).update(last_read_seq=0, own_unread=4)
        mark(elsa, dm, seq)
        assert counts(elsa, dm) == (seq, writers[seq:].count(bo))


def test_own_messages_between_two_marks_are_counted_once(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    dm = elsa.dm(bo)
    writers: list[Person] = []
    for writer, seq in ((bo, 0), (bo, 1), (elsa, 1), (bo, 2), (elsa, 3), (bo, 5)):
        writer.send(dm, "Hej")
        writers.append(writer)
        last_read, unread = counts(elsa, dm)
        assert unread == writers[last_read:].count(bo)
        last_read = max(last_read, seq)
        mark(elsa, dm, seq)
        assert counts(elsa, dm) == (last_read, writers[last_read:].count(bo))


def test_a_deleted_message_is_not_unread(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    dm = elsa.dm(bo)
    bo.send(dm, "ett")
    two = bo.send(dm, "två")
    elsa.send(dm, "tre")
    assert counts(elsa, dm) == (0, 2)
    assert bo.delete(f"{CONVERSATIONS}/{dm['id']}/{two['id']}").status_code == 200
    assert counts(elsa, dm) == (0, 1)
    assert mark(elsa, dm, 1)["unreadCount"] == 0
    assert counts(bo, dm) == (2, 1)


def test_a_read_message_that_is_deleted_changes_no_count(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    dm = elsa.dm(bo)
    one = bo.send(dm, "ett")
    mark(elsa, dm, 1)
    bo.send(dm, "två")
    assert bo.delete(f"{CONVERSATIONS}/{dm['id']}/{one['id']}").status_code == 200
    assert counts(elsa, dm) == (1, 1)


def test_a_hidden_message_is_not_unread_until_it_is_shown_again(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    dm = elsa.dm(bo)
    one = bo.send(dm, "ett")
    bo.send(dm, "två")
    hide_message(one["id"])
    hide_message(one["id"])
    assert counts(elsa, dm) == (0, 1)
    unhide_message(one["id"])
    assert counts(elsa, dm) == (0, 2)
    hide_message(one["id"])
    assert mark(elsa, dm, 1)["unreadCount"] == 1
    unhide_message(one["id"])
    assert counts(elsa, dm) == (1, 1)


def test_messages_of_an_erased_person_are_not_unread(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    dm = elsa.dm(bo)
    bo.send(dm, "ett")
    gone = bo.send(dm, "två")
    bo.delete(f"{CONVERSATIONS}/{dm['id']}/{gone['id']}")
    erase_account(bo.account_id)
    assert elsa.get(CONVERSATIONS).json()["unreadTotal"] == 0


def test_messages_that_retention_deletes_are_not_unread(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    dm = elsa.dm(bo)
    for text in ("ett", "två", "tre"):
        bo.send(dm, text)
    elsa.send(dm, "fyra")
    Message.objects.filter(seq__lte=2).update(created_at=timezone.now() - timedelta(days=800))
    call_command("enforce_retention")
    assert counts(elsa, dm) == (2, 1)
