"""/api/blocks: the list, and what a block does."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Account, Picture
from accounts.services.suspension import suspend_account
from social import limits
from social.models import Block, Invite
from tests.conftest import Caller, signed_in
from tests.social.cast import pupils
from tests.social.factories import account, group_of
from tests.social.friend_requests import BLOCKS, ask, befriend, block, code_of, listed

ELSA, BO, ALVA = "elsa.nordvall", "bo.ek", "alva.lind"
# What the list says besides of Bo.
KIND = {"realName": None, "userType": "student"}


def blocked(caller: Caller) -> list[str]:
    return [one["username"] for one in caller.get(BLOCKS).json()["blocks"]]


def test_it_is_in_ones_own_list_only(elsa: Caller, bo: Caller) -> None:
    made = block(elsa, BO)
    assert made.status_code == 201
    entry = made.json()["block"]
    told = {"username": BO, "displayName": "Bo Ek", "pfpUrl": "", **KIND}
    assert entry == told | {"createdAt": entry["createdAt"]}
    assert isinstance(entry["createdAt"], int)
    assert elsa.get(BLOCKS).json()["blocks"] == [made.json()["block"]]
    assert blocked(bo) == []


def test_the_second_time_is_200_with_the_first_and_the_newest_comes_first(
    elsa: Caller, bo: Caller
) -> None:
    signed_in(ALVA)
    first, second = block(elsa, BO), block(elsa, "Bo.EK")
    assert second.status_code == 200
    assert first.json() == second.json()
    assert Block.objects.count() == 1
    block(elsa, ALVA)
    assert blocked(elsa) == [ALVA, BO]


@pytest.mark.parametrize("how", ["body", "query"])
def test_unblocking_always_succeeds_and_restores_nothing(
    elsa: Caller, bo: Caller, how: str
) -> None:
    befriend(elsa, ELSA, bo, BO)
    block(elsa, BO)
    for _ in range(2):
        if how == "body":
            ended = elsa.delete(BLOCKS, {"targetUsername": BO})
        else:
            ended = elsa.delete(f"{BLOCKS}?targetUsername={BO}")
        assert (ended.status_code, ended.json()) == (200, {"success": True})
    assert blocked(elsa) == listed(elsa)["friends"] == []
    assert ask(bo, ELSA).status_code == 201


def test_the_blocked_person_cannot_unblock_but_can_block(elsa: Caller, bo: Caller) -> None:
    block(elsa, BO)
    assert bo.delete(BLOCKS, {"targetUsername": ELSA}).status_code == 200
    assert blocked(elsa) == [BO]
    assert block(bo, ELSA).status_code == 201
    elsa.delete(BLOCKS, {"targetUsername": BO})
    assert code_of(ask(elsa, BO)) == (404, "not_found")


@pytest.mark.parametrize("state", ["friends", "received", "sent", "declined"])
@pytest.mark.parametrize("who", ["elsa", "bo"])
def test_it_ends_whatever_was_between_the_two(
    elsa: Caller, bo: Caller, state: str, who: str
) -> None:
    if state == "friends":
        befriend(elsa, ELSA, bo, BO)
    else:
        ask(*((bo, ELSA) if state == "received" else (elsa, BO)))
    if state == "declined":
        bo.patch("/api/friends", {"fromUsername": ELSA, "accept": False})
    block(*((elsa, BO) if who == "elsa" else (bo, ELSA)))
    for one in (elsa, bo):
        lists = listed(one)
        assert lists["friends"] == lists["received"] == lists["sent"] == []
    elsa.delete(BLOCKS, {"targetUsername": BO}), bo.delete(BLOCKS, {"targetUsername": ELSA})
    if state == "declined" or (state, who) == ("sent", "bo"):  # Bo has declined, or does so now
        assert code_of(ask(elsa, BO)) == (409, "asked_recently")
    else:
        assert ask(elsa, BO).status_code == 201


@pytest.mark.parametrize("blocker", [ELSA, BO])
def test_it_withdraws_open_invites_between_the_two(elsa: Caller, bo: Caller, blocker: str) -> None:
    alva = signed_in(ALVA)
    people = {name: account(name) for name in (ELSA, BO, ALVA)}

    def invited(by: str, who: str, status: str = "pending") -> Invite:
        return Invite.objects.create(
            conversation=group_of(by, "gun.nordvall"),
            invited=people[who],
            invited_by=people[by],
            status=status,
        )

    signed_in("gun.nordvall")
    between = [invited(ELSA, BO), invited(BO, ELSA)]
    others = [invited(ELSA, ALVA), invited(ALVA, BO), invited(ELSA, BO, "declined")]
    block(elsa, BO) if blocker == ELSA else block(bo, ELSA)
    found = {one.pk: one.status for one in Invite.objects.all()}
    assert [found[one.pk] for one in between] == ["withdrawn"] * 2
    assert [found[one.pk] for one in others] == ["pending", "pending", "declined"]
    assert alva.get(BLOCKS).status_code == 200


def test_unknown_is_404_and_oneself_400(elsa: Caller) -> None:
    assert code_of(block(elsa, "nobody.here")) == (404, "not_found")
    assert code_of(block(elsa, ELSA.upper())) == (400, "invalid_input")
    assert elsa.delete(BLOCKS, {"targetUsername": "nobody.here"}).status_code == 200


def test_a_body_of_the_wrong_shape_is_400(elsa: Caller) -> None:
    for body in ({}, {"targetUsername": " "}, {"targetUsername": 1}, {"targetUsername": "a" * 301}):
        for refused in (elsa.post(BLOCKS, body), elsa.delete(BLOCKS, body)):
            assert code_of(refused) == (400, "invalid_input")
            assert refused.json()["fields"].keys() == {"targetUsername"}


def test_a_suspended_person_can_be_blocked_and_stays_listed(elsa: Caller, bo: Caller) -> None:
    suspend_account(Account.objects.get(username=BO).pk)
    assert block(elsa, BO).status_code == 201
    assert blocked(elsa) == [BO]


@pytest.mark.parametrize("why", ["suspended", "blocked me"])
def test_a_block_shows_no_name_or_picture_that_was_hidden(
    elsa: Caller, bo: Caller, why: str
) -> None:
    bos = account(BO)
    Picture.objects.create(name="x" * 40, account=bos, kind="avatar", width=1, height=1, data=b"")
    told = {"username": BO, "displayName": BO, "pfpUrl": "", **KIND}
    if why == "suspended":
        suspend_account(bos.pk)
    else:
        block(bo, ELSA)
    for _ in range(2):
        answered = block(elsa, BO).json()["block"]
        assert answered == told | {"createdAt": answered["createdAt"]}
        assert elsa.get(BLOCKS).json()["blocks"] == [answered]


@pytest.mark.parametrize("then", ["blocks back", "is suspended"])
def test_the_list_keeps_the_name_that_one_knew(elsa: Caller, bo: Caller, then: str) -> None:
    """Another name would tell of a block, or of a suspension."""
    before = block(elsa, BO).json()["block"]
    assert before["displayName"] == "Bo Ek"
    if then == "blocks back":
        block(bo, ELSA)
    else:
        suspend_account(account(BO).pk)
    assert elsa.get(BLOCKS).json()["blocks"] == [before]


def test_a_full_list_refuses_another_and_is_read_in_two_queries(elsa: Caller, bo: Caller) -> None:
    me = account(ELSA)
    full = pupils(limits.MAX_BLOCKS)
    Block.objects.bulk_create(Block(blocker=me, blocked=other) for other in full)
    assert code_of(block(elsa, BO)) == (409, "too_many_kept")
    assert block(elsa, full[0].username).status_code == 200
    blocked(elsa)
    with CaptureQueriesContext(connection) as queries:
        assert len(blocked(elsa)) == limits.MAX_BLOCKS
    assert len(queries) == 2
