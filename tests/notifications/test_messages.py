"""Notifications of messages and replies."""

import pytest

from accounts.models import Account
from accounts.services.warnings import warn_account
from notifications.limits import MAX_NOTIFICATIONS
from notifications.models import Notification
from tests.conftest import Caller, signed_in
from tests.notifications.actions import PATH, SETTINGS, listed, of_kind, unread
from tests.social_actions import befriend, dm_of, new_group, say


def test_several_messages_of_one_conversation_are_one_notification(
    elsa: Caller, bo: Caller
) -> None:
    dm = dm_of(elsa, "bo.ek")
    say(elsa, dm, "Hej")
    first = listed(bo)[0]
    say(elsa, dm, "Är du där?")
    (one,) = of_kind(bo, "message")
    assert one.pop("id") == first["id"]
    assert one.pop("createdAt") == first["createdAt"]
    assert one == {
        "kind": "message",
        "readAt": None,
        "title": "Elsa Nordvall",
        "body": "2 new messages",
        "url": f"/conversations/{dm}",
        "data": {"conversationId": dm, "count": 2},
    }
    assert unread(bo) == 1
    assert of_kind(elsa, "message") == []


def test_reading_a_conversation_ends_its_notification(elsa: Caller, bo: Caller) -> None:
    dm = dm_of(elsa, "bo.ek")
    say(elsa, dm, "Ett")
    say(elsa, dm, "Två")
    bo.patch(f"/api/conversations/{dm}", {"action": "mark_read", "seq": 1})
    assert [each["data"]["count"] for each in of_kind(bo, "message")] == [1]
    bo.patch(f"/api/conversations/{dm}", {"action": "mark_read"})
    assert [each for each in listed(bo) if each["kind"] == "message"] == []
    assert not Notification.objects.filter(kind="message").exists()
    assert unread(bo) == 0
    say(elsa, dm, "Tre")
    assert [each["data"]["count"] for each in of_kind(bo, "message")] == [1]


def test_reading_ends_also_what_was_marked_as_read_in_the_list(elsa: Caller, bo: Caller) -> None:
    dm = dm_of(elsa, "bo.ek")
    say(elsa, dm, "Ett")
    bo.post(f"{PATH}/read", {"all": True})
    say(elsa, dm, "Två")
    (one,) = [each for each in listed(bo) if each["kind"] == "message"]
    assert (one["readAt"], one["body"]) == (None, "2 new messages")
    bo.post(f"{PATH}/read", {"all": True})
    bo.patch(f"/api/conversations/{dm}", {"action": "mark_read"})
    assert [each for each in listed(bo) if each["kind"] == "message"] == []


def test_messages_that_are_read_live_do_not_push_warnings_out(elsa: Caller, bo: Caller) -> None:
    warn_account(Account.objects.get(username="bo.ek").pk, text="Sluta")
    dm = dm_of(elsa, "bo.ek")
    Notification.objects.bulk_create(
        Notification(account=Account.objects.get(username="bo.ek"), kind="test")
        for _ in range(MAX_NOTIFICATIONS - 3)
    )
    for text in ("Ett", "Två", "Tre", "Fyra", "Fem"):
        say(elsa, dm, text)
        bo.patch(f"/api/conversations/{dm}", {"action": "mark_read"})
    listed(bo)
    assert Notification.objects.filter(kind="account", account__username="bo.ek").count() == 1


def test_a_reply_is_told_to_the_author_of_the_quoted_message(elsa: Caller, bo: Caller) -> None:
    dm = dm_of(elsa, "bo.ek")
    mine = say(elsa, dm, "Vem har boken?")
    bo.patch(f"/api/conversations/{dm}", {"action": "mark_read"})
    reply = {"content": "Jag!", "replyTo": {"messageId": mine["id"]}}
    answer = bo.post(f"/api/conversations/{dm}/messages", reply).json()["message"]
    (one,) = of_kind(elsa, "reply")
    assert (one["title"], one["body"]) == ("Bo Ek", "Replied to your message")
    assert one["data"] == {"conversationId": dm, "messageId": answer["id"]}
    assert of_kind(elsa, "message") == []
    elsa.patch(f"/api/conversations/{dm}", {"action": "mark_read"})
    assert unread(elsa) == 0


def test_a_deleted_message_is_told_no_more(elsa: Caller, bo: Caller) -> None:
    dm = dm_of(elsa, "bo.ek")
    sent = say(elsa, dm, "Hej")
    elsa.delete(f"/api/conversations/{dm}/{sent['id']}")
    assert of_kind(bo, "message") == []
    assert unread(bo) == 0


def test_nobody_is_told_of_a_group_that_they_left(elsa: Caller, bo: Caller) -> None:
    body = {"type": "group", "groupName": "Ugglorna", "members": ["bo.ek"]}
    group = elsa.post("/api/conversations", body).json()["conversation"]["id"]
    say(elsa, group, "Välkommen")
    assert [each["title"] for each in of_kind(bo, "message")] == ["Group: Ugglorna"]
    assert bo.patch(f"/api/conversations/{group}", {"action": "leave"}).status_code == 200
    assert of_kind(bo, "message") == []


def test_nobody_is_told_of_messages_across_a_block(elsa: Caller, bo: Caller) -> None:
    """In a larger group they are written all the same, and can be read."""
    alva = signed_in("alva.lind")
    befriend(elsa, alva, ("elsa.nordvall", "alva.lind"))
    group = new_group(elsa, "bo.ek", "alva.lind")
    assert bo.post("/api/blocks", {"targetUsername": "elsa.nordvall"}).status_code == 201
    first = say(elsa, group, "Hej allihop")
    assert (len(of_kind(alva, "message")), of_kind(bo, "message")) == (1, [])
    answer = {"content": "Hej", "replyTo": {"messageId": first["id"]}}
    assert bo.post(f"/api/conversations/{group}/messages", answer).status_code == 201
    assert of_kind(elsa, "message") == of_kind(elsa, "reply") == []


@pytest.mark.parametrize("delivery", ["off", "list"])
def test_a_kind_that_is_off_is_not_listed(elsa: Caller, bo: Caller, delivery: str) -> None:
    bo.patch(SETTINGS, {"kinds": {"message": delivery}})
    say(elsa, dm_of(elsa, "bo.ek"), "Hej")
    assert len(of_kind(bo, "message")) == (delivery == "list")


def test_texts_are_in_the_language_of_the_settings(elsa: Caller, bo: Caller) -> None:
    say(elsa, dm_of(elsa, "bo.ek"), "Hej")
    answer = bo.get(PATH, **{"Accept-Language": "sv"})
    assert answer.json()["notifications"][0]["body"] == "1 nytt meddelande"
    assert answer.headers["Content-Language"] == "sv"
    bo.patch(SETTINGS, {"language": "en"})
    answer = bo.get(PATH, **{"Accept-Language": "sv"})
    assert answer.json()["notifications"][0]["body"] == "1 new message"
