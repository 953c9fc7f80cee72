"""Whoever declined an invite is left alone for a while."""

from datetime import timedelta
from typing import Any

from django.db.models import F

from social.models import Conversation, Refusal
from tests.social.cast import Cast, befriend, part

DECLINED = (409, "declined_recently")


def named_in(answer: Any, field: str) -> Any:
    body = answer.json()
    assert (answer.status_code, body["code"]) == DECLINED, body
    assert list(body["fields"]) == [field]
    return body["fields"][field]


def declined_group(cast: Cast) -> Any:
    """A group of Elsa with Bo, whose invite Alva has declined."""
    befriend(cast.elsa, cast.bo)
    group = cast.elsa.group(cast.bo)
    invite = cast.elsa.invite(group, cast.alva).json()["invite"]
    assert cast.alva.answer(invite, accept=False).status_code == 200
    return group


def let_pass(**time: int) -> None:
    """Move every refusal this far into the past."""
    Refusal.objects.update(until=F("until") - timedelta(**time))


def test_an_invite_is_not_sent_again(cast: Cast) -> None:
    group = declined_group(cast)
    assert named_in(cast.elsa.invite(group, cast.alva), "targetUsername") == ["alva.lind"]
    added = cast.elsa.do(group, "add_member", targetUsername="alva.lind")
    assert named_in(added, "targetUsername") == ["alva.lind"]
    assert cast.alva.invites() == []


def test_a_friend_who_declined_is_not_added(cast: Cast) -> None:
    group = declined_group(cast)
    befriend(cast.elsa, cast.alva)
    added = cast.elsa.do(group, "add_member", targetUsername="alva.lind")
    assert named_in(added, "targetUsername") == ["alva.lind"]
    assert named_in(cast.elsa.new_group(cast.bo, cast.alva), "members") == ["alva.lind"]
    assert Conversation.objects.count() == 1


def test_the_sender_does_not_invite_them_into_another_group_for_a_day(cast: Cast) -> None:
    declined_group(cast)
    other = cast.elsa.group(cast.bo)
    assert named_in(cast.elsa.invite(other, cast.alva), "targetUsername") == ["alva.lind"]
    answer = cast.elsa.new_group(cast.omer, cast.alva)
    assert named_in(answer, "members") == ["alva.lind"]
    assert cast.omer.invites() == []
    assert Conversation.objects.count() == 2
    let_pass(hours=24, seconds=1)
    assert cast.elsa.invite(other, cast.alva).status_code == 201
    assert cast.elsa.new_group(cast.omer, cast.alva).status_code == 201


def test_nobody_invites_them_into_that_group_for_a_month(cast: Cast) -> None:
    group = declined_group(cast)
    cast.elsa.do(group, "transfer_admin", targetUsername="bo.ek")
    assert named_in(cast.bo.invite(group, cast.alva), "targetUsername") == ["alva.lind"]
    let_pass(days=29, hours=23)
    assert named_in(cast.bo.invite(group, cast.alva), "targetUsername") == ["alva.lind"]
    let_pass(hours=1, seconds=1)
    assert cast.bo.invite(group, cast.alva).status_code == 201


def test_somebody_else_may_invite_them_into_another_group(cast: Cast) -> None:
    declined_group(cast)
    assert cast.bo.new_group(cast.alva).status_code == 201


def test_a_withdrawn_invite_may_be_sent_again(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo)
    group = cast.elsa.group(cast.bo)
    invite = cast.elsa.invite(group, cast.alva).json()["invite"]
    cast.elsa.delete(f"/api/group-invites?inviteId={invite['id']}")
    part(cast.elsa, cast.bo)
    assert cast.elsa.invite(group, cast.alva).status_code == 201
