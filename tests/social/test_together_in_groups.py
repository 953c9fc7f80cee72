"""An adult and a pupil stay in a group only while they may be together there; a group of two is a
direct conversation."""

from typing import Any

import pytest
from django.core.management import call_command
from pytest_django.fixtures import Settings

from social.models import AcceptedAdult, Conversation
from tests.abuse.people import ask, become_friends, block, part, report
from tests.migration_states import migrated_back
from tests.social.aes_group import key_of, seal
from tests.social.cast import Cast, Person
from tests.social.factories import group_of
from tests.social.friend_requests import code_of

REFUSED = (403, "dm_refused")
WORDS = "Kom till bron"


def members(person: Person, group: Any) -> set[str]:
    return set(person.sees(group)["participants"])


def by_accepting(cast: Cast) -> Any:
    """A group of Elsa's with Bo, in which a teacher is a member whom Bo has accepted."""
    become_friends(cast.elsa, cast.teacher)
    become_friends(cast.elsa, cast.bo)
    group = cast.elsa.group(cast.teacher)
    assert cast.elsa.do(group, "add_member", targetUsername=cast.bo.username).status_code == 200
    (invite,) = cast.bo.invites()
    assert cast.bo.answer(invite).status_code == 200
    return group


def test_a_pupil_who_accepted_the_adult_stays_after_a_friendship(cast: Cast) -> None:
    group = by_accepting(cast)
    become_friends(cast.bo, cast.teacher)
    part(cast.bo, cast.teacher)
    assert members(cast.bo, group) >= {cast.bo.username, cast.teacher.username}
    # Elsa is there as a friend of the teacher only.
    part(cast.teacher, cast.elsa)
    assert cast.teacher.read(group).status_code == 404
    assert members(cast.elsa, group) == {cast.elsa.username, cast.bo.username}


@pytest.mark.parametrize("blocker", ["bo", "teacher"])
def test_a_block_ends_what_was_accepted(cast: Cast, blocker: str) -> None:
    group = by_accepting(cast)
    one, other = (cast.bo, cast.teacher) if blocker == "bo" else (cast.teacher, cast.bo)
    block(one, other)
    assert one.read(group).status_code == 404
    assert one.username not in members(other, group)


def test_it_is_not_accepted_for_a_second_time(cast: Cast) -> None:
    """The adult who left comes back as a friend of every pupil only."""
    group = by_accepting(cast)
    assert cast.teacher.do(group, "leave").status_code == 200
    assert not AcceptedAdult.objects.exists()
    added = cast.elsa.do(group, "add_member", targetUsername=cast.teacher.username)
    assert code_of(added) == (403, "adult_not_known")


def test_an_invite_does_not_name_an_adult_across_a_block(cast: Cast) -> None:
    become_friends(cast.elsa, cast.teacher)
    become_friends(cast.elsa, cast.bo)
    group = cast.elsa.group(cast.teacher)
    block(cast.bo, cast.teacher)
    assert cast.elsa.do(group, "add_member", targetUsername=cast.bo.username).status_code == 200
    (invite,) = cast.bo.invites()
    assert invite["hiddenMembers"] == 1
    assert code_of(cast.bo.answer(invite)) == (403, "adult_not_known")


def test_an_adult_who_was_hidden_by_a_block_is_named_before_anybody_accepts(cast: Cast) -> None:
    become_friends(cast.elsa, cast.teacher)
    become_friends(cast.elsa, cast.bo)
    group = cast.elsa.group(cast.teacher)
    block(cast.teacher, cast.bo)
    assert cast.elsa.do(group, "add_member", targetUsername=cast.bo.username).status_code == 200
    (invite,) = cast.bo.invites()
    assert invite["hiddenMembers"] == 1
    cast.teacher.delete("/api/blocks", {"targetUsername": cast.bo.username})
    assert code_of(cast.bo.answer(invite)) == (409, "members_changed")
    assert not AcceptedAdult.objects.exists()
    (invite,) = cast.bo.invites()
    assert cast.teacher.username in [member["username"] for member in invite["members"]]
    assert cast.bo.answer(invite).status_code == 200


@pytest.mark.parametrize("action", ["invite", "add_member"])
@pytest.mark.parametrize("blocker", ["elsa", "bo"])
def test_a_third_person_does_not_open_a_group_of_two_again(
    cast: Cast, action: str, blocker: str
) -> None:
    become_friends(cast.elsa, cast.bo)
    become_friends(cast.bo, cast.omer)
    group = cast.bo.group(cast.elsa)
    block(*((cast.elsa, cast.bo) if blocker == "elsa" else (cast.bo, cast.elsa)))
    if action == "invite":
        answer = cast.bo.invite(group, cast.omer)
    else:
        answer = cast.bo.do(group, "add_member", targetUsername=cast.omer.username)
    assert code_of(answer) == REFUSED
    assert members(cast.elsa, group) == {cast.elsa.username, cast.bo.username}


def test_who_was_invited_before_does_not_open_a_group_of_two_again(cast: Cast) -> None:
    become_friends(cast.elsa, cast.bo)
    group = cast.bo.group(cast.elsa)
    assert cast.bo.invite(group, cast.omer).status_code == 201
    (invite,) = cast.omer.invites()
    block(cast.elsa, cast.bo)
    assert code_of(cast.omer.answer(invite)) == (409, "conflict")
    assert code_of(cast.bo.do(group, "rename", groupName=WORDS)) == REFUSED


@pytest.mark.parametrize("ends", ["end", "block"])
def test_a_teachers_invite_is_withdrawn_with_the_friendship(cast: Cast, ends: str) -> None:
    become_friends(cast.elsa, cast.teacher)
    become_friends(cast.teacher, cast.guardian)
    group = cast.teacher.group(cast.guardian)
    assert cast.teacher.invite(group, cast.elsa).status_code == 201
    (invite,) = cast.elsa.invites()
    (part if ends == "end" else block)(cast.elsa, cast.teacher)
    assert cast.elsa.invites() == []
    assert code_of(cast.elsa.answer(invite)) == (409, "already_answered")
    assert code_of(cast.teacher.invite(group, cast.elsa))[0] in (403, 404)


def test_an_invited_adult_reads_how_many_pupils_there_are_and_not_who(cast: Cast) -> None:
    become_friends(cast.elsa, cast.teacher)
    become_friends(cast.elsa, cast.bo)
    group = cast.elsa.group(cast.bo)
    assert cast.elsa.invite(group, cast.teacher).status_code == 201
    (invite,) = cast.teacher.invites()
    assert [member["username"] for member in invite["members"]] == [cast.elsa.username]
    assert invite["hiddenMembers"] == 1
    assert cast.bo.username not in str(cast.teacher.get("/api/group-invites").json())
    (sent,) = cast.elsa.get("/api/group-invites").json()["sent"]
    assert (len(sent["members"]), sent["hiddenMembers"]) == (2, 0)


def test_an_invited_adult_does_not_learn_by_a_report_which_pupils_are_there(cast: Cast) -> None:
    become_friends(cast.elsa, cast.teacher)
    become_friends(cast.elsa, cast.bo)
    group = cast.elsa.group(cast.bo)
    assert cast.elsa.invite(group, cast.teacher).status_code == 201
    members = [cast.bo, cast.alva, cast.elsa]
    answers = [
        report(cast.teacher, "group", group["id"], username=person.username) for person in members
    ]
    assert [answer.status_code for answer in answers] == [404, 404, 201]
    assert answers[0].content == answers[1].content


def test_an_encrypted_group_of_two_obeys_too(cast: Cast) -> None:
    become_friends(cast.elsa, cast.bo)
    group = cast.elsa.group(cast.bo, encrypted=True)
    path = f"/api/conversations/{group['id']}/messages"
    key = key_of("ugglor", b"salt" * 4)
    assert cast.bo.post(path, {"content": seal(key, "Hej")}).status_code == 201
    block(cast.elsa, cast.bo)
    assert code_of(cast.bo.post(path, {"content": seal(key, "Hej")})) == REFUSED
    assert code_of(cast.bo.post(path, {"content": "Hej"})) == (400, "not_for_encrypted")


def test_names_are_no_way_to_write_before_contact_or_after(cast: Cast) -> None:
    become_friends(cast.elsa, cast.alva)
    group = cast.alva.group(cast.elsa)
    assert ask(cast.bo, cast.elsa).status_code == 201
    assert cast.alva.invite(group, cast.omer).status_code == 201
    block(cast.zoe, cast.karin)
    for person in (cast.bo, cast.alva, cast.karin):
        assert person.put("/api/profile", {"displayName": WORDS}).status_code == 200
    for reader, path, name in (
        (cast.elsa, "/api/friends", "Bo Ek"),
        (cast.omer, "/api/group-invites", "Alva Lind"),
        (cast.zoe, "/api/blocks", "Karin Holm"),
    ):
        shown = str(reader.get(path).json())
        assert name in shown
    assert WORDS not in str(cast.omer.get("/api/group-invites").json())
    assert WORDS not in str(cast.zoe.get("/api/blocks").json())
    asked = cast.elsa.get("/api/friends").json()["profileMap"]
    assert asked[cast.bo.username]["displayName"] == "Bo Ek"
    assert asked[cast.alva.username]["displayName"] == WORDS  # a friend
    told = cast.omer.get("/api/notifications").json()["notifications"]
    assert WORDS not in str(told)


# --- Groups from before


def from_before(cast: Cast) -> Any:
    """A group of a pupil, a teacher and another adult; the two were friends once, or never."""
    group = group_of(cast.elsa.username, cast.teacher.username, cast.guardian.username)
    become_friends(cast.elsa, cast.guardian)
    return {"id": group.pk.hex}


def test_retention_lets_adults_leave_pupils_who_never_agreed(cast: Cast) -> None:
    group = from_before(cast)
    call_command("enforce_retention", "--dry-run")
    assert cast.teacher.read(group).status_code == 200
    call_command("enforce_retention")
    assert cast.teacher.read(group).status_code == 404
    assert members(cast.elsa, group) == {cast.elsa.username, cast.guardian.username}


def test_nobody_leaves_where_the_rule_is_lifted(cast: Cast, settings: Settings) -> None:
    settings.ADULT_DM_PUPIL = True
    group = from_before(cast)
    call_command("enforce_retention")
    assert cast.teacher.read(group).status_code == 200


def test_nobody_leaves_who_was_accepted(cast: Cast) -> None:
    group = by_accepting(cast)
    call_command("enforce_retention")
    assert len(members(cast.bo, group)) == 3


@pytest.mark.django_db(transaction=True)
def test_the_upgrade_remembers_accepted_invites(cast: Cast) -> None:
    group = by_accepting(cast)
    with migrated_back([("social", "0012_past_memberships")]):
        pass
    (kept,) = AcceptedAdult.objects.all()
    assert (kept.membership.account_id, kept.adult_id) == (
        cast.bo.account_id,
        cast.teacher.account_id,
    )
    assert kept.membership.conversation_id == Conversation.objects.get(pk=group["id"]).pk
