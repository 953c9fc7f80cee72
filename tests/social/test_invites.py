"""Invites into groups: sent, answered once, withdrawn."""

from typing import Any

import pytest
from pytest_django.fixtures import Settings

from accounts.services.suspension import suspend_account
from social.models import Invite, Membership
from tests.social.cast import CONVERSATIONS, INVITES, Cast, Person, befriend, block, invited, pupils
from tests.social.friend_requests import code_of

ANSWERED = (409, "already_answered")
NOT_THERE = (404, "not_found")


def group_with_bo(cast: Cast) -> Any:
    befriend(cast.elsa, cast.bo)
    return cast.elsa.group(cast.bo)


def sent(person: Person) -> list[tuple[str, str]]:
    """(username, status) of the sent invites in the list."""
    rows = person.get(INVITES).json()["sent"]
    return [(row["invitedUsername"], row["status"]) for row in rows]


def test_both_people_see_the_invite(cast: Cast) -> None:
    group = group_with_bo(cast)
    invite = invited(cast, group, cast.alva)
    assert cast.alva.get(INVITES).json() == {"success": True, "invites": [invite], "sent": []}
    assert cast.elsa.get(INVITES).json() == {"success": True, "invites": [], "sent": [invite]}
    assert cast.bo.get(INVITES).json() == {"success": True, "invites": [], "sent": []}
    assert invite == {
        "id": invite["id"],
        "conversationId": group["id"],
        "groupName": "Ugglorna",
        "members": [
            {"username": "elsa.nordvall", "displayName": "Elsa Nordvall", "userType": "student"},
            {"username": "bo.ek", "displayName": "Bo Ek", "userType": "student"},
        ],
        "hiddenMembers": 0,
        "invitedUsername": "alva.lind",
        "invitedBy": "elsa.nordvall",
        "invitedByDisplayName": "Elsa Nordvall",
        "invitedByUserType": "student",
        "status": "pending",
        "invitedAt": invite["invitedAt"],
        "updatedAt": invite["updatedAt"],
    }
    assert isinstance(invite["invitedAt"], int)


@pytest.mark.parametrize("reply", [{"accept": True}, {"action": "accept"}])
def test_accepting_makes_a_member_who_reads_from_then_on(cast: Cast, reply: dict[str, Any]) -> None:
    group = group_with_bo(cast)
    cast.bo.send(group, "Bara för oss två")
    invite = invited(cast, group, cast.alva)
    answer = cast.alva.patch(INVITES, {"inviteId": invite["id"]} | reply)
    assert answer.status_code == 200
    assert answer.json()["joined"] is True
    assert answer.json()["invite"]["status"] == "accepted"
    seen = cast.alva.read(group).json()
    assert seen["messages"] == []
    shown = seen["conversation"]
    assert shown["participants"] == ["elsa.nordvall", "bo.ek", "alva.lind"]
    assert (shown["lastMessage"], shown["lastSenderUsername"]) == ("", None)
    assert (shown["joinedSeq"], shown["lastReadSeq"], shown["unreadCount"]) == (1, 1, 0)
    cast.bo.send(group, "Hej Alva")
    assert [each["seq"] for each in cast.alva.read(group).json()["messages"]] == [2]
    assert cast.alva.sees(group)["lastMessage"] == "Hej Alva"


@pytest.mark.parametrize("reply", [{"accept": False}, {"action": "decline"}])
def test_declining_joins_nothing(cast: Cast, reply: dict[str, Any]) -> None:
    group = group_with_bo(cast)
    invite = invited(cast, group, cast.alva)
    answer = cast.alva.patch(INVITES, {"inviteId": invite["id"]} | reply).json()
    assert (answer["joined"], answer["invite"]["status"]) == (False, "declined")
    assert cast.alva.read(group).status_code == 404
    assert cast.alva.invites() == []
    assert sent(cast.elsa) == [("alva.lind", "declined")]


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("second", [True, False])
def test_an_answer_is_final(cast: Cast, first: bool, second: bool) -> None:
    invite = invited(cast, group_with_bo(cast), cast.alva)
    assert cast.alva.answer(invite, first).status_code == 200
    assert code_of(cast.alva.answer(invite, second)) == ANSWERED


def test_only_the_admin_invites(cast: Cast) -> None:
    group = group_with_bo(cast)
    assert code_of(cast.bo.invite(group, cast.alva)) == (403, "forbidden")
    assert code_of(cast.omer.invite(group, cast.alva)) == NOT_THERE
    assert code_of(cast.elsa.invite({"id": "0" * 32}, cast.alva)) == NOT_THERE
    assert code_of(cast.elsa.invite({"id": "x"}, cast.alva)) == NOT_THERE
    assert code_of(cast.elsa.invite(cast.elsa.dm(cast.bo), cast.alva)) == (409, "not_a_group")
    assert not Invite.objects.exists()


@pytest.mark.parametrize("why", ["unknown", "suspended", "blocked", "blocking"])
def test_unknown_people_cannot_be_invited(cast: Cast, why: str) -> None:
    group = group_with_bo(cast)
    name = "nobody.here" if why == "unknown" else cast.alva.username
    if why == "suspended":
        suspend_account(cast.alva.account_id)
    elif why == "blocked":
        block(cast.elsa, cast.alva)
    elif why == "blocking":
        block(cast.alva, cast.elsa)
    body = {"conversationId": group["id"], "targetUsername": name}
    assert code_of(cast.elsa.post(INVITES, body)) == NOT_THERE


def test_a_member_cannot_be_invited(cast: Cast) -> None:
    group = group_with_bo(cast)
    assert code_of(cast.elsa.invite(group, cast.bo)) == (409, "already_member")
    oneself = cast.elsa.invite(group, cast.elsa)
    assert oneself.json()["fields"] == {"targetUsername": ["That is you."]}


def test_only_the_invited_answers(cast: Cast) -> None:
    invite = invited(cast, group_with_bo(cast), cast.alva)
    assert code_of(cast.elsa.answer(invite)) == (403, "forbidden")
    strangers = [cast.bo.answer(invite), cast.omer.answer(invite), cast.zoe.answer({"id": "x"})]
    strangers.append(cast.alva.answer({"id": "0" * 32}))
    assert {code_of(answer) for answer in strangers} == {NOT_THERE}
    assert len({answer.content for answer in strangers}) == 1
    assert Membership.objects.count() == 2


def test_the_sender_withdraws_it_and_nobody_else(cast: Cast) -> None:
    invite = invited(cast, group_with_bo(cast), cast.alva)
    for person in (cast.alva, cast.bo, cast.zoe):
        assert person.delete(f"{INVITES}?inviteId={invite['id']}").status_code == 200
    assert cast.alva.invites() == [invite]
    for _ in range(2):
        answer = cast.elsa.delete(f"{INVITES}?inviteId={invite['id']}")
        assert (answer.status_code, answer.json()) == (200, {"success": True})
    assert cast.alva.invites() == []
    assert code_of(cast.alva.answer(invite)) == ANSWERED
    assert sent(cast.elsa) == [("alva.lind", "withdrawn")]


def test_an_accepted_one_is_not_withdrawn(cast: Cast) -> None:
    group = group_with_bo(cast)
    invite = invited(cast, group, cast.alva)
    cast.alva.answer(invite)
    assert cast.elsa.delete(f"{INVITES}?inviteId={invite['id']}").status_code == 200
    assert sent(cast.elsa) == [("alva.lind", "accepted")]
    assert cast.alva.read(group).status_code == 200


def test_an_invite_into_a_full_group_is_refused_and_stays_open(cast: Cast) -> None:
    group = group_with_bo(cast)
    invite = invited(cast, group, cast.alva)
    now = Membership.objects.first().joined_at  # type: ignore[union-attr]
    Membership.objects.bulk_create(
        Membership(conversation_id=group["id"], account=account, joined_at=now)
        for account in pupils(48)
    )
    assert code_of(cast.alva.answer(invite)) == (409, "group_full")
    assert code_of(cast.elsa.invite(group, cast.omer)) == (409, "group_full")
    assert [each["id"] for each in cast.alva.invites()] == [invite["id"]]
    cast.bo.do(group, "leave")
    assert cast.alva.answer(invite).json()["joined"] is True


def test_the_rights_of_the_sender_are_checked_again(cast: Cast) -> None:
    group = group_with_bo(cast)
    invite = invited(cast, group, cast.alva)
    Invite.objects.update(invited_by=cast.bo.account_id)  # as if Bo had been the admin
    answer = cast.alva.answer(invite)
    assert code_of(answer) == (409, "conflict")
    assert "Reload" not in answer.json()["error"]
    assert len(cast.alva.invites()) == 1


def test_invites_are_limited_per_hour(cast: Cast, settings: Settings) -> None:
    settings.LIMITS = {"invites": "2/86400"}
    group = group_with_bo(cast)
    people = (cast.alva, cast.omer, cast.teacher)
    statuses = [cast.elsa.invite(group, person).status_code for person in people]
    assert statuses == [201, 201, 429]
    assert cast.bo.post(CONVERSATIONS, {"targetUsername": "alva.lind"}).status_code == 201


WRONG: list[dict[str, Any]] = [
    {},
    {"inviteId": "0" * 32},
    {"inviteId": "0" * 32, "accept": "yes"},
    {"inviteId": "0" * 32, "accept": None},
    {"inviteId": "0" * 32, "action": "maybe"},
    {"inviteId": "0" * 32, "accept": True, "action": "decline"},
    {"inviteId": 7, "accept": True},
    {"accept": True},
]


def test_an_answer_of_the_wrong_shape_is_400(cast: Cast) -> None:
    for body in WRONG:
        assert code_of(cast.alva.patch(INVITES, body)) == (400, "invalid_input"), body


def test_withdrawing_needs_an_id(cast: Cast) -> None:
    for query in ("", "?inviteId="):
        assert code_of(cast.elsa.delete(f"{INVITES}{query}")) == (400, "invalid_input")
    for name in ("0" * 32, "x", "å"):  # an unknown one is withdrawn
        assert cast.elsa.delete(f"{INVITES}?inviteId={name}").json() == {"success": True}
