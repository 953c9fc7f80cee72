"""Answers and additions at the same moment: no adult meets pupils who do not know them."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

import pytest

from accounts.models import Account, Profile
from social.models import Block
from social.services.conversations.groups import create_group
from social.services.invites.actions import list_invites
from tests.concurrency import at_once
from tests.social.cast import befriend_accounts, pupils
from tests.social.group_races import adding, answering, inviting, members, outcome, race

pytestmark = pytest.mark.django_db(transaction=True)


def people_with_an_adult() -> tuple[Account, Account, Account, Account]:
    """Two friends, another pupil, and an adult whom only the first two know."""
    one, friend, stranger, adult = pupils(4)
    Profile.objects.filter(account=adult).update(user_type="teacher")
    befriend_accounts(one.pk, friend.pk, adult.pk)
    befriend_accounts(adult.pk, friend.pk)
    return one, friend, stranger, adult


def new_group(admin: Account, *others: Account) -> UUID:
    names = [other.username for other in others]
    made = create_group(account_id=admin.pk, name="Ugglorna", description="", usernames=names)
    return UUID(made["id"])


def invite_into(group: UUID, admin: Account, target: Account) -> UUID:
    return UUID(inviting(group, admin, target)()["id"])


@pytest.mark.parametrize("attempt", range(2))
def test_an_adult_and_a_pupil_who_accept_at_once_do_not_both_join(attempt: int) -> None:
    one, friend, stranger, adult = people_with_an_adult()
    group = new_group(one, friend)
    asked = [(person, invite_into(group, one, person)) for person in (adult, stranger)]
    outcomes = race(*(answering(*each) for each in (asked if attempt else asked[::-1])))
    assert sorted(outcomes) in (["AdultNotKnown", "done"], ["MembersChanged", "done"])
    assert len(members(group)) == 3


@pytest.mark.parametrize("attempt", range(2))
def test_a_pupil_does_not_accept_unseen_an_adult_who_is_added(attempt: int) -> None:
    one, friend, stranger, adult = people_with_an_adult()
    group = new_group(one, friend)
    calls = [answering(stranger, invite_into(group, one, stranger)), adding(group, one, adult)]
    outcomes = race(*(calls if attempt else calls[::-1]))
    assert sorted(outcomes) in (["AdultNotKnown", "done"], ["MembersChanged", "done"])
    assert len(members(group)) == 3


def test_two_people_with_a_block_who_accept_at_once_do_not_both_join() -> None:
    one, friend, alva, bo = pupils(4)
    befriend_accounts(one.pk, friend.pk)
    group = new_group(one, friend)
    asked = [(person, invite_into(group, one, person)) for person in (alva, bo)]
    Block.objects.create(blocker=alva, blocked=bo)
    assert sorted(race(*(answering(*each) for each in asked))) == ["MembersChanged", "done"]


def test_reading_the_invites_while_an_adult_joins_does_not_hide_the_adult() -> None:
    one, friend, stranger, adult = people_with_an_adult()
    group = new_group(one, friend)
    asked = invite_into(group, one, stranger)
    calls: list[Callable[[], Any]] = [partial(list_invites, stranger.pk), adding(group, one, adult)]
    ((shown,), _), _ = at_once(calls)
    seen = any(member["userType"] == "teacher" for member in shown["members"])
    assert outcome(answering(stranger, asked)) == ("done" if seen else "MembersChanged")


def test_groups_that_are_made_at_once_bring_no_pair_with_a_block_together() -> None:
    one, other, alva, bo = pupils(4)
    for creator in (one, other):
        befriend_accounts(creator.pk, alva.pk, bo.pk)
    Block.objects.create(blocker=alva, blocked=bo)
    made = at_once([partial(new_group, each, alva, bo) for each in (one, other)])
    assert [members(group) for group in made] == [{one.pk}, {other.pk}]
