"""A block outlives the erasure of the blocked person's account, and applies when they return."""

from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Account
from accounts.services.erasure import erase_account
from social.models import Block, KeptBlock
from tests.abuse.people import BLOCKS, block
from tests.abuse.returning import erase
from tests.accounts.full_account import columns_and_keys_with, export_of
from tests.concurrency import at_once
from tests.social.cast import Cast, Person


def blocks_of(person: Person) -> Any:
    return person.get(BLOCKS).json()["blocks"]


def test_the_person_returns_to_the_blocks_that_others_made(cast: Cast) -> None:
    bo, elsa = cast.bo, cast.elsa
    block(bo, elsa)
    (made,) = blocks_of(bo)
    for turn in range(2):
        # Only an operator erases somebody a second time on one day.
        erase_account(elsa.account_id) if turn else erase(elsa)
        assert blocks_of(bo) == []
        elsa = Person("elsa.nordvall", "bjorkdalen")
        (again,) = blocks_of(bo)
        assert again == made | {"username": elsa.username}
        assert elsa.get("/api/profile/bo.ek").status_code == 404
        assert bo.get(f"/api/profile/{elsa.username}").status_code == 404
        refused = elsa.post("/api/conversations", {"targetUsername": "bo.ek"})
        assert refused.status_code == 403
        assert elsa.post("/api/friends", {"targetUsername": "bo.ek"}).status_code == 404
        assert elsa.get("/api/users/search?q=bo.ek").json()["users"] == []
        assert bo.patch("/api/presence").status_code == 200
        presences = elsa.get("/api/presence?users=bo.ek").json()["presences"]
        assert presences == {"bo.ek": "offline"}
        assert KeptBlock.objects.count() == 0
    assert bo.delete(BLOCKS, {"targetUsername": elsa.username}).status_code == 200
    assert elsa.get("/api/profile/bo.ek").status_code == 200


def test_their_own_blocks_are_deleted(cast: Cast) -> None:
    block(cast.elsa, cast.bo)
    erase(cast.elsa)
    assert (Block.objects.count(), KeptBlock.objects.count()) == (0, 0)
    again = Person("elsa.nordvall", "bjorkdalen")
    assert blocks_of(again) == []
    assert again.get("/api/profile/bo.ek").status_code == 200


def test_it_is_forgotten_when_the_blocker_is_erased_too(cast: Cast) -> None:
    block(cast.bo, cast.elsa)
    erase(cast.elsa)
    assert KeptBlock.objects.count() == 1
    erase(cast.bo)
    assert KeptBlock.objects.count() == 0
    bo, elsa = Person("bo.ek", "bjorkdalen"), Person("elsa.nordvall", "bjorkdalen")
    assert elsa.get(f"/api/profile/{bo.username}").status_code == 200


def test_only_a_hash_of_the_person_is_kept(cast: Cast) -> None:
    block(cast.bo, cast.elsa)
    erase(cast.elsa)
    assert columns_and_keys_with("elsa.nordvall", "Nordvall", "730214") == []


def test_the_export_of_the_blocker_has_it_without_a_name(cast: Cast) -> None:
    block(cast.bo, cast.alva)
    block(cast.bo, cast.elsa)
    erase(cast.elsa)
    found = export_of(cast.bo)["blocks.json"]
    assert [one["username"] for one in found] == ["alva.lind", ""]
    assert all(one["createdAt"] for one in found)


def test_a_blocker_who_is_being_erased_gets_no_block_back(cast: Cast) -> None:
    block(cast.bo, cast.elsa)
    erase(cast.elsa)
    Account.objects.filter(username="bo.ek").update(erasure_started_at=timezone.now())
    Person("elsa.nordvall", "bjorkdalen")
    assert (Block.objects.count(), KeptBlock.objects.count()) == (0, 1)
    erase_account(cast.bo.account_id)
    assert KeptBlock.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_two_who_blocked_each_other_can_be_erased_at_once(cast: Cast) -> None:
    ids = [cast.elsa.account_id, cast.bo.account_id]
    block(cast.elsa, cast.bo)
    block(cast.bo, cast.elsa)
    at_once([lambda: erase_account(ids[0]), lambda: erase_account(ids[1])])
    assert Account.objects.count() == 0
    assert (Block.objects.count(), KeptBlock.objects.count()) == (0, 0)


@pytest.mark.django_db(transaction=True)
def test_signing_in_and_the_erasure_of_the_blocker_at_once(cast: Cast) -> None:
    block(cast.bo, cast.elsa)
    erase_account(cast.elsa.account_id)
    bo = cast.bo.account_id
    at_once([lambda: erase_account(bo), lambda: Person("elsa.nordvall", "bjorkdalen")])
    assert list(Account.objects.values_list("school", flat=True)) == ["bjorkdalen"]
    assert (Block.objects.count(), KeptBlock.objects.count()) == (0, 0)
