"""An invite is contact: who may be invited, who joins at once, and which groups adults join."""

from typing import Any

from django.test import override_settings
from pytest_django.fixtures import Settings

from social.models import Conversation, Invite
from tests.social.cast import CONVERSATIONS, Cast, Person, befriend, block, part, privacy
from tests.social.friend_requests import code_of

ADULT_NOT_KNOWN = (403, "adult_not_known")


def add(person: Person, group: Any, other: Person) -> Any:
    return person.do(group, "add_member", targetUsername=other.username)


def refused(answer: Any, field: str, *people: Person) -> bool:
    body = answer.json()
    names = [person.username for person in people]
    return bool(code_of(answer) == (403, "dm_refused") and body.get("fields") == {field: names})


def cases(cast: Cast) -> list[tuple[Person, Person, bool]]:
    """(who invites, who is invited, whether they may)."""
    privacy(cast.alva, "friends")
    privacy(cast.omer, "nobody")
    return [
        (cast.elsa, cast.bo, True),
        (cast.elsa, cast.alva, False),
        (cast.elsa, cast.omer, False),
        (cast.elsa, cast.zoe, False),
        (cast.elsa, cast.teacher, True),
        (cast.teacher, cast.elsa, False),
        (cast.guardian, cast.elsa, False),
    ]


def test_who_may_not_begin_a_conversation_may_not_invite_either(cast: Cast) -> None:
    for sender, target, allowed in cases(cast):
        friend = cast.teacher if sender is cast.guardian else cast.guardian
        befriend(sender, friend)
        group = sender.group(friend)  # something to invite into
        answers = {
            "members": sender.new_group(target),
            "targetUsername": sender.invite(group, target),
        }
        names = (sender.username, target.username)
        dm = sender.post(CONVERSATIONS, {"targetUsername": target.username})
        assert (dm.status_code == 201) == allowed, names
        for field, answer in answers.items():
            if allowed:
                assert answer.status_code == 201, names
            else:
                assert refused(answer, field, target), names
        part(sender, friend)


def test_adding_a_stranger_who_accepts_no_messages_is_refused(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo)
    group = cast.elsa.group(cast.bo)
    privacy(cast.alva, "nobody")
    assert refused(add(cast.elsa, group, cast.alva), "targetUsername", cast.alva)
    assert not Invite.objects.exists()


def test_a_refused_group_names_everybody_who_refuses_and_makes_nothing(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo)
    privacy(cast.alva, "friends")
    answer = cast.elsa.new_group(cast.zoe, cast.bo, cast.omer, cast.alva)
    assert refused(answer, "members", cast.zoe, cast.alva)
    assert not Conversation.objects.exists()
    assert cast.omer.invites() == []


def test_a_block_answers_404_before_anybody_is_named(cast: Cast) -> None:
    privacy(cast.alva, "nobody")
    block(cast.bo, cast.elsa)
    answer = cast.elsa.new_group(cast.alva, cast.bo)
    assert code_of(answer) == (404, "not_found")
    assert "fields" not in answer.json()


@override_settings(ADULT_DM_PUPIL=True)
def test_an_operator_can_let_adults_invite_pupils(cast: Cast) -> None:
    assert cast.teacher.new_group(cast.elsa).status_code == 201
    assert len(cast.elsa.invites()) == 1


def test_a_friend_who_accepts_no_messages_is_invited(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo, cast.alva)
    privacy(cast.alva, "nobody")
    group = cast.elsa.group(cast.alva, cast.bo)
    assert group["participants"] == ["elsa.nordvall", "bo.ek"]
    (invite,) = cast.alva.invites()
    assert cast.alva.answer(invite).json()["joined"] is True
    privacy(cast.omer, "nobody")
    befriend(cast.elsa, cast.omer)
    assert add(cast.elsa, group, cast.omer).json()["invite"]["status"] == "pending"


def test_a_friend_is_not_added_to_somebody_with_whom_they_have_a_block(cast: Cast) -> None:
    for one, other in ((cast.bo, cast.alva), (cast.omer, cast.bo)):
        block(one, other)
    befriend(cast.elsa, cast.bo, cast.alva, cast.omer)
    group = cast.elsa.group(cast.bo)
    for person in (cast.alva, cast.omer):
        assert add(cast.elsa, group, person).json()["invite"]["status"] == "pending"
    assert cast.elsa.sees(group)["participants"] == ["elsa.nordvall", "bo.ek"]


def test_a_common_friend_does_not_bring_two_people_with_a_block_together(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo, cast.alva, cast.omer)
    block(cast.alva, cast.bo)
    group = cast.elsa.group(cast.bo, cast.omer, cast.alva)
    assert group["participants"] == ["elsa.nordvall", "ömer.sjölin"]
    assert [len(person.invites()) for person in (cast.bo, cast.alva, cast.omer)] == [1, 1, 0]


def test_a_pupil_is_invited_where_they_would_meet_an_adult_they_do_not_know(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo, cast.alva, cast.teacher)
    befriend(cast.teacher, cast.alva)
    group = cast.elsa.group(cast.bo, cast.alva, cast.teacher)
    assert group["participants"] == ["elsa.nordvall", "alva.lind", "torbjörn.ekvik"]
    (invite,) = cast.bo.invites()
    assert {each["username"]: each["userType"] for each in invite["members"]} == {
        "elsa.nordvall": "student",
        "alva.lind": "student",
        "torbjörn.ekvik": "teacher",
    }
    befriend(cast.elsa, cast.omer)
    assert add(cast.elsa, group, cast.omer).json()["invite"]["status"] == "pending"
    assert cast.bo.answer(invite).json()["joined"] is True


def test_an_adult_is_not_added_to_pupils_they_do_not_know(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo, cast.teacher)
    group = cast.elsa.group(cast.bo)
    assert code_of(add(cast.elsa, group, cast.teacher)) == ADULT_NOT_KNOWN
    befriend(cast.bo, cast.teacher)
    assert add(cast.elsa, group, cast.teacher).json()["invite"] is None


def test_an_adult_does_not_accept_into_a_group_of_pupils_they_do_not_know(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo)
    group = cast.elsa.group(cast.bo)
    invite = cast.elsa.invite(group, cast.teacher).json()["invite"]
    befriend(cast.elsa, cast.teacher)
    assert code_of(cast.teacher.answer(invite)) == ADULT_NOT_KNOWN
    assert len(cast.teacher.invites()) == 1  # it stays open
    befriend(cast.bo, cast.teacher)
    assert cast.teacher.answer(invite).json()["joined"] is True


def test_an_adult_who_was_made_admin_cannot_bring_in_pupils(cast: Cast) -> None:
    befriend(cast.bo, cast.guardian)
    group = cast.bo.group(cast.guardian)
    made = cast.bo.do(group, "transfer_admin", targetUsername=cast.guardian.username)
    assert made.status_code == 200, made.content
    for answer in (add(cast.guardian, group, cast.elsa), cast.guardian.invite(group, cast.elsa)):
        assert refused(answer, "targetUsername", cast.elsa)


def test_an_operator_can_let_adults_join_any_group(cast: Cast, settings: Settings) -> None:
    settings.ADULT_DM_PUPIL = True
    befriend(cast.elsa, cast.bo, cast.teacher)
    group = cast.elsa.group(cast.bo)
    assert add(cast.elsa, group, cast.teacher).json()["invite"] is None


def test_an_adult_with_pupils_who_know_them_makes_a_group(cast: Cast) -> None:
    befriend(cast.teacher, cast.elsa, cast.bo)
    group = cast.teacher.group(cast.elsa, cast.bo)
    assert len(group["participants"]) == 3
    assert refused(cast.teacher.new_group(cast.elsa, cast.alva), "members", cast.alva)
