"""Erasing an account, one's own or the other's, ends no refusal."""

from functools import partial
from typing import Any

import pytest

from accounts.services.erasure import erase_account
from social.models import Refusal
from tests.abuse.people import ask, become_friends, block
from tests.abuse.returning import erase, returned
from tests.concurrency import at_once
from tests.social.cast import Cast, Person
from tests.social.friend_requests import answer, code_of

BO, ELSA = "bo.ek", "elsa.nordvall"
ASKED = (409, "asked_recently")
DECLINED = (409, "declined_recently")


def decline_request(person: Person, other: Person) -> None:
    assert answer(person, other.username, accept=False).status_code == 200


def decline_invite(person: Person) -> None:
    (invite,) = person.invites()
    assert person.answer(invite, accept=False).status_code == 200


def test_a_declined_request_is_not_sent_again_by_a_new_account_under_a_new_name(
    cast: Cast,
) -> None:
    bo, elsa = cast.bo, cast.elsa
    assert ask(bo, elsa).status_code == 201
    decline_request(elsa, bo)
    assert erase(bo).status_code == 200
    for number in range(3):
        bo = Person(BO, "bjorkdalen")
        assert bo.put("/api/profile", {"displayName": f"Svara {number}"}).status_code == 200
        assert code_of(ask(bo, elsa)) == ASKED
        assert elsa.get("/api/friends").json()["received"] == []
        erase_account(bo.account_id)


def test_who_declined_is_not_asked_again_after_erasing_the_account(cast: Cast) -> None:
    bo, elsa = cast.bo, cast.elsa
    ask(bo, elsa)
    decline_request(elsa, bo)
    elsa = returned(elsa, ELSA)
    assert code_of(ask(bo, elsa)) == ASKED
    elsa, bo = returned(elsa, ELSA), returned(bo, BO)
    assert code_of(ask(bo, elsa)) == ASKED
    # Who declined may ask.
    assert ask(elsa, bo).status_code == 201


def test_who_declined_and_then_asks_may_be_asked(cast: Cast) -> None:
    bo, elsa = cast.bo, cast.elsa
    ask(bo, elsa)
    decline_request(elsa, bo)
    become_friends(elsa, bo)
    assert elsa.delete("/api/friends", {"targetUsername": bo.username}).status_code == 200
    assert ask(bo, elsa).status_code == 201


@pytest.mark.parametrize("who", ["sender", "invited"])
def test_a_declined_invite_is_not_sent_again_into_any_group_by_a_new_account(
    cast: Cast, who: str
) -> None:
    bo, elsa = cast.bo, cast.elsa
    assert bo.new_group(elsa).status_code == 201
    decline_invite(elsa)
    for number in range(3):
        if who == "sender":
            bo = returned(bo, BO)
        else:
            elsa = returned(elsa, ELSA)
        refused = bo.new_group(elsa, groupName=f"Svara {number}")
        assert code_of(refused) == DECLINED
        assert refused.json()["fields"] == {"members": [elsa.username]}
        assert elsa.invites() == []


def test_a_group_stays_declined_whoever_of_them_is_new(cast: Cast) -> None:
    bo, elsa, alva = cast.bo, cast.elsa, cast.alva
    become_friends(bo, alva)
    group = bo.group(alva)
    assert bo.invite(group, elsa).status_code == 201
    decline_invite(elsa)
    elsa, bo = returned(elsa, ELSA), returned(bo, BO)
    # Bo's group is Alva's now.
    assert code_of(alva.invite(group, elsa)) == DECLINED
    assert code_of(alva.do(group, "add_member", targetUsername=elsa.username)) == DECLINED
    assert elsa.invites() == []


def test_a_block_holds_in_both_directions_after_its_target_comes_back(cast: Cast) -> None:
    bo, elsa = cast.bo, cast.elsa
    block(elsa, bo)
    for _ in range(2):
        bo = returned(bo, BO)
        assert bo.get(f"/api/profile/{ELSA}").status_code == 404
        assert elsa.get(f"/api/profile/{bo.username}").status_code == 404
        for one, other in ((bo, elsa), (elsa, bo)):
            assert ask(one, other).status_code == 404
            assert one.new_group(other).status_code == 404
            refused = one.post("/api/conversations", {"targetUsername": other.username})
            assert code_of(refused) == (403, "dm_refused")


def test_nobody_is_named_in_a_refusal(cast: Cast) -> None:
    ask(cast.bo, cast.elsa)
    decline_request(cast.elsa, cast.bo)
    refusal = Refusal.objects.get()
    assert {len(refusal.declined_by), len(refusal.asked_by)} == {64}
    assert refusal.declined_by != refusal.asked_by


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("who", ["sender", "declining"])
def test_an_erasure_while_a_request_is_declined(cast: Cast, who: str) -> None:
    """A decline that was answered with success holds; one that was not has declined nothing."""
    bo, elsa = cast.bo, cast.elsa
    assert ask(bo, elsa).status_code == 201
    leaving = bo if who == "sender" else elsa
    calls: list[Any] = [
        partial(answer, elsa, bo.username, accept=False),
        partial(erase_account, leaving.account_id),
    ]
    declined, _ = at_once(calls)
    if who == "sender":
        bo = Person(BO, "bjorkdalen")
    else:
        elsa = Person(ELSA, "bjorkdalen")
    assert declined.status_code in (200, 401, 404), declined.content
    again = ask(bo, elsa)
    assert code_of(again) == (ASKED if declined.status_code == 200 else (201, ""))
