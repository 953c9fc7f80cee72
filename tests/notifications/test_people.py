"""Notifications of friend requests, invites, closed reports and one's own account."""

from accounts.models import Account
from accounts.services.warnings import warn_account
from social.models import Case
from social.services.cases.actions import StaffAct, close_case
from tests.conftest import Caller
from tests.notifications.actions import SETTINGS, of_kind
from tests.social_actions import befriend, dm_of, report, say


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


def test_a_warning_is_told_without_its_words(elsa: Caller) -> None:
    warn_account(Account.objects.get(username="elsa.nordvall").pk, text="Sluta")
    (one,) = of_kind(elsa, "account")
    assert one["title"] == "You have a warning"
    assert "Sluta" not in str(one)


def test_another_sign_in_is_told_to_those_who_are_signed_in(elsa: Caller) -> None:
    assert of_kind(elsa, "account") == []
    other = Caller()
    other.sign_in()
    (one,) = of_kind(elsa, "account")
    sessions = [each["id"] for each in elsa.get("/api/sessions").json()["sessions"]]
    assert one["title"] == "New sign-in"
    assert one["data"]["sessionId"] in sessions
