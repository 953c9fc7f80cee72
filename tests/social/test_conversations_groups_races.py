"""Concurrent changes of a group happen one after the other, in either order."""

from functools import partial
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction

from accounts.models import Account
from social.access import lock_accounts
from social.models import Block, Conversation, Invite
from social.services.conversations.groups import create_group, remove_member
from social.services.invites.actions import withdraw_invite
from social.services.invites.records import withdraw_invites_between
from tests.social.cast import befriend_accounts, pupils
from tests.social.factories import group_of_accounts
from tests.social.group_races import (
    adding,
    answering,
    inviting,
    leaving,
    members,
    race,
    transferring,
)

pytestmark = pytest.mark.django_db(transaction=True)


def invite_of(group: UUID, admin: Account, invited: Account) -> UUID:
    """The id of a new invite."""
    made = Invite.objects.create(conversation_id=group, invited=invited, invited_by=admin)
    return made.pk


def admin_of(group: UUID) -> int | None:
    return Conversation.objects.get(pk=group).admin_id


def test_the_last_free_membership_goes_to_one() -> None:
    *inside, one, other, third = pupils(52)
    group = group_of_accounts(inside).pk
    admin = inside[0]
    befriend_accounts(admin.pk, third.pk)
    coming = [answering(person, invite_of(group, admin, person)) for person in (one, other)]
    outcomes = race(*coming, adding(group, admin, third))
    assert sorted(outcomes) == ["GroupFull", "GroupFull", "done"]
    assert len(members(group)) == 50


def test_adding_somebody_while_a_member_of_a_full_group_leaves() -> None:
    *inside, one = pupils(51)
    group = group_of_accounts(inside).pk
    coming = answering(one, invite_of(group, inside[0], one))
    left, came = race(leaving(group, inside[7]), coming)
    assert left == "done"
    assert (came, len(members(group))) in [("done", 50), ("GroupFull", 49)]


def test_one_invite_is_answered_once() -> None:
    admin, bo, one = pupils(3)
    group = group_of_accounts([admin, bo]).pk
    asked = invite_of(group, admin, one)
    yes, no = answering(one, asked), answering(one, asked, accept=False)
    gone = partial(withdraw_invite, account_id=admin.pk, invite_id=asked)
    answers = race(yes, no, yes, no, gone)
    status = Invite.objects.get().status
    assert answers[:4].count("done") == (0 if status == Invite.WITHDRAWN else 1)
    assert set(answers[:4]) <= {"done", "AlreadyAnswered"}
    assert (one.pk in members(group)) == (status == Invite.ACCEPTED)


def test_one_invite_is_open_at_a_time() -> None:
    admin, bo, one = pupils(3)
    group = group_of_accounts([admin, bo]).pk
    assert sorted(race(*[inviting(group, admin, one)] * 4)) == ["AlreadyAsked"] * 3 + ["done"]
    assert Invite.objects.count() == 1


def block(one: Account, other: Account) -> None:
    """As `services/blocks.py` does it: while both accounts are locked."""
    with transaction.atomic():
        lock_accounts([one.pk, other.pk])
        Block.objects.create(blocker=one, blocked=other)
        withdraw_invites_between(one.pk, other.pk)


def test_a_block_and_an_acceptance_end_as_one_of_the_two_orders() -> None:
    admin, bo, *others = pupils(6)
    group = group_of_accounts([admin, bo]).pk
    for one in others:
        asked = invite_of(group, admin, one)
        blocked, came = race(partial(block, admin, one), answering(one, asked))
        assert blocked == "done"
        assert (came, Invite.objects.get(pk=asked).status, one.pk in members(group)) in [
            ("done", Invite.ACCEPTED, True),
            ("AlreadyAnswered", Invite.WITHDRAWN, False),
        ]


def test_nobody_is_invited_past_a_block() -> None:
    admin, bo, *others = pupils(6)
    group = group_of_accounts([admin, bo]).pk
    for one in others:
        blocked, asked = race(partial(block, one, admin), inviting(group, admin, one))
        assert (blocked, asked) in [("done", "done"), ("done", "NotFound")]
        assert not Invite.objects.filter(invited=one, status=Invite.PENDING).exists()


def test_two_who_leave_at_once_close_it() -> None:
    admin, bo, one = pupils(3)
    group = group_of_accounts([admin, bo]).pk
    asked = invite_of(group, admin, one)
    *left, came = race(leaving(group, admin), leaving(group, bo), answering(one, asked))
    assert left == ["done", "done"]
    if came == "done":
        assert (members(group), admin_of(group)) == ({one.pk}, one.pk)
    else:
        assert Invite.objects.get(pk=asked).status == Invite.WITHDRAWN
        assert Conversation.objects.get(pk=group).closed_at is not None
        assert admin_of(group) is None


def test_everybody_leaves_at_once() -> None:
    people = pupils(6)
    group = group_of_accounts(people).pk
    assert race(*(leaving(group, person) for person in people)) == ["done"] * 6
    row = Conversation.objects.get(pk=group)
    assert (members(group), row.admin_id, row.closed_at is None) == (set(), None, False)
    assert row.info_revision == row.revision == 6


@pytest.mark.parametrize(
    ("who", "allowed"),
    [
        ("admin", [("done", "alva"), ("NotFound", "bo")]),
        # The longest-standing member, when Alva was admin and left.
        ("alva", [("done", "admin"), ("NotFound", "admin")]),
    ],
)
def test_one_of_the_two_leaves_during_a_transfer_of_the_role(
    who: str, allowed: list[tuple[str, str]]
) -> None:
    people = dict(zip(("admin", "bo", "alva"), pupils(3), strict=True))
    group = group_of_accounts(list(people.values())).pk
    handing_over = transferring(group, people["admin"], people["alva"])
    left, handed = race(leaving(group, people[who]), handing_over)
    assert left == "done"
    names = {person.pk: name for name, person in people.items()}
    assert (handed, names.get(admin_of(group) or 0)) in allowed


def test_removing_somebody_while_handing_over_to_them() -> None:
    admin, bo, alva = pupils(3)
    group = group_of_accounts([admin, bo, alva]).pk
    out = partial(
        remove_member, account_id=admin.pk, conversation_id=group, target_username=bo.username
    )
    removed, handed = race(out, transferring(group, admin, bo))
    assert (removed, handed, admin_of(group)) in [
        ("done", "NotFound", admin.pk),
        ("NotAllowed", "done", bo.pk),
    ]


def test_concurrent_groups_of_the_same_people_do_not_deadlock() -> None:
    people = pupils(6)
    befriend_accounts(people[0].pk, *(person.pk for person in people[1:]))

    def make(creator: Account) -> Any:
        names = [person.username for person in people if person != creator]
        return create_group(account_id=creator.pk, name="Ugglorna", description="", usernames=names)

    assert race(*(partial(make, person) for person in people)) == ["done"] * 6
    assert Conversation.objects.count() == 6
