"""Invites as JSON, as their reader sees them.

An open invite lists who is in the group, so that the invited person knows whom they would meet. A
reader does not see members with whom they have a block, only how many these are.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q

from accounts.services.people import NOBODY, Person, people_of
from accounts.timestamps import milliseconds
from social.models import Block, Invite, Membership

Json = dict[str, Any]


class Member(NamedTuple):
    """What is needed of a membership: making whole ones takes three times as long."""

    pk: int
    account_id: int


# The members of groups, the longest-standing first.
MembersByGroup = Mapping[UUID, list[Member]]


def members_of_open_invites(invites: Iterable[Invite]) -> MembersByGroup:
    """Who is in the groups of those invites that are open, in one query."""
    members: dict[UUID, list[Member]] = {
        invite.conversation_id: [] for invite in invites if invite.status == Invite.PENDING
    }
    rows = Membership.objects.filter(conversation__in=members).order_by("joined_at", "pk")
    for conversation_id, pk, account_id in rows.values_list("conversation_id", "pk", "account_id"):
        members[conversation_id].append(Member(pk, account_id))
    return members


def newest_membership(members: Iterable[Member]) -> int:
    """The id of the newest membership; 0 when there are none.

    Memberships are inserted while their conversation is locked, so a newer one has a higher id.
    """
    return max((each.pk for each in members), default=0)


def render_invites(
    invites: Sequence[tuple[Invite, int]], members: MembersByGroup | None = None
) -> list[Json]:
    """The JSON of each invite, as the account beside it sees it.

    `members`: from `members_of_open_invites`; not needed where no invite is open. Two queries,
    however many invites there are.
    """
    members = members or {}
    wanted = {member.account_id for group in members.values() for member in group}
    for invite, _ in invites:
        wanted |= {invite.invited_id, invite.invited_by_id}
    people = people_of(wanted)
    shown = {account_id: _member(person) for account_id, person in people.items()}
    hidden = _blocked_members({reader for _, reader in invites}, members)
    return [
        _render(invite, people) | _visible_members(invite, members, shown, hidden[reader])
        for invite, reader in invites
    ]


def _render(invite: Invite, people: Mapping[int, Person]) -> Json:
    sender = people.get(invite.invited_by_id, NOBODY)
    return {
        "id": invite.pk.hex,
        "conversationId": invite.conversation_id.hex,
        "groupName": invite.group_name,
        "invitedUsername": people.get(invite.invited_id, NOBODY).username,
        "invitedBy": sender.username,
        "invitedByDisplayName": sender.display_name,
        "status": invite.status,
        "invitedAt": milliseconds(invite.invited_at),
        "updatedAt": milliseconds(invite.updated_at),
    }


def _member(person: Person) -> Json:
    return {
        "username": person.username,
        "displayName": person.display_name,
        "userType": person.user_type,
    }


def _visible_members(
    invite: Invite, members: MembersByGroup, shown: Mapping[int, Json], hidden: set[int]
) -> Json:
    if invite.status != Invite.PENDING:
        return {"members": [], "hiddenMembers": 0}
    group = members[invite.conversation_id]
    present = [each.account_id for each in group if each.account_id in shown]
    visible = [shown[each] for each in present if each not in hidden]
    return {"members": visible, "hiddenMembers": len(present) - len(visible)}


def _blocked_members(readers: set[int], members: MembersByGroup) -> defaultdict[int, set[int]]:
    """For each reader, the members with whom they have a block, whoever blocked whom."""
    hidden: defaultdict[int, set[int]] = defaultdict(set)
    if not members:
        return hidden
    inside = Membership.objects.filter(conversation__in=members).values("account")
    pairs = Block.objects.filter(
        Q(blocker__in=readers, blocked__in=inside) | Q(blocked__in=readers, blocker__in=inside)
    )
    for blocker, blocked in pairs.values_list("blocker_id", "blocked_id"):
        hidden[blocker].add(blocked)
        hidden[blocked].add(blocker)
    return hidden
