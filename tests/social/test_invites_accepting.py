"""Accepting an invite whose group has changed since the invited person read it."""

from tests.social.cast import Cast, add, befriend, block, invited, names
from tests.social.friend_requests import code_of

MEMBERS_CHANGED = (409, "members_changed")


def test_an_adult_who_joined_since_the_last_reading_is_shown_first(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo, cast.teacher)
    befriend(cast.bo, cast.teacher)
    group = cast.elsa.group(cast.bo)
    invite = invited(cast, group, cast.alva)
    add(cast, group, cast.teacher)
    assert code_of(cast.alva.answer(invite)) == MEMBERS_CHANGED
    assert code_of(cast.alva.answer(invite)) == MEMBERS_CHANGED
    assert cast.alva.read(group).status_code == 404
    assert "torbjörn.ekvik" in names(cast.alva.invites()[0])
    assert cast.alva.answer(invite).json()["joined"] is True


def test_declining_needs_no_other_look(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo, cast.teacher)
    befriend(cast.bo, cast.teacher)
    group = cast.elsa.group(cast.bo)
    invite = invited(cast, group, cast.alva)
    add(cast, group, cast.teacher)
    assert cast.alva.answer(invite, accept=False).status_code == 200


def test_an_adult_who_was_there_before_the_invite_does_not_delay_it(cast: Cast) -> None:
    befriend(cast.elsa, cast.teacher)
    group = cast.elsa.group(cast.teacher)
    invite = invited(cast, group, cast.alva)
    befriend(cast.elsa, cast.omer)
    befriend(cast.teacher, cast.omer)
    add(cast, group, cast.omer)
    cast.elsa.do(group, "rename", groupName="Falkarna")
    assert cast.alva.answer(invite).json()["joined"] is True


def test_a_friend_or_a_pupil_who_joined_does_not_delay_it(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo, cast.omer, cast.teacher)
    for person in (cast.bo, cast.omer, cast.alva):
        befriend(cast.teacher, person)
    group = cast.elsa.group(cast.bo)
    invite = invited(cast, group, cast.alva)
    add(cast, group, cast.omer)
    add(cast, group, cast.teacher)
    assert cast.alva.answer(invite).json()["joined"] is True


def test_somebody_with_a_block_who_joined_is_shown_first(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo, cast.omer)
    block(cast.alva, cast.omer)
    group = cast.elsa.group(cast.bo)
    invite = invited(cast, group, cast.alva)
    add(cast, group, cast.omer)
    assert code_of(cast.alva.answer(invite)) == MEMBERS_CHANGED
    assert cast.alva.invites()[0]["hiddenMembers"] == 1
    assert cast.alva.answer(invite).json()["joined"] is True
