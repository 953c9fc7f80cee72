"""What members and the admin can change in a group, and the answers to everybody else."""

from typing import Any

import pytest
from pytest_django.fixtures import Settings

from accounts.services.suspension import suspend_account
from social.models import Conversation, Invite
from tests.social.cast import Cast, befriend, block
from tests.social.friend_requests import code_of

NOT_THERE = (404, "not_found")
NOT_ALLOWED = (403, "forbidden")


def group_of_three(cast: Cast) -> Any:
    """Elsa's group with Bo and Alva, who joined in this order."""
    befriend(cast.elsa, cast.bo, cast.alva)
    return cast.elsa.group(cast.bo, cast.alva)


CHANGES = [
    {"action": "rename", "groupName": "Falkarna"},
    {"action": "add_member", "targetUsername": "ömer.sjölin"},
    {"action": "remove_member", "targetUsername": "alva.lind"},
    {"action": "transfer_admin", "targetUsername": "alva.lind"},
]


def test_a_member_may_not_do_what_the_admin_may(cast: Cast) -> None:
    group = group_of_three(cast)
    for change in CHANGES:
        assert code_of(cast.bo.do(group, **change)) == NOT_ALLOWED, change
        nowhere = change | {"targetUsername": "nobody.here"}
        assert code_of(cast.bo.do(group, **nowhere)) == NOT_ALLOWED, change
    assert cast.elsa.sees(group) == group


def test_a_stranger_cannot_read_it(cast: Cast) -> None:
    group = group_of_three(cast)
    answers = [cast.zoe.get("/api/nothing")]
    for change in (*CHANGES, {"action": "leave"}, {"action": "mark_read"}):
        answers.append(cast.omer.do(group, **change))
        answers.append(cast.omer.do({"id": "0" * 32}, **change))
        answers.append(cast.zoe.do(group, **change))
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1


def test_the_admin_renames_it(cast: Cast) -> None:
    group = group_of_three(cast)
    answer = cast.elsa.do(group, "rename", groupName=" Falkarna ", groupDescription="Om dagen")
    assert answer.status_code == 200
    renamed = answer.json()["conversation"]
    assert (renamed["groupName"], renamed["groupDescription"]) == ("Falkarna", "Om dagen")
    assert (renamed["revision"], renamed["infoRevision"]) == (2, 2)
    assert renamed["lastAt"] == group["lastAt"]
    assert cast.bo.sees(group) == renamed
    assert cast.elsa.do(group, "rename", groupName="Falkarna").json()["conversation"] == renamed
    # A field that is not given stays.
    for description in ("Om natten", ""):
        answer = cast.elsa.do(group, "rename", groupDescription=description).json()["conversation"]
        assert (answer["groupName"], answer["groupDescription"]) == ("Falkarna", description)


def test_a_friend_of_the_admin_is_added_at_once(cast: Cast) -> None:
    group = group_of_three(cast)
    befriend(cast.elsa, cast.omer)
    answer = cast.elsa.do(group, "add_member", targetUsername="ÖMER.sjölin")
    assert answer.status_code == 200
    assert answer.json()["invite"] is None
    members = ["elsa.nordvall", "bo.ek", "alva.lind", "ömer.sjölin"]
    assert answer.json()["conversation"]["participants"] == members
    assert cast.omer.sees(group)["participants"] == members


def test_anybody_else_is_invited(cast: Cast) -> None:
    group = group_of_three(cast)
    befriend(cast.bo, cast.omer)  # Bo is not the admin
    answer = cast.elsa.do(group, "add_member", targetUsername="ömer.sjölin").json()
    assert answer["conversation"] == group
    assert answer["invite"] == cast.omer.invites()[0]
    again = cast.elsa.do(group, "add_member", targetUsername="ömer.sjölin")
    assert code_of(again) == (409, "already_asked")
    assert cast.omer.read(group).status_code == 404


def test_a_friend_who_was_invited_before_needs_no_answer(cast: Cast) -> None:
    group = group_of_three(cast)
    invite = cast.elsa.do(group, "add_member", targetUsername=cast.omer.username).json()["invite"]
    befriend(cast.elsa, cast.omer)
    assert cast.elsa.do(group, "add_member", targetUsername=cast.omer.username).status_code == 200
    assert cast.omer.invites() == []
    assert code_of(cast.omer.answer(invite)) == (409, "already_answered")


@pytest.mark.parametrize("why", ["unknown", "suspended", "blocked", "blocking"])
def test_unknown_people_cannot_be_added(cast: Cast, why: str) -> None:
    group = group_of_three(cast)
    befriend(cast.elsa, cast.omer)
    if why == "suspended":
        suspend_account(cast.omer.account_id)
    elif why == "blocked":
        block(cast.elsa, cast.omer)
    elif why == "blocking":
        block(cast.omer, cast.elsa)
    name = "nobody.here" if why == "unknown" else cast.omer.username
    assert code_of(cast.elsa.do(group, "add_member", targetUsername=name)) == NOT_THERE
    assert not Invite.objects.exists()


def test_a_member_cannot_be_added_again(cast: Cast) -> None:
    group = group_of_three(cast)
    for name, refusal in (
        ("bo.ek", (409, "already_member")),
        ("elsa.nordvall", (400, "invalid_input")),
    ):
        assert code_of(cast.elsa.do(group, "add_member", targetUsername=name)) == refusal


def test_invites_by_adding_count_against_the_limit(cast: Cast, settings: Settings) -> None:
    group = group_of_three(cast)
    settings.LIMITS = {"invites": "1/86400"}
    befriend(cast.elsa, cast.omer)
    names = [person.username for person in (cast.omer, cast.guardian, cast.teacher)]
    answers = [cast.elsa.do(group, "add_member", targetUsername=name) for name in names]
    assert [answer.status_code for answer in answers] == [200, 200, 429]


def test_the_admin_removes_a_member(cast: Cast) -> None:
    group = group_of_three(cast)
    answer = cast.elsa.do(group, "remove_member", targetUsername="bo.ek")
    assert answer.status_code == 200
    assert answer.json()["conversation"]["participants"] == ["elsa.nordvall", "alva.lind"]
    assert cast.bo.read(group).status_code == 404
    assert cast.bo.list() == []
    for action in ("remove_member", "transfer_admin"):
        for name in ("bo.ek", cast.omer.username, "nobody.here"):
            assert code_of(cast.elsa.do(group, action, targetUsername=name)) == NOT_THERE


@pytest.mark.parametrize(
    "change", [{"action": "leave"}, {"action": "remove_member", "targetUsername": "bo.ek"}]
)
def test_a_member_leaves(cast: Cast, change: dict[str, str]) -> None:
    group = group_of_three(cast)
    answer = cast.bo.do(group, **change)
    assert (answer.status_code, answer.json()) == (200, {"success": True, "conversation": None})
    left = cast.elsa.sees(group)
    assert left["participants"] == ["elsa.nordvall", "alva.lind"]
    assert (left["adminUsername"], left["infoRevision"]) == ("elsa.nordvall", 2)
    assert code_of(cast.bo.do(group, **change)) == NOT_THERE


def test_when_the_admin_leaves_the_longest_standing_member_becomes_admin(cast: Cast) -> None:
    group = group_of_three(cast)
    for person, successor in ((cast.elsa, "bo.ek"), (cast.bo, "alva.lind")):
        assert person.do(group, "leave").status_code == 200
        assert cast.alva.sees(group)["adminUsername"] == successor


def test_a_returning_member_is_not_the_longest_standing(cast: Cast) -> None:
    group = group_of_three(cast)
    cast.bo.do(group, "leave")
    cast.elsa.do(group, "add_member", targetUsername="bo.ek")
    cast.elsa.do(group, "leave")
    assert cast.bo.sees(group)["adminUsername"] == "alva.lind"


def test_the_last_member_to_leave_closes_the_group(cast: Cast) -> None:
    group = group_of_three(cast)
    invite = cast.elsa.do(group, "add_member", targetUsername=cast.omer.username).json()["invite"]
    cast.bo.do(group, "leave")
    cast.alva.do(group, "leave")
    assert cast.elsa.do(group, "leave").status_code == 200
    assert cast.elsa.read(group).status_code == 404
    assert cast.omer.invites() == []
    assert code_of(cast.omer.answer(invite)) == (409, "already_answered")
    row = Conversation.objects.get()
    assert row.closed_at is not None
    assert row.admin_id is None


def test_the_admin_transfers_the_role_and_the_own_invites_are_withdrawn(cast: Cast) -> None:
    group = group_of_three(cast)
    old = cast.elsa.invite(group, cast.omer).json()["invite"]
    answer = cast.elsa.do(group, "transfer_admin", targetUsername="alva.lind")
    assert answer.status_code == 200
    assert answer.json()["conversation"]["adminUsername"] == "alva.lind"
    assert code_of(cast.elsa.do(group, "rename", groupName="Falkarna")) == NOT_ALLOWED
    assert cast.alva.do(group, "rename", groupName="Falkarna").status_code == 200
    assert code_of(cast.omer.answer(old)) == (409, "already_answered")
    new = cast.alva.invite(group, cast.omer)
    assert new.status_code == 201
    assert cast.omer.answer(new.json()["invite"]).json()["joined"] is True


WRONG: list[dict[str, Any]] = [
    {},
    *({"action": action} for action in (None, "explode", ["leave"], "rename", "add_member")),
    *(
        {"action": "rename", "groupName": name}
        for name in ("", "x" * 81, 3, "\u2800", "Falkar\u200bna")
    ),
    {"action": "rename", "groupDescription": "\u202eneggad mO"},
    {"action": "rename", "groupName": "x", "groupDescription": "x" * 201},
    {"action": "add_member", "targetUsername": 3},
    {"action": "remove_member", "targetUsername": ""},
    {"action": "transfer_admin", "targetUsername": None},
    *({"action": "mark_read", "seq": seq} for seq in ("1", -1, 1.5, True, None)),
]


def test_an_invalid_body_changes_nothing(cast: Cast) -> None:
    group = group_of_three(cast)
    for body in WRONG:
        answer = cast.elsa.patch(f"/api/conversations/{group['id']}", body)
        assert code_of(answer) == (400, "invalid_input"), body
    assert cast.elsa.sees(group) == group
