"""Concurrent changes of a group happen one after the other, in either order."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction

from accounts.errors import NotFound
from accounts.models import Account
from social.access import lock_accounts
from social.errors import SocialError
from social.models import Block, Conversation, Invite, Membership
from social.services.conversations.groups import create_group, leave, remove_member, transfer_admin
from social.services.invites.actions import add_member, answer_invite, invite, withdraw_invite
from social.services.invites.records import withdraw_invites_between
from tests.concurrency import at_once
from tests.social.cast import befriend_accounts, pupils
from tests.social.factories import group_of_accounts

pytestmark = pytest.mark.django_db(transaction=True)


def outcome(call: Callable[[], Any]) -> str:
    """The result of a call: "done", or the name of the error."""
    try:
        call()
    except (SocialError, NotFound) as error:
        return type(error).__name__
    return "done"


def race(*calls: Callable[[], Any]) -> list[str]:
    return at_once([partial(outcome, call) for call in calls])


def invite_of(group: UUID, admin: Account, invited: Account) -> Invite:
    return Invite.objects.create(conversation_id=group, invited=invited, invited_by=admin)


def members(group: UUID) -> set[int]:
    rows = Membership.objects.filter(conversation=group)
    return set(rows.values_list("account_id", flat=True))


def admin_of(group: UUID) -> int | None:
    return Conversation.objects.get(pk=group).admin_id


def test_the_last_free_membership_goes_to_one() -> None:
    *inside, one, other, third = pupils(52)
    group = group_of_accounts(inside).pk
    admin = inside[0]
    befriend_accounts(admin.pk, third.pk)
    asked = [invite_of(group, admin, person) for person in (one, other)]
    outcomes = race(
        partial(answer_invite, account_id=one.pk, invite_id=asked[0].pk, accept=True),
        partial(answer_invite, account_id=other.pk, invite_id=asked[1].pk, accept=True),
        partial(
            add_member,
            account_id=admin.pk,
            conversation_id=group,
            target_username=third.username,
        ),
    )
    assert sorted(outcomes) == ["GroupFull", "GroupFull", "done"]
    assert len(members(group)) == 50


def test_adding_somebody_while_a_member_of_a_full_group_leaves() -> None:
    *inside, one = pupils(51)
    group = group_of_accounts(inside).pk
    asked = invite_of(group, inside[0], one)
    left, came = race(
        partial(leave, account_id=inside[7].pk, conversation_id=group),
        partial(answer_invite, account_id=one.pk, invite_id=asked.pk, accept=True),
    )
    assert left == "done"
    assert len(members(group)) == (50 if came == "done" else 49)
    assert came in ("done", "GroupFull")


def test_one_invite_is_answered_once() -> None:
    admin, bo, one = pupils(3)
    group = group_of_accounts([admin, bo]).pk
    asked = invite_of(group, admin, one)
    yes = partial(answer_invite, account_id=one.pk, invite_id=asked.pk, accept=True)
    no = partial(answer_invite, account_id=one.pk, invite_id=asked.pk, accept=False)
    gone = partial(withdraw_invite, account_id=admin.pk, invite_id=asked.pk)
    answers = race(yes, no, yes, no, gone)
    status = Invite.objects.get().status
    assert answers[:4].count("done") == (0 if status == Invite.WITHDRAWN else 1)
    assert set(answers[:4]) <= {"done", "AlreadyAnswered"}
    assert (one.pk in members(group)) == (status == Invite.ACCEPTED)


def test_one_invite_is_open_at_a_time() -> None:
    admin, bo, one = pupils(3)
    group = group_of_accounts([admin, bo]).pk
    ask = partial(invite, account_id=admin.pk, conversation_id=group, target_username=one.username)
    assert sorted(race(ask, ask, ask, ask)) == ["AlreadyAsked"] * 3 + ["done"]
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
        blocked, came = race(
            partial(block, admin, one),
            partial(answer_invite, account_id=one.pk, invite_id=asked.pk, accept=True),
        )
        assert blocked == "done"
        asked.refresh_from_db()
        assert (came, asked.status, one.pk in members(group)) in [
            ("done", Invite.ACCEPTED, True),
            ("AlreadyAnswered", Invite.WITHDRAWN, False),
        ]


def test_nobody_is_invited_past_a_block() -> None:
    admin, bo, *others = pupils(6)
    group = group_of_accounts([admin, bo]).pk
    for one in others:
        blocked, asked = race(
            partial(block, one, admin),
            partial(
                invite, account_id=admin.pk, conversation_id=group, target_username=one.username
            ),
        )
        assert (blocked, asked) in [("done", "done"), ("done", "NotFound")]
        assert not Invite.objects.filter(invited=one, status=Invite.PENDING).exists()


def test_two_who_leave_at_once_close_it() -> None:
    admin, bo, one = pupils(3)
    group = group_of_accounts([admin, bo]).pk
    asked = invite_of(group, admin, one)
    leaving = [partial(leave, account_id=each.pk, conversation_id=group) for each in (admin, bo)]
    accepting = partial(answer_invite, account_id=one.pk, invite_id=asked.pk, accept=True)
    *left, came = race(*leaving, accepting)
    assert left == ["done", "done"]
    asked.refresh_from_db()
    if came == "done":
        assert (members(group), admin_of(group)) == ({one.pk}, one.pk)
    else:
        assert asked.status == Invite.WITHDRAWN
        assert Conversation.objects.get(pk=group).closed_at is not None
        assert admin_of(group) is None


def test_everybody_leaves_at_once() -> None:
    people = pupils(6)
    group = group_of_accounts(people).pk
    leaving = [partial(leave, account_id=each.pk, conversation_id=group) for each in people]
    assert race(*leaving) == ["done"] * 6
    row = Conversation.objects.get(pk=group)
    assert (members(group), row.admin_id, row.closed_at is None) == (set(), None, False)
    assert row.info_revision == row.revision == 6


def test_the_admin_leaves_while_transferring_the_role() -> None:
    admin, bo, alva = pupils(3)
    group = group_of_accounts([admin, bo, alva]).pk
    name = alva.username
    hand_over = partial(
        transfer_admin, account_id=admin.pk, conversation_id=group, target_username=name
    )
    left, handed = race(partial(leave, account_id=admin.pk, conversation_id=group), hand_over)
    assert left == "done"
    assert (handed, admin_of(group)) in [("done", alva.pk), ("NotFound", bo.pk)]


def test_the_new_admin_leaves_during_the_transfer() -> None:
    admin, bo, alva = pupils(3)
    group = group_of_accounts([admin, bo, alva]).pk
    name = alva.username
    hand_over = partial(
        transfer_admin, account_id=admin.pk, conversation_id=group, target_username=name
    )
    handed, left = race(hand_over, partial(leave, account_id=alva.pk, conversation_id=group))
    assert left == "done"
    assert handed in ("done", "NotFound")
    assert admin_of(group) == admin.pk  # the longest-standing member, when Alva was admin and left


def test_removing_somebody_while_handing_over_to_them() -> None:
    admin, bo, alva = pupils(3)
    group = group_of_accounts([admin, bo, alva]).pk
    out = partial(
        remove_member, account_id=admin.pk, conversation_id=group, target_username=bo.username
    )
    hand_over = partial(
        transfer_admin, account_id=admin.pk, conversation_id=group, target_username=bo.username
    )
    removed, handed = race(out, hand_over)
    assert (removed, handed, admin_of(group)) in [
        ("done", "NotFound", admin.pk),
        ("NotAllowed", "done", bo.pk),
    ]


def test_concurrent_groups_of_the_same_people_do_not_deadlock() -> None:
    people = pupils(6)
    befriend_accounts(people[0].pk, *(each.pk for each in people[1:]))

    def make(creator: Account) -> Any:
        names = [each.username for each in people if each != creator]
        return create_group(account_id=creator.pk, name="Ugglorna", description="", usernames=names)

    assert race(*(partial(make, each) for each in people)) == ["done"] * 6
    assert Conversation.objects.count() == 6
