"""Notifications of mentions: to whom, how often, and what they say."""

from functools import partial

import pytest
from django.db.models.signals import post_init

from notifications.models import Notification
from social.models import Message
from tests.concurrency import at_once
from tests.conftest import Caller, signed_in
from tests.jobs.run_jobs import run_jobs
from tests.notifications.actions import SETTINGS, listed, of_kind, unread
from tests.notifications.deliveries import pass_time, run_waiting_jobs, shown
from tests.notifications.push_service import PushService
from tests.social_actions import befriend, new_group, say


@pytest.fixture
def alva(elsa: Caller) -> Caller:
    alva = signed_in("alva.lind")
    befriend(elsa, alva, ("elsa.nordvall", "alva.lind"))
    return alva


@pytest.fixture
def group(elsa: Caller, bo: Caller, alva: Caller) -> str:
    return new_group(elsa, "bo.ek", "alva.lind")


def titles(service: PushService) -> list[str]:
    return [shown(service, number)["title"] for number in range(len(service.received))]


def test_who_is_mentioned_is_told_so(elsa: Caller, bo: Caller, alva: Caller, group: str) -> None:
    message = say(elsa, group, "@bo.ek, hinner du?")
    (told,) = of_kind(bo, "reply")
    assert (told["title"], told["body"]) == ("Elsa Nordvall", "Mentioned you")
    assert told["url"] == f"/conversations/{group}?at={message['seq']}"
    assert told["data"] == {"conversationId": group, "messageId": message["id"], "count": 1}
    assert of_kind(bo, "message") == []
    assert (len(of_kind(alva, "message")), of_kind(alva, "reply")) == (1, [])
    bo.patch(f"/api/conversations/{group}", {"action": "mark_read"})
    assert unread(bo) == 0
    assert [each["body"] for each in listed(bo) if each["kind"] == "reply"] == ["Mentioned you"]


def test_more_mentions_are_one_notification(elsa: Caller, bo: Caller, group: str) -> None:
    for text in ("@bo.ek", "Hallå", "@bo.ek!"):
        last = say(elsa, group, text)
    (told,) = of_kind(bo, "reply")
    assert (told["title"], told["body"]) == ("Group: Ugglorna", "2 messages mention you")
    assert (told["data"]["messageId"], told["data"]["count"]) == (last["id"], 2)


def test_a_list_counts_mentions_and_reads_the_newest_message_only(
    elsa: Caller, bo: Caller, alva: Caller, group: str
) -> None:
    other = new_group(elsa, "bo.ek", "alva.lind")
    say(elsa, group, "@bo.ek")
    bo.patch(f"/api/conversations/{group}", {"action": "mark_read"})
    messages = [say(elsa, group, f"@bo.ek {number}") for number in range(12)]
    say(elsa, other, "@bo.ek")
    assert elsa.delete(f"/api/conversations/{group}/{messages[11]['id']}").status_code == 200
    assert elsa.delete(f"/api/conversations/{group}/{messages[0]['id']}").status_code == 200
    read: list[Message] = []
    post_init.connect(collect := lambda instance, **_: read.append(instance), sender=Message)
    try:
        rows = [row for row in listed(bo) if row["kind"] == "reply"]
    finally:
        post_init.disconnect(collect, sender=Message)
    assert [(row["body"], row["readAt"] is None) for row in rows] == [
        ("Mentioned you", True),
        ("10 messages mention you", True),
        ("Mentioned you", False),
    ]
    assert rows[1]["data"]["messageId"] == messages[10]["id"]
    # These three, and the last message of either group.
    assert len(read) == 5


def test_mentions_of_somebody_across_a_block_are_not_counted(
    elsa: Caller, bo: Caller, alva: Caller, group: str
) -> None:
    say(elsa, group, "@bo.ek 1")
    last = say(alva, group, "@bo.ek 2")
    say(elsa, group, "@bo.ek 3")
    assert [row["body"] for row in of_kind(bo, "reply")] == ["3 messages mention you"]
    assert bo.post("/api/blocks", {"targetUsername": "elsa.nordvall"}).status_code == 201
    (shown_now,) = of_kind(bo, "reply")
    assert (shown_now["title"], shown_now["body"]) == ("Alva Lind", "Mentioned you")
    assert shown_now["data"]["messageId"] == last["id"]


def test_an_answer_that_mentions_its_reader_is_told_once(
    elsa: Caller, bo: Caller, group: str
) -> None:
    mine = say(bo, group, "Vem har boken?")
    body = {"content": "@bo.ek jag", "replyTo": {"messageId": mine["id"]}}
    assert elsa.post(f"/api/conversations/{group}/messages", body).status_code == 201
    assert [each["body"] for each in of_kind(bo, "reply")] == ["Mentioned you"]


def test_an_edit_tells_nobody_and_a_deleted_mention_is_told_no_more(
    elsa: Caller, bo: Caller, group: str
) -> None:
    message = say(elsa, group, "Hej")
    path = f"/api/conversations/{group}/{message['id']}"
    edit = {"action": "edit", "content": "@bo.ek"}
    assert elsa.patch(path, edit).json()["message"]["mentions"] == ["bo.ek"]
    assert of_kind(bo, "reply") == []
    second = say(elsa, group, "@bo.ek")
    assert [each["body"] for each in of_kind(bo, "reply")] == ["Mentioned you"]
    assert elsa.delete(f"/api/conversations/{group}/{second['id']}").status_code == 200
    assert of_kind(bo, "reply") == []


@pytest.mark.parametrize("blocker", ["bo", "elsa"])
def test_nobody_is_told_across_a_block(
    elsa: Caller,
    bo: Caller,
    phone: str,
    group: str,
    push_service: PushService,
    blocker: str,
) -> None:
    one, other = (bo, "elsa.nordvall") if blocker == "bo" else (elsa, "bo.ek")
    assert one.post("/api/blocks", {"targetUsername": other}).status_code == 201
    assert say(elsa, group, "@bo.ek")["mentions"] == ["bo.ek"]
    # None is written: the list would leave it out, and an event would not.
    assert not Notification.objects.filter(kind__in=["reply", "message"]).exclude(
        account__username="alva.lind"
    )
    run_waiting_jobs()
    assert push_service.received == []
    assert of_kind(bo, "reply") == of_kind(bo, "message") == []
    assert unread(bo) == 0


def test_a_later_block_ends_what_was_told(elsa: Caller, bo: Caller, group: str) -> None:
    say(elsa, group, "@bo.ek")
    assert bo.post("/api/blocks", {"targetUsername": "elsa.nordvall"}).status_code == 201
    assert of_kind(bo, "reply") == []


@pytest.mark.parametrize("delivery", ["off", "list"])
def test_who_wants_no_replies_hears_of_mentions_as_of_any_message(
    elsa: Caller, bo: Caller, phone: str, group: str, push_service: PushService, delivery: str
) -> None:
    bo.patch(SETTINGS, {"kinds": {"reply": delivery}})
    say(elsa, group, "@bo.ek")
    run_waiting_jobs()
    assert (len(of_kind(bo, "reply")), len(of_kind(bo, "message"))) == (int(delivery == "list"), 1)
    assert titles(push_service) == ["You have 1 new message"]


def test_a_mention_is_pushed_also_where_the_group_is_muted(
    elsa: Caller, bo: Caller, phone: str, group: str, push_service: PushService
) -> None:
    bo.patch(SETTINGS, {"muted": [group]})
    say(elsa, group, "Hej allihop")
    run_waiting_jobs()
    assert push_service.received == []
    say(elsa, group, "@bo.ek")
    run_jobs()
    assert titles(push_service) == ["Somebody mentioned you"]


def test_a_storm_of_mentions_is_pushed_once_in_two_minutes(
    elsa: Caller, bo: Caller, phone: str, group: str, push_service: PushService
) -> None:
    bo.patch(SETTINGS, {"muted": [group]})
    for number in range(12):
        say(elsa, group, f"@bo.ek {number}")
        run_jobs()
    assert titles(push_service) == ["Somebody mentioned you"]
    assert len(of_kind(bo, "reply")) == 1
    pass_time(seconds=121)
    run_jobs()
    assert titles(push_service)[1:] == ["12 messages mention you"]
    assert len({push.headers["topic"] for push in push_service.received}) == 1


def test_mentions_that_are_read_at_once_are_pushed_once_in_two_minutes(
    elsa: Caller, bo: Caller, phone: str, group: str, push_service: PushService
) -> None:
    bo.patch(SETTINGS, {"muted": [group]})
    for number in range(4):
        say(elsa, group, f"@bo.ek {number}")
        run_jobs()
        bo.patch(f"/api/conversations/{group}", {"action": "mark_read"})
    say(elsa, group, "@bo.ek")
    run_jobs()
    assert titles(push_service) == ["Somebody mentioned you"]
    pass_time(seconds=121)
    run_jobs()
    assert titles(push_service)[1:] == ["Somebody mentioned you"]


@pytest.mark.parametrize("is_read", [False, True])
def test_mentions_that_are_deleted_at_once_are_pushed_once_in_two_minutes(
    elsa: Caller, bo: Caller, phone: str, group: str, push_service: PushService, is_read: bool
) -> None:
    """Also where the list was read in between, which leaves out what is deleted."""
    bo.patch(SETTINGS, {"muted": [group]})
    for number in range(4):
        message = say(elsa, group, f"@bo.ek {number}")
        run_jobs()
        if is_read:
            bo.patch(f"/api/conversations/{group}", {"action": "mark_read"})
        assert elsa.delete(f"/api/conversations/{group}/{message['id']}").status_code == 200
        assert of_kind(bo, "reply") == []
        assert unread(bo) == 0
    assert titles(push_service) == ["Somebody mentioned you"]
    say(elsa, group, "@bo.ek")
    run_jobs()
    assert len(push_service.received) == 1
    pass_time(seconds=121)
    run_jobs()
    assert titles(push_service)[1:] == ["Somebody mentioned you"]
    bo.patch(f"/api/conversations/{group}", {"action": "mark_read"})
    assert [row["kind"] for row in listed(bo)].count("reply") == 1
    assert Notification.objects.filter(kind="reply", account__username="bo.ek").count() == 1


def test_a_version_that_knows_replies_only_leaves_mentions_out(
    elsa: Caller, bo: Caller, group: str
) -> None:
    """It reads a message's number after the colon, and no message has this one."""
    say(elsa, group, "@bo.ek")
    (about,) = Notification.objects.filter(kind="reply").values_list("about", flat=True)
    assert int(about.partition(":")[2]) == 0


def test_a_direct_conversation_that_is_muted_stays_silent(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService
) -> None:
    """Nobody has to be called by name there: all is for the one person, who wants none of it."""
    bo.patch(SETTINGS, {"muted": [dm]})
    assert say(elsa, dm, "@bo.ek")["mentions"] == ["bo.ek"]
    run_waiting_jobs()
    assert push_service.received == []
    assert (len(of_kind(bo, "message")), of_kind(bo, "reply")) == (1, [])


def test_a_preview_has_the_text_and_of_an_encrypted_group_nothing(
    elsa: Caller, bo: Caller, phone: str, group: str, push_service: PushService
) -> None:
    bo.patch(SETTINGS, {"preview": True})
    say(elsa, group, "@bo.ek kom!")
    body = {"type": "group", "groupName": "Dolt", "members": ["bo.ek"], "encrypted": True}
    sealed = elsa.post("/api/conversations", body).json()["conversation"]["id"]
    message = {"content": "A" * 40, "mentions": ["bo.ek"]}
    assert elsa.post(f"/api/conversations/{sealed}/messages", message).status_code == 201
    run_jobs()
    pushes = sorted(
        (shown(push_service, n)["title"], shown(push_service, n).get("body", "")) for n in (0, 1)
    )
    assert pushes == [("Elsa Nordvall", "@bo.ek kom!"), ("Somebody mentioned you", "")]


@pytest.mark.parametrize(
    "text", ["@" * 2000, "@ " * 1000, "@bo.e" * 400, "@bo.ek." * 280, "@bo.ek " * 280]
)
def test_nonsense_mentions_at_most_once(elsa: Caller, bo: Caller, group: str, text: str) -> None:
    assert say(elsa, group, text)["mentions"] in ([], ["bo.ek"])
    path = f"/api/conversations/{group}/messages"
    assert elsa.post(path, {"content": "@" * 10_000}).status_code == 400
    assert len(of_kind(bo, "reply")) <= 1


def test_the_same_send_again_tells_once(elsa: Caller, bo: Caller, group: str) -> None:
    body = {"content": "@bo.ek", "clientId": "c"}
    path = f"/api/conversations/{group}/messages"
    assert [elsa.post(path, body).status_code for _ in range(3)] == [201, 200, 200]
    assert [each["body"] for each in of_kind(bo, "reply")] == ["Mentioned you"]


@pytest.mark.django_db(transaction=True)
def test_mentions_at_once_are_one_notification(elsa: Caller, bo: Caller, group: str) -> None:
    at_once([partial(say, elsa.twin(), group, f"@bo.ek {number}") for number in range(4)])
    assert Notification.objects.filter(kind="reply", account__username="bo.ek").count() == 1
    assert [each["body"] for each in of_kind(bo, "reply")] == ["4 messages mention you"]


def test_nobody_is_told_of_a_group_that_they_left(elsa: Caller, bo: Caller, group: str) -> None:
    say(elsa, group, "@bo.ek")
    assert bo.patch(f"/api/conversations/{group}", {"action": "leave"}).status_code == 200
    assert of_kind(bo, "reply") == []
    say(elsa, group, "@bo.ek")
    assert not Notification.objects.filter(
        kind="reply", account__username="bo.ek", read_at=None
    ).exists()
    assert of_kind(bo, "reply") == []
