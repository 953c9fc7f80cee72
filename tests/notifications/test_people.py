"""Notifications of friend requests, invites, closed reports and one's own account."""

from datetime import timedelta

import time_machine
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.models import Account, AccountWarning
from accounts.services.warnings import warn_account
from notifications.services.own_kinds import was_told_of_device
from social.models import Case
from social.services.cases.actions import StaffAct, close_case
from tests.conftest import Caller
from tests.notifications.actions import SETTINGS, of_kind
from tests.social_actions import befriend, dm_of, report, say
from tests.store_away import take_the_store_away


def test_a_request_is_told_until_it_is_answered(elsa: Caller, zoe: Caller) -> None:
    bo = Caller()
    bo.sign_in("bo.ek")
    asked = elsa.post("/api/friends", {"targetUsername": "bo.ek"}).json()["friendship"]
    (one,) = of_kind(bo, "friend")
    assert (one["title"], one["body"]) == ("Elsa Nordvall", "Wants to be your friend")
    assert (one["url"], one["data"]) == ("/friends", {"friendshipId": asked["id"]})
    bo.patch("/api/friends", {"fromUsername": "elsa.nordvall", "accept": True})
    assert of_kind(bo, "friend") == []
    (one,) = of_kind(elsa, "friend")
    assert (one["title"], one["body"]) == ("Bo Ek", "Accepted your friend request")


def test_a_declined_request_and_the_end_of_a_friendship_are_told_to_nobody(elsa: Caller) -> None:
    bo = Caller()
    bo.sign_in("bo.ek")
    elsa.post("/api/friends", {"targetUsername": "bo.ek"})
    bo.patch("/api/friends", {"fromUsername": "elsa.nordvall", "accept": False})
    befriend(bo, elsa, ("bo.ek", "elsa.nordvall"))
    for caller in (elsa, bo):
        caller.post("/api/notifications/read", {"all": True})
    bo.delete("/api/friends", {"targetUsername": "elsa.nordvall"})
    assert of_kind(elsa, "friend") == of_kind(bo, "friend") == []


def test_a_kind_that_is_off_is_not_listed(elsa: Caller) -> None:
    bo = Caller()
    bo.sign_in("bo.ek")
    bo.patch(SETTINGS, {"kinds": {"friend": "off"}})
    elsa.post("/api/friends", {"targetUsername": "bo.ek"})
    assert of_kind(bo, "friend") == []


def test_an_invite_is_told_until_it_is_answered(elsa: Caller) -> None:
    alva = Caller()
    alva.sign_in("alva.lind")
    body = {"type": "group", "groupName": "Ugglorna", "members": ["alva.lind"]}
    assert elsa.post("/api/conversations", body).status_code == 201
    (one,) = of_kind(alva, "invite")
    assert (one["title"], one["body"]) == ("Elsa Nordvall", "Invites you to Ugglorna")
    answer = {"inviteId": one["data"]["inviteId"], "accept": False}
    assert alva.patch("/api/group-invites", answer).status_code == 200
    assert of_kind(alva, "invite") == []


def test_a_reporter_is_told_when_the_case_is_closed(elsa: Caller, bo: Caller) -> None:
    sent = say(elsa, dm_of(elsa, "bo.ek"), "Elakt")
    reported = report(bo, "message", sent["id"])
    assert of_kind(bo, "report") == []
    case = Case.objects.get()
    close_case(StaffAct(case_id=case.pk, version=case.version, staff="vera"))
    (one,) = of_kind(bo, "report")
    assert one["data"] == {"reportId": reported}
    assert of_kind(elsa, "report") == []


def test_a_warning_is_told_with_the_words_of_the_moderator(elsa: Caller, bo: Caller) -> None:
    warn_account(Account.objects.get(username="elsa.nordvall").pk, text="Skriv inte så till Bo.")
    warn_account(Account.objects.get(username="elsa.nordvall").pk, text="Sluta nu.")
    later, first = of_kind(elsa, "account")
    assert (first["title"], first["body"]) == ("You have a warning", "Skriv inte så till Bo.")
    assert later["body"] == "Sluta nu."
    AccountWarning.objects.all().delete()
    assert {each["body"] for each in of_kind(elsa, "account")} == {
        "The staff of your school have sent you a warning. It is in your profile."
    }
    assert of_kind(bo, "account") == []


def sign_in_with(agent: str) -> None:
    Caller(HTTP_USER_AGENT=agent).sign_in()


def told(caller: Caller) -> list[str]:
    return [each["body"] for each in of_kind(caller, "account")]


FIREFOX, CHROME = ("X11; Linux) Firefox/140", "Windows NT) Chrome/140 Safari/537")


def test_another_sign_in_is_told_to_those_who_are_signed_in(elsa: Caller) -> None:
    assert of_kind(elsa, "account") == []
    other = Caller()
    other.sign_in()
    (one,) = of_kind(elsa, "account")
    sessions = [each["id"] for each in elsa.get("/api/sessions").json()["sessions"]]
    assert one["title"] == "New sign-in"
    assert one["data"]["sessionId"] in sessions


def test_the_device_is_named_in_the_language_of_the_reader(elsa: Caller) -> None:
    sign_in_with(FIREFOX)
    answer = elsa.get("/api/notifications", **{"accept-language": "sv"}).json()
    (shown,) = [row["body"] for row in answer["notifications"] if row["kind"] == "account"]
    assert shown == "Någon loggade in på ditt konto med Firefox på Linux."


def test_a_device_is_told_once_in_thirty_days(elsa: Caller, bo: Caller) -> None:
    for _ in range(3):
        sign_in_with(FIREFOX)
    assert len(told(elsa)) == 1
    assert "Firefox on Linux" in told(elsa)[0]
    elsa.delete(f"/api/notifications/{of_kind(elsa, 'account')[0]['id']}")
    sign_in_with(FIREFOX)
    assert told(elsa) == []
    sign_in_with(CHROME)
    assert [text.split(" with ")[1] for text in told(elsa)] == ["Chrome on Windows."]
    assert told(bo) == []


def test_a_device_is_told_again_after_thirty_days_or_without_the_store(
    elsa: Caller, settings: Settings
) -> None:
    account_id = Account.objects.get(username="elsa.nordvall").pk
    assert not was_told_of_device(account_id, "Firefox on Linux")
    for days, is_told in ((29.9, True), (30.1, False), (30.2, True)):
        with time_machine.travel(timezone.now() + timedelta(days=days), tick=False):
            assert was_told_of_device(account_id, "Firefox on Linux") == is_told
    take_the_store_away(settings)
    assert not was_told_of_device(account_id, "Firefox on Linux")
