"""Imported messages, and people who are erased; and what retention deletes."""

from datetime import timedelta
from pathlib import Path

from django.core.management import call_command
from django.utils import timezone

from accounts.models import Account
from social.models import Message
from tests.conftest import Caller, signed_in
from tests.import_files import (
    ALVA,
    BO,
    ELSA,
    conversation,
    conversations,
    group,
    message,
    messages,
    person,
    run,
)

PEOPLE = [person(ELSA), person(BO), person(ALVA)]
DM = [*PEOPLE, conversation("c1", ELSA, BO)]


def test_what_others_erased_stays_erased(caller: Caller, tmp_path: Path) -> None:
    run(tmp_path, *DM, message("m1", "c1", BO))
    bo = signed_in("bo.ek")
    assert bo.delete("/api/account", {"password": "bo-demo"}).status_code == 200
    rows = [
        *DM,
        message("m1", "c1", BO),
        message("m2", "c1", ELSA, reactions={"👍": [BO, ELSA]}),
        conversation("c2", ALVA, BO),
        group("g1", BO, ELSA, ALVA),
        message("m3", "g1", ALVA, reactions={"👍": [BO]}),
        message("m4", "g1", BO),
    ]
    done = run(tmp_path, *rows)
    assert done.reasons == {
        "m2": "The other person was erased.",
        "c2": "One of the two was erased.",
        "m4": "The person 'bo' was erased.",
    }
    elsa = signed_in("elsa.nordvall")
    shown = next(each for each in conversations(elsa) if each["type"] == "group")
    assert (shown["participants"], shown["adminUsername"]) == (
        ["elsa.nordvall", "alva.lind"],
        "elsa.nordvall",
    )
    assert messages(elsa, conversations(elsa).index(shown))[0]["reactions"] == {}


def test_an_erasure_empties_what_was_imported(caller: Caller, tmp_path: Path) -> None:
    run(tmp_path, *DM, message("m1", "c1", BO, reactions={"👍": [BO]}), message("m2", "c1", ELSA))
    bo = signed_in("bo.ek")
    assert bo.delete("/api/account", {"password": "bo-demo"}).status_code == 200
    one, two = messages(signed_in("elsa.nordvall"))
    assert (one["content"], one["senderUsername"], one["reactions"]) == ("", "", {})
    assert two["content"] == "hej"


def test_nothing_is_imported_for_whoever_is_being_erased(caller: Caller, tmp_path: Path) -> None:
    run(tmp_path, *DM)
    Account.objects.filter(username="bo.ek").update(erasure_started_at=timezone.now())
    done = run(tmp_path, *DM, message("m1", "c1", BO), message("m2", "c1", ELSA))
    assert done.reasons == {"m1": "The person 'bo' was erased."}


def test_retention_deletes_imported_messages(caller: Caller, tmp_path: Path) -> None:
    run(tmp_path, *DM, *(message(f"m{number}", "c1", BO) for number in range(3)))
    Message.objects.filter(seq__lt=3).update(created_at=timezone.now() - timedelta(days=500))
    call_command("enforce_retention")
    elsa = signed_in("elsa.nordvall")
    assert [each["seq"] for each in messages(elsa)] == [3]
    assert conversations(elsa)[0]["unreadCount"] == 0
    assert Account.objects.count() == 3


def test_retention_counts_right_where_newer_messages_have_smaller_numbers(
    elsa: Caller, tmp_path: Path
) -> None:
    """They wrote here before the history was imported, and its end is older than the months."""
    bo = signed_in("bo.ek")
    dm = elsa.post("/api/conversations", {"targetUsername": "bo.ek"}).json()["conversation"]["id"]
    for content in ("one", "two", "three"):
        elsa.post(f"/api/conversations/{dm}/messages", {"content": content})
    bo.patch(f"/api/conversations/{dm}", {"action": "mark_read", "seq": 2})
    run(tmp_path, *DM, *(message(f"m{number}", "c1", ELSA) for number in range(9)))
    assert conversations(bo)[0]["unreadCount"] == 10
    Message.objects.filter(seq__in=[1, *range(6, 13)]).update(
        created_at=timezone.now() - timedelta(days=500)
    )
    call_command("enforce_retention")
    assert [each["seq"] for each in messages(bo)] == [2, 3, 4, 5]
    shown = conversations(bo)[0]
    assert (shown["unreadCount"], shown["lastMessage"], shown["lastReadSeq"]) == (3, "hej", 2)
    assert bo.post("/api/sync", {"conversations": {}}).json()["unreadTotal"] == 3
    for seq, unread in ((3, 2), (4, 1), (9, 0), (12, 0)):
        bo.patch(f"/api/conversations/{dm}", {"action": "mark_read", "seq": seq})
        assert conversations(bo)[0]["unreadCount"] == unread
    assert (conversations(elsa)[0]["unreadCount"], messages(elsa)[-1]["seq"]) == (0, 5)
    elsa.post(f"/api/conversations/{dm}/messages", {"content": "next"})
    assert (conversations(bo)[0]["unreadCount"], messages(bo)[-1]["seq"]) == (1, 13)


def test_retention_leaves_an_unread_message_that_was_imported_out_of_order(
    caller: Caller, tmp_path: Path
) -> None:
    """The newest first: the last message by number is the first to be deleted."""
    rows = [group("g1", ELSA, BO), message("m1", "g1", BO, "new"), message("m2", "g1", BO, "old")]
    run(tmp_path, *PEOPLE, *rows)
    elsa = signed_in("elsa.nordvall")
    Message.objects.filter(seq=2).update(created_at=timezone.now() - timedelta(days=500))
    call_command("enforce_retention")
    (shown,) = conversations(elsa)
    assert (shown["lastMessage"], shown["lastSenderUsername"]) == ("new", "bo.ek")
    assert elsa.get(f"/api/conversations/{shown['id']}").json()["conversation"] == shown
    (synced,) = elsa.post("/api/sync", {"conversations": {}}).json()["conversations"]
    assert synced == shown
    Message.objects.all().update(created_at=timezone.now() - timedelta(days=500))
    call_command("enforce_retention")
    assert (conversations(elsa)[0]["lastMessage"], conversations(elsa)[0]["unreadCount"]) == ("", 0)
