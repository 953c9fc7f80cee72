"""What is pushed of notifications, and when."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import OperationalError, connection
from pytest_django.fixtures import Settings

from accounts.models import Account, ServiceSession
from accounts.services.ended_sessions import end_record
from accounts.services.suspension import suspend_account
from notifications.models import Notification, PushSubscription
from notifications.services.pushes import push_held
from tests.conftest import Caller, signed_in
from tests.jobs.run_jobs import run_jobs
from tests.notifications.actions import PATH, SETTINGS, SUBSCRIPTIONS, of_kind
from tests.notifications.deliveries import run_waiting_jobs, shown, tonight
from tests.notifications.push_service import PushService
from tests.social.factories import group_of
from tests.social.friend_requests import block
from tests.social_actions import say
from tests.store_away import take_the_store_away


def test_a_message_is_pushed_without_names_and_words(
    elsa: Caller, dm: str, push_service: PushService
) -> None:
    say(elsa, dm, "Vi ses klockan tre")
    run_jobs()
    run_jobs()
    [push] = push_service.received
    message = shown(push_service)
    assert (message["title"], message["body"]) == ("You have 1 new message", "")
    assert message["navigate"].endswith(f"/app/conversations/{dm}")
    assert message["tag"] == push.headers["topic"]
    assert b"Elsa" not in push_service.decrypt(push)
    assert b"klockan" not in push_service.decrypt(push)
    assert push.headers["urgency"] == "high"
    assert 86000 < int(push.headers["ttl"]) <= 86400
    assert PushSubscription.objects.get().last_used_at is not None


def test_without_a_device_or_where_only_listed_nothing_is_pushed(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService
) -> None:
    say(bo, dm, "Hej")  # Elsa has no device
    bo.patch(SETTINGS, {"kinds": {"message": "list"}})
    say(elsa, dm, "Hej")
    for person in (elsa, bo):
        assert len(of_kind(person, "message")) == 1
    assert set(Notification.objects.filter(kind="message").values_list("push")) == {("none",)}
    run_waiting_jobs()
    assert push_service.received == []


@pytest.mark.django_db(transaction=True)  # else the lost statement would end the test's transaction
def test_a_push_is_not_repeated_when_the_database_goes_away_after_it(
    elsa: Caller, dm: str, push_service: PushService
) -> None:
    def lose_what_is_noted(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith("UPDATE") and PushSubscription._meta.db_table in sql:
            raise OperationalError
        return execute(sql, *rest)

    say(elsa, dm, "Hej")
    with connection.execute_wrapper(lose_what_is_noted):
        run_jobs()
    assert PushSubscription.objects.get().last_used_at is None
    run_waiting_jobs()
    assert len(push_service.received) == 1


def test_messages_are_sent_and_pushed_while_redis_is_away(
    elsa: Caller, dm: str, push_service: PushService, settings: Settings
) -> None:
    take_the_store_away(settings)
    say(elsa, dm, "Hej")
    run_jobs()
    assert len(push_service.received) == 1


def test_a_preview_has_the_name_and_the_first_eighty_characters(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService
) -> None:
    bo.patch(SETTINGS, {"preview": True, "language": "sv"})
    say(elsa, dm, "å" * 200)
    run_jobs()
    message = shown(push_service)
    assert (message["title"], message["body"]) == ("Elsa Nordvall", "å" * 80)
    assert message["lang"] == "sv"


def test_a_preview_of_what_has_no_text_is_in_the_language_of_the_reader(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService
) -> None:
    bo.patch(SETTINGS, {"preview": True, "language": "sv"})
    note = elsa.post("/api/notes", {"title": "Bergarter"}).json()["note"]["id"]
    card = {"shareCard": {"type": "note", "noteId": note}}
    assert elsa.post(f"/api/conversations/{dm}/messages", card).status_code == 201
    run_jobs()
    assert shown(push_service)["body"] == "Delat kort"


def test_words_of_somebody_blocked_are_no_preview(
    elsa: Caller, bo: Caller, phone: str, push_service: PushService
) -> None:
    alva = signed_in("alva.lind")
    group = group_of("elsa.nordvall", "bo.ek", "alva.lind").pk.hex
    bo.patch(SETTINGS, {"preview": True})
    assert block(bo, "alva.lind").status_code == 201
    say(elsa, group, "Hej")
    say(alva, group, "Du är dum")  # nobody is told of it; the push of Elsa's has not left
    run_jobs()
    [push] = push_service.received
    assert b"dum" not in push_service.decrypt(push)
    assert b"Alva" not in push_service.decrypt(push)


def test_an_encrypted_conversation_has_no_preview(
    elsa: Caller, bo: Caller, phone: str, push_service: PushService
) -> None:
    bo.patch(SETTINGS, {"preview": True})
    body = {"type": "group", "groupName": "Hemlig", "members": ["bo.ek"], "encrypted": True}
    group = elsa.post("/api/conversations", body).json()["conversation"]["id"]
    sealed = {"content": "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=", "iv": "AAAAAAAAAAAAAAAA"}
    answer = elsa.post(f"/api/conversations/{group}/messages", sealed)
    assert answer.status_code == 201, answer.content
    run_jobs()
    assert shown(push_service)["title"] == "You have 1 new message"
    assert "Hemlig" not in str(shown(push_service))


def test_all_pushes_of_a_kind_are_equally_long(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService
) -> None:
    bo.patch(SETTINGS, {"preview": True})
    for text in ("a", "å" * 60):
        say(elsa, dm, text)
        run_jobs()
        bo.patch(f"/api/conversations/{dm}", {"action": "mark_read"})
    first, second = push_service.received
    assert len(first.body) == len(second.body)


def test_nothing_is_pushed_that_was_read_deleted_or_muted(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService
) -> None:
    say(elsa, dm, "Läst")
    bo.patch(f"/api/conversations/{dm}", {"action": "mark_read"})
    run_jobs()
    sent = say(elsa, dm, "Raderat")
    elsa.delete(f"/api/conversations/{dm}/{sent['id']}")
    run_jobs()
    bo.post(f"{PATH}/read", {"all": True})
    bo.patch(SETTINGS, {"muted": [dm]})
    say(elsa, dm, "Tystat")
    run_jobs()
    assert push_service.received == []
    assert len(of_kind(bo, "message")) == 1


def test_a_reply_is_pushed_as_such(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService
) -> None:
    mine = say(bo, dm, "Vem har boken?")
    body = {"content": "Jag", "replyTo": {"messageId": mine["id"]}}
    assert elsa.post(f"/api/conversations/{dm}/messages", body).status_code == 201
    run_jobs()
    assert shown(push_service)["title"] == "Somebody replied to your message"


def test_quiet_hours_hold_pushes_and_one_says_how_many_wait(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService
) -> None:
    bo.patch(SETTINGS, {"quietHours": {"from": "21:00", "to": "07:00"}})
    mine = say(bo, dm, "Vem har boken?")
    say(elsa, dm, "Sover du?")
    body = {"content": "Jag", "replyTo": {"messageId": mine["id"]}}
    assert elsa.post(f"/api/conversations/{dm}/messages", body).status_code == 201
    with time_machine.travel(tonight()):
        run_jobs()
        push_held()
        run_jobs()
        assert push_service.received == []
    with time_machine.travel(tonight() + timedelta(hours=9)):
        push_held()
        push_held()
        run_jobs()
        assert len(push_service.received) == 1
        assert shown(push_service)["title"] == "2 notifications are waiting"
    assert not Notification.objects.filter(push="held").exists()


def test_what_was_read_in_quiet_hours_does_not_wait(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService
) -> None:
    bo.patch(SETTINGS, {"quietHours": {"from": "21:00", "to": "07:00"}})
    say(elsa, dm, "Sover du?")
    with time_machine.travel(tonight()):
        run_jobs()
    assert Notification.objects.filter(push="held").exists()
    bo.patch(f"/api/conversations/{dm}", {"action": "mark_read"})
    bo.patch(SETTINGS, {"quietHours": None})
    push_held()
    run_jobs()
    assert push_service.received == []


def test_a_login_that_expired_gets_one_last_push(
    bo: Caller, phone: str, push_service: PushService
) -> None:
    record = ServiceSession.objects.select_related("account").get(account__username="bo.ek")
    end_record(record.pk, reason="expired")
    run_jobs()
    assert shown(push_service)["title"] == "Please sign in again"
    assert len(push_service.received) == 1
    assert not PushSubscription.objects.exists()


def test_a_device_whose_login_is_gone_is_not_pushed_to(
    elsa: Caller, dm: str, push_service: PushService
) -> None:
    """Also where nobody has said that the login ended."""
    ServiceSession.objects.filter(account__username="bo.ek").delete()
    say(elsa, dm, "Hej")
    run_jobs()
    assert push_service.received == []


def test_a_suspended_person_is_not_pushed_to(
    elsa: Caller, dm: str, push_service: PushService
) -> None:
    say(elsa, dm, "Hej")
    suspend_account(Account.objects.get(username="bo.ek").pk)
    run_jobs()
    assert push_service.received == []


def test_a_test_is_pushed_also_in_quiet_hours(
    bo: Caller, phone: str, push_service: PushService
) -> None:
    bo.patch(SETTINGS, {"quietHours": {"from": "00:00", "to": "23:59"}})
    assert bo.post(f"{SUBSCRIPTIONS}/{phone}/test").json() == {"success": True}
    run_jobs()
    assert shown(push_service)["title"] == "It works"
    assert of_kind(bo, "test") == []


def test_a_host_that_is_listed_no_more_ends_the_subscription(
    elsa: Caller, dm: str, push_service: PushService, settings: Any
) -> None:
    settings.PUSH_HOSTS = []
    say(elsa, dm, "Hej")
    run_jobs()
    assert not PushSubscription.objects.exists()
    assert push_service.received == []
