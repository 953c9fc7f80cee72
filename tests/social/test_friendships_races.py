"""Concurrent changes of a friendship: the result is that of one of the two orders."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from accounts.models import Account
from social import limits
from social.models import Block, Friendship
from tests.concurrency import at_once
from tests.conftest import Caller, signed_in
from tests.social.cast import pupils
from tests.social.friend_requests import answer, ask, block, code_of, listed
from tests.social.test_friendships_list import stand

pytestmark = pytest.mark.django_db(transaction=True)
ELSA, BO, ALVA = "elsa.nordvall", "bo.ek", "alva.lind"


def statuses(*calls: Callable[[], Any]) -> list[int]:
    return sorted(response.status_code for response in at_once(calls))


def test_concurrent_requests_in_both_directions_make_one_friendship(elsa: Caller) -> None:
    bo = signed_in(BO)
    assert statuses(partial(ask, elsa, BO), partial(ask, bo, ELSA)) == [200, 201]
    assert Friendship.objects.get().status == "accepted"
    assert listed(elsa)["friends"] == listed(bo)["friends"] != []


def test_four_concurrent_requests_are_one(elsa: Caller) -> None:
    signed_in(BO)
    found = statuses(*[partial(ask, elsa.twin(), BO) for _ in range(4)])
    assert found == [201, 409, 409, 409]
    assert Friendship.objects.get().status == "pending"


def test_one_of_four_concurrent_answers_counts(elsa: Caller) -> None:
    bo = signed_in(BO)
    ask(elsa, BO)
    yes, no = partial(answer, accept=True), partial(answer, accept=False)
    calls = [partial(one, bo.twin(), ELSA) for one in (yes, no, yes, no)]
    answers = at_once(calls)
    good = [one.json()["friendship"]["status"] for one in answers if one.status_code == 200]
    assert [code_of(one) for one in answers if one.status_code != 200] == [
        (409, "already_answered")
    ] * 3
    assert good == [Friendship.objects.get().status]


@pytest.mark.parametrize("blocking", ["the one who asked", "the one who accepts"])
def test_a_block_beats_an_acceptance_at_the_same_moment(elsa: Caller, blocking: str) -> None:
    bo = signed_in(BO)
    ask(elsa, BO)
    blocked = (
        partial(block, elsa.twin(), BO)
        if blocking == "the one who asked"
        else partial(block, bo.twin(), ELSA)
    )
    accepted, made = at_once([partial(answer, bo, ELSA), blocked])
    assert made.status_code == 201
    assert accepted.status_code in (200, 404, 409)
    assert Block.objects.count() == 1
    # Accepted and ended, withdrawn, or declined.
    assert not Friendship.objects.exclude(status__in=["ended", "declined"]).exists()
    assert code_of(ask(elsa, BO)) == code_of(ask(bo, ELSA)) == (404, "not_found")


def test_a_block_beats_a_request_at_the_same_moment(elsa: Caller) -> None:
    bo = signed_in(BO)
    asked, made = at_once([partial(ask, elsa, BO), partial(block, bo, ELSA)])
    assert (made.status_code, asked.status_code in (201, 404)) == (201, True)
    assert not Friendship.objects.exclude(status="declined").exists()
    assert listed(elsa)["sent"] == listed(bo)["received"] == []


def test_mutual_blocks_and_doubles_at_once(elsa: Caller) -> None:
    bo = signed_in(BO)
    calls = [partial(block, elsa.twin(), BO) for _ in range(3)]
    calls += [partial(block, bo.twin(), ELSA) for _ in range(3)]
    assert statuses(*calls) == [200, 200, 200, 200, 201, 201]
    assert Block.objects.count() == 2


def test_the_last_friendship_below_the_limit_is_made_once(elsa: Caller) -> None:
    account = Account.objects.get(username=ELSA)
    stand(account, pupils(limits.MAX_FRIENDS - 1), status="accepted", asked=True)
    signed_in(BO), signed_in(ALVA)
    calls = [partial(ask, elsa.twin(), name) for name in (BO, ALVA)]
    assert statuses(*calls) == [201, 409]
    assert Friendship.objects.count() == limits.MAX_FRIENDS


def test_two_who_end_it_at_once_both_succeed(elsa: Caller) -> None:
    bo = signed_in(BO)
    ask(elsa, BO)
    answer(bo, ELSA)
    ends = [
        partial(elsa.delete, "/api/friends", {"targetUsername": BO}),
        partial(bo.delete, "/api/friends", {"targetUsername": ELSA}),
    ]
    assert statuses(*ends) == [200, 200]
    assert Friendship.objects.get().status == "ended"
