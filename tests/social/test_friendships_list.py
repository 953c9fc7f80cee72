"""GET /api/friends: its content, its queries, its limits."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Account
from social import limits
from social.models import Friendship
from tests.conftest import Caller, signed_in
from tests.social.cast import pupils
from tests.social.friend_requests import FRIENDS, answer, ask, befriend, code_of, listed

ELSA, BO, ALVA = "elsa.nordvall", "bo.ek", "alva.lind"


def stand(account: Account, others: list[Account], *, status: str, asked: bool) -> None:
    """Requests or friendships of one account with all of these; `asked`: sent by the account."""
    Friendship.objects.bulk_create(
        Friendship(
            low_id=min(account.pk, other.pk),
            high_id=max(account.pk, other.pk),
            requested_by=account if asked else other,
            status=status,
        )
        for other in others
    )


@pytest.fixture
def account(elsa: Caller) -> Account:
    """Elsa's."""
    return Account.objects.get(username=ELSA)


def test_the_newest_change_is_first_and_everyone_is_in_the_profile_map(elsa: Caller) -> None:
    bo, alva = signed_in(BO), signed_in(ALVA)
    befriend(elsa, ELSA, alva, ALVA)
    befriend(elsa, ELSA, bo, BO)
    ask(signed_in("ömer.sjölin"), ELSA)
    found = elsa.get(FRIENDS)
    assert found.headers["Cache-Control"] == "no-store"
    lists = found.json()
    others = [{row["userA"], row["userB"]} - {ELSA} for row in lists["friends"]]
    assert others == [{BO}, {ALVA}]
    assert lists["profileMap"] == {
        username: {
            "displayName": name,
            "realName": None,
            "userType": "student",
            "pfpUrl": "",
            "schoolName": "Björkdalsskolan",
        }
        for username, name in ((BO, "Bo Ek"), (ALVA, "Alva Lind"), ("ömer.sjölin", "Ömer Sjölin"))
    }


def test_nobody_sees_the_lists_of_others(elsa: Caller, zoe: Caller) -> None:
    befriend(elsa, ELSA, signed_in(BO), BO)
    assert listed(zoe) == {
        "success": True,
        "friends": [],
        "received": [],
        "sent": [],
        "profileMap": {},
    }


def test_the_list_takes_two_queries_whatever_its_length(elsa: Caller, account: Account) -> None:
    people = pupils(18)
    friends, asking, asked = people[:6], people[6:12], people[12:]
    stand(account, friends, status="accepted", asked=True)
    stand(account, asking, status="pending", asked=False)
    stand(account, asked, status="pending", asked=True)
    elsa.get(FRIENDS)
    with CaptureQueriesContext(connection) as queries:
        lists = listed(elsa)
    assert len(queries) == 2
    assert [len(lists[name]) for name in ("friends", "received", "sent")] == [6, 6, 6]
    assert len(lists["profileMap"]) == 18


def test_requesting_and_answering_take_few_queries(elsa: Caller) -> None:
    bo = signed_in(BO)
    listed(elsa), listed(bo)
    # The person; then begin, lock, blocks, both people with what is between them (2), the pair,
    # the other's refusal, both counts, one's own refusal, the row, the other's devices, and commit.
    with CaptureQueriesContext(connection) as asking:
        ask(elsa, BO)
    # Begin, the person, the pair, lock, the pair again, the count, the row, the notification of the
    # request (3), the other's devices, and commit.
    with CaptureQueriesContext(connection) as answering:
        answer(bo, ELSA)
    assert (len(asking), len(answering)) == (22, 20)


@pytest.mark.parametrize("status", ["accepted", "pending"])
def test_a_full_list_refuses_another(elsa: Caller, account: Account, status: str) -> None:
    bo = signed_in(BO)
    stand(account, pupils(limits.MAX_FRIENDS - 1), status=status, asked=True)
    ask(bo, ELSA)
    assert ask(elsa, ALVA).status_code == 404
    signed_in(ALVA)
    assert ask(elsa, ALVA).status_code == 201  # the last one
    assert code_of(ask(elsa, "ömer.sjölin")) == (404, "not_found")
    signed_in("ömer.sjölin")
    assert code_of(ask(elsa, "ömer.sjölin")) == (409, "too_many_kept")
    assert code_of(answer(elsa, BO)) == code_of(ask(elsa, BO)) == (409, "too_many_kept")
    assert answer(elsa, BO, accept=False).status_code == 200


def test_many_received_requests_do_not_prevent_sending_one(elsa: Caller, account: Account) -> None:
    bo, flood = signed_in(BO), pupils(limits.MAX_RECEIVED)
    stand(account, flood, status="pending", asked=False)
    assert code_of(ask(bo, ELSA)) == (409, "too_many_kept")
    assert ask(elsa, BO).status_code == 201
    assert ask(bo, ELSA).status_code == 200  # in the other direction


def test_declined_requests_do_not_count(elsa: Caller, account: Account) -> None:
    signed_in(BO)
    stand(account, pupils(limits.MAX_FRIENDS), status="declined", asked=True)
    assert ask(elsa, BO).status_code == 201
    lists: dict[str, Any] = listed(elsa)
    assert len(lists["sent"]) == 1
