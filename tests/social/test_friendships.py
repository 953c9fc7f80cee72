"""/api/friends: requesting and answering."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from pytest_django.fixtures import Settings

from accounts.models import Account
from accounts.services.suspension import suspend_account, unsuspend_account
from social.models import Refusal
from tests.conftest import Caller, signed_in
from tests.social.friend_requests import (
    FRIENDS,
    answer,
    ask,
    block,
    code_of,
    listed,
)

ELSA, BO, ZOE = "elsa.nordvall", "bo.ek", "zoe.åkerman"
NOT_FOUND = (404, "not_found")


def test_a_request_is_open_until_it_is_answered(elsa: Caller, bo: Caller) -> None:
    asked = ask(elsa, BO)
    assert asked.status_code == 201
    friendship = asked.json()["friendship"]
    assert friendship.keys() == {
        "id", "userA", "userB", "requestedBy", "status", "createdAt", "updatedAt",
    }  # fmt: skip
    assert {friendship["userA"], friendship["userB"]} == {ELSA, BO}
    assert (friendship["requestedBy"], friendship["status"]) == (ELSA, "pending")
    assert len(friendship["id"]) == 32
    assert isinstance(friendship["createdAt"], int)
    assert listed(elsa)["sent"] == listed(bo)["received"] == [friendship]
    assert listed(elsa)["friends"] == listed(bo)["friends"] == listed(elsa)["received"] == []


@pytest.mark.parametrize("by", ["name", "id"])
def test_a_request_is_accepted_by_name_or_by_id(elsa: Caller, bo: Caller, by: str) -> None:
    asked = ask(elsa, BO).json()["friendship"]
    body = {"friendshipId": asked["id"], "action": "accept"}
    answered = answer(bo, ELSA) if by == "name" else bo.patch(FRIENDS, body)
    assert answered.status_code == 200
    friendship = answered.json()["friendship"]
    assert (friendship["id"], friendship["status"]) == (asked["id"], "accepted")
    for one in (elsa, bo):
        assert listed(one)["friends"] == [friendship]
        assert listed(one)["sent"] == listed(one)["received"] == []


@pytest.mark.parametrize("by", ["name", "id"])
def test_a_declined_request_is_in_no_list_and_may_be_sent_again_after_thirty_days(
    elsa: Caller, bo: Caller, by: str
) -> None:
    asked = ask(elsa, BO).json()["friendship"]
    body = {"friendshipId": asked["id"], "action": "decline"}
    answered = answer(bo, ELSA, accept=False) if by == "name" else bo.patch(FRIENDS, body)
    assert (answered.status_code, answered.json()["friendship"]["status"]) == (200, "declined")
    for one in (elsa, bo):
        lists = listed(one)
        assert lists["friends"] == lists["received"] == lists["sent"] == []
        assert lists["profileMap"] == {}
    assert code_of(ask(elsa, BO)) == (409, "asked_recently")
    Refusal.objects.update(until=F("until") - timedelta(days=29.9))
    assert code_of(ask(elsa, BO)) == (409, "asked_recently")
    Refusal.objects.update(until=F("until") - timedelta(days=0.2))
    again = ask(elsa, BO)
    assert (again.status_code, again.json()["friendship"]["status"]) == (201, "pending")
    assert again.json()["friendship"]["id"] != asked["id"]


def test_a_request_in_the_other_direction_accepts_the_first(elsa: Caller, bo: Caller) -> None:
    ask(elsa, BO)
    contended = ask(bo, ELSA)
    assert (contended.status_code, contended.json()["friendship"]["status"]) == (200, "accepted")
    assert listed(elsa)["friends"] == listed(bo)["friends"] == [contended.json()["friendship"]]


def test_a_second_request_and_one_to_a_friend_are_409(elsa: Caller, bo: Caller) -> None:
    ask(elsa, BO)
    assert code_of(ask(elsa, BO)) == (409, "already_asked")
    answer(bo, ELSA)
    assert code_of(ask(elsa, BO)) == code_of(ask(bo, ELSA)) == (409, "already_friends")


def test_answering_twice_is_409(elsa: Caller, bo: Caller) -> None:
    asked = ask(elsa, BO).json()["friendship"]
    answer(bo, ELSA)
    assert code_of(answer(bo, ELSA, accept=False)) == (409, "already_answered")
    body = {"friendshipId": asked["id"], "action": "decline"}
    assert code_of(bo.patch(FRIENDS, body)) == (409, "already_answered")
    assert len(listed(bo)["friends"]) == 1


def test_nobody_answers_their_own_request(elsa: Caller, bo: Caller) -> None:
    asked = ask(elsa, BO).json()["friendship"]
    body = {"friendshipId": asked["id"], "action": "accept"}
    assert code_of(elsa.patch(FRIENDS, body)) == (403, "forbidden")
    assert code_of(answer(elsa, BO)) == NOT_FOUND  # Bo has sent no request


def test_a_request_of_others_is_the_same_404_as_an_unknown_one(elsa: Caller, bo: Caller) -> None:
    asked = ask(elsa, BO).json()["friendship"]
    alva = signed_in("alva.lind")
    answers = [
        alva.patch(FRIENDS, {"friendshipId": friendship_id, "action": "accept"})
        for friendship_id in (asked["id"], "0" * 32, "nonsense", "å", asked["id"].upper())
    ]
    answers += [alva.delete(f"{FRIENDS}?friendshipId={asked['id']}"), answer(alva, ELSA)]
    assert {code_of(one) for one in answers} == {NOT_FOUND}
    assert len({one.content for one in answers}) == 1
    assert len(listed(bo)["received"]) == 1


def test_blocked_suspended_and_unknown_people_are_the_same(elsa: Caller, bo: Caller) -> None:
    ask(elsa, ZOE)  # has never signed in
    zoe, alva = signed_in(ZOE, "nyvang"), signed_in("alva.lind")
    block(bo, ELSA)
    block(elsa, "alva.lind")
    suspend_account(Account.objects.get(username=ZOE).pk)
    answers = [ask(elsa, name) for name in (BO, "alva.lind", ZOE, "nobody.here", "' or 1=1")]
    assert {code_of(one) for one in answers} == {NOT_FOUND}
    assert len({one.content for one in answers}) == 1
    assert code_of(ask(bo, ELSA)) == code_of(ask(alva, ELSA)) == NOT_FOUND
    assert zoe.get(FRIENDS).status_code == 403


def test_a_suspended_persons_request_waits_for_them(elsa: Caller, bo: Caller) -> None:
    asked = ask(bo, ELSA).json()["friendship"]
    suspended = Account.objects.get(username=BO).pk
    suspend_account(suspended)
    assert listed(elsa)["received"] == []
    assert code_of(answer(elsa, BO)) == NOT_FOUND
    body = {"friendshipId": asked["id"], "action": "accept"}
    assert code_of(elsa.patch(FRIENDS, body)) == NOT_FOUND
    unsuspend_account(suspended)
    assert listed(elsa)["received"] == [asked]
    assert answer(elsa, BO).status_code == 200


def test_yourself_is_400_and_case_does_not_matter(elsa: Caller, bo: Caller) -> None:
    mirrored = ask(elsa, "Elsa.Nordvall")
    assert code_of(mirrored) == (400, "invalid_input")
    assert mirrored.json()["fields"].keys() == {"targetUsername"}
    assert ask(elsa, "  BO.Ek ").status_code == 201
    assert answer(bo, "ELSA.nordvall").status_code == 200


def test_requests_are_limited(elsa: Caller, bo: Caller, settings: Settings) -> None:
    settings.LIMITS = {"friend_requests": "3/86400"}
    statuses = [ask(elsa, name).status_code for name in ("nobody.a", "nobody.b", BO, BO)]
    assert statuses == [404, 404, 201, 429]
    assert ask(bo, "nobody.c").status_code == 404


WRONG: list[tuple[str, dict[str, Any]]] = [
    *((method, {}) for method in ("post", "patch", "delete")),
    *(("post", {"targetUsername": name}) for name in ("", "  ", 17, ["bo.ek"], "a" * 301)),
    ("patch", {"fromUsername": BO}),
    ("patch", {"accept": True}),
    *(("patch", {"fromUsername": BO, "accept": reply}) for reply in ("yes", None)),
    ("patch", {"friendshipId": "0" * 32}),
    ("patch", {"friendshipId": "0" * 32, "action": "perhaps"}),
    ("patch", {"friendshipId": [], "action": "accept"}),
    ("delete", {"targetUsername": {"a": 1}}),
]


def test_a_body_of_the_wrong_shape_is_400(elsa: Caller) -> None:
    for method, body in WRONG:
        refused = getattr(elsa, method)(FRIENDS, body)
        assert code_of(refused) == (400, "invalid_input"), (method, body)
        assert refused.json()["fields"]
