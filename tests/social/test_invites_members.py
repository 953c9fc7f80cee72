"""What an invite shows of its group: its name of then, its members of now."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Account
from social.models import Conversation, Invite, Membership
from tests.social.cast import (
    INVITES,
    Cast,
    Person,
    add,
    befriend,
    befriend_accounts,
    block,
    invited,
    names,
    pupils,
)


def test_a_rename_does_not_reach_the_invited(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo)
    group = cast.elsa.group(cast.bo)
    invited(cast, group, cast.alva)
    cast.elsa.do(group, "rename", groupName="Falkarna")
    assert [each["groupName"] for each in cast.alva.invites()] == ["Ugglorna"]
    assert cast.alva.answer(cast.alva.invites()[0]).json()["invite"]["groupName"] == "Ugglorna"
    assert cast.alva.sees(group)["groupName"] == "Falkarna"


def test_the_members_are_those_of_now(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo, cast.omer)
    group = cast.elsa.group(cast.bo)
    invite = invited(cast, group, cast.alva)
    assert names(invite) == ["elsa.nordvall", "bo.ek"]
    cast.bo.do(group, "leave")
    add(cast, group, cast.omer)
    assert [names(each) for each in cast.alva.invites()] == [["elsa.nordvall", "ömer.sjölin"]]
    assert names(cast.elsa.get(INVITES).json()["sent"][0]) == ["elsa.nordvall", "ömer.sjölin"]


@pytest.mark.parametrize("by_the_invited", [True, False])
def test_members_with_a_block_are_only_counted(cast: Cast, by_the_invited: bool) -> None:
    befriend(cast.elsa, cast.bo, cast.omer)
    group = cast.elsa.group(cast.bo, cast.omer)
    pair = (cast.alva, cast.bo) if by_the_invited else (cast.bo, cast.alva)
    block(*pair)
    answered = invited(cast, group, cast.alva)
    (invite,) = cast.alva.invites()
    assert (names(invite), invite["hiddenMembers"]) == (["elsa.nordvall", "ömer.sjölin"], 1)
    # The sender, who has no block with Bo, learns nothing of it.
    assert (len(answered["members"]), answered["hiddenMembers"]) == (3, 0)
    sent = cast.elsa.get(INVITES).json()["sent"][0]
    assert (len(sent["members"]), sent["hiddenMembers"]) == (3, 0)


@pytest.mark.parametrize("accept", [True, False])
def test_an_answered_invite_lists_nobody(cast: Cast, accept: bool) -> None:
    befriend(cast.elsa, cast.bo)
    invite = invited(cast, cast.elsa.group(cast.bo), cast.alva)
    answered = cast.alva.answer(invite, accept).json()["invite"]
    sent = cast.elsa.get(INVITES).json()["sent"][0]
    for each in (answered, sent):
        assert (each["members"], each["hiddenMembers"]) == ([], 0)


def test_the_number_of_queries_does_not_depend_on_the_number_of_invites(cast: Cast) -> None:
    alva, sender = cast.alva, pupils(50)
    befriend_accounts(alva.account_id, sender[0].pk)
    _invite_into_groups(alva, sender, groups=1)
    first = _queries(alva)
    _invite_into_groups(alva, sender, groups=199)
    invites = alva.invites()
    assert (len(invites), {len(each["members"]) for each in invites}) == (200, {50})
    assert _queries(alva) == first


def _queries(person: Person) -> int:
    person.invites()  # records what was seen, and fills the cache of the session
    with CaptureQueriesContext(connection) as captured:
        person.invites()
    return len(captured)


def _invite_into_groups(person: Person, people: list[Account], *, groups: int) -> None:
    now = people[0].created_at
    made = Conversation.objects.bulk_create(
        Conversation(type="group", admin=people[0], last_at=now, created_at=now)
        for _ in range(groups)
    )
    Membership.objects.bulk_create(
        Membership(conversation=group, account=each, joined_at=now)
        for group in made
        for each in people
    )
    Invite.objects.bulk_create(
        Invite(conversation=group, invited_id=person.account_id, invited_by=people[0])
        for group in made
    )
