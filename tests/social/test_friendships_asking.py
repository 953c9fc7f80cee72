"""Whom somebody may send a friend request, and how often."""

from functools import partial
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from accounts.models import Profile
from social.models import Friendship
from tests.concurrency import at_once
from tests.social.cast import Cast, Person
from tests.social.friend_requests import FRIENDS, answer, ask, befriend, block, code_of, listed

REFUSED = (403, "request_refused")
NOT_FOUND = (404, "not_found")
RECENTLY = (409, "asked_recently")
ADULTS = pytest.mark.parametrize("adult", ["teacher", "guardian"])


def hide(person: Person) -> None:
    assert person.put("/api/profile", {"discoverable": False}).status_code == 200


def withdraw(person: Person, other: Person) -> Any:
    return person.delete(FRIENDS, {"targetUsername": other.username})


@ADULTS
def test_an_adult_cannot_ask_a_pupil(cast: Cast, adult: str, settings: Settings) -> None:
    grown_up, elsa, zoe = getattr(cast, adult), cast.elsa, cast.zoe
    for pupil in (elsa, zoe):
        assert code_of(ask(grown_up, pupil.username)) == REFUSED
        assert listed(pupil)["received"] == []
    settings.ADULT_DM_PUPIL = True
    assert ask(grown_up, elsa.username).status_code == 201


@ADULTS
@pytest.mark.parametrize("how", ["asking", "answering"])
def test_an_adult_accepts_the_request_of_a_pupil(cast: Cast, adult: str, how: str) -> None:
    grown_up, elsa = getattr(cast, adult), cast.elsa
    assert ask(elsa, grown_up.username).status_code == 201
    accepted = (ask if how == "asking" else answer)(grown_up, elsa.username)
    assert (accepted.status_code, accepted.json()["friendship"]["status"]) == (200, "accepted")


def test_an_adult_who_was_a_friend_cannot_ask_again(cast: Cast) -> None:
    elsa, teacher = cast.elsa, cast.teacher
    befriend(elsa, elsa.username, teacher, teacher.username)
    withdraw(elsa, teacher)
    assert code_of(ask(teacher, elsa.username)) == REFUSED


def test_a_hidden_pupil_is_unknown_to_other_schools(cast: Cast) -> None:
    zoe, elsa = cast.zoe, cast.elsa
    hide(elsa)
    refused, unknown = ask(zoe, elsa.username), ask(zoe, "nobody.here")
    assert code_of(refused) == NOT_FOUND
    assert refused.content == unknown.content
    assert ask(cast.bo, elsa.username).status_code == 201
    hide(zoe)
    assert code_of(ask(cast.teacher, zoe.username)) == NOT_FOUND  # not that she is a pupil


def test_a_hidden_pupil_can_ask_others_who_accept(cast: Cast) -> None:
    zoe, elsa = cast.zoe, cast.elsa
    hide(elsa)
    assert ask(elsa, zoe.username).status_code == 201
    assert ask(zoe, elsa.username).status_code == 200


def test_an_open_request_stays_when_the_pupil_hides(cast: Cast) -> None:
    zoe, elsa = cast.zoe, cast.elsa
    ask(zoe, elsa.username)
    hide(elsa)
    assert code_of(ask(zoe, elsa.username)) == (409, "already_asked")
    assert answer(elsa, zoe.username).status_code == 200


@pytest.mark.parametrize("how", ["declining", "deleting it", "a block", "a block by the sender"])
def test_a_declined_request_is_not_sent_again_whatever_its_sender_does(
    cast: Cast, how: str
) -> None:
    elsa, bo = cast.elsa, cast.bo
    ask(elsa, bo.username)
    match how:
        case "deleting it":
            assert withdraw(bo, elsa).status_code == 200
        case "a block":
            block(bo, elsa.username)
            bo.delete("/api/blocks", {"targetUsername": elsa.username})
        case _:
            answer(bo, elsa.username, accept=False)
    if how == "a block by the sender":
        block(elsa, bo.username)
        elsa.delete("/api/blocks", {"targetUsername": bo.username})
    assert withdraw(elsa, bo).status_code == 200  # there is nothing to withdraw
    assert code_of(ask(elsa, bo.username)) == RECENTLY
    assert listed(bo)["received"] == []
    assert ask(bo, elsa.username).status_code == 201  # who declined may ask


def test_a_declined_request_is_not_ended_by_its_id(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    asked = ask(elsa, bo.username).json()["friendship"]
    answer(bo, elsa.username, accept=False)
    for person in (elsa, bo):
        assert code_of(person.delete(f"{FRIENDS}?friendshipId={asked['id']}")) == NOT_FOUND
    assert Friendship.objects.get().status == "declined"


def test_a_request_is_withdrawn_and_sent_three_times_in_thirty_days(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    for _ in range(3):
        assert ask(elsa, bo.username).status_code == 201
        assert withdraw(elsa, bo).status_code == 200
    assert code_of(ask(elsa, bo.username)) == RECENTLY
    assert ask(elsa, cast.alva.username).status_code == 201
    assert ask(bo, elsa.username).status_code == 201
    assert ask(elsa, bo.username).status_code == 200  # accepting is not asking


def test_a_refused_request_counts_for_nothing(cast: Cast) -> None:
    elsa, teacher = cast.elsa, cast.teacher
    for _ in range(4):
        assert code_of(ask(teacher, elsa.username)) == REFUSED
    Profile.objects.filter(account=elsa.account_id).update(user_type="teacher")
    assert ask(teacher, elsa.username).status_code == 201


@pytest.mark.django_db(transaction=True)
def test_a_pupil_and_an_adult_who_ask_at_once_are_friends_or_the_adult_was_first(
    cast: Cast,
) -> None:
    elsa, teacher = cast.elsa, cast.teacher
    asked, crossing = at_once(
        [partial(ask, elsa, teacher.username), partial(ask, teacher, elsa.username)]
    )
    assert asked.status_code == 201
    assert crossing.status_code in (200, 403)
    expected = "accepted" if crossing.status_code == 200 else "pending"
    assert Friendship.objects.get().status == expected
