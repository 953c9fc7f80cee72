"""Invites as JSON, as their reader sees them.

An open invite lists who is in the group, so that the invited person knows whom they would meet. A
reader does not see members with whom they have a block, and an adult no pupils but friends, only
how many these are. Everybody is shown by their name at school: a display name would be a way to
write to somebody who has not agreed to any contact.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from accounts.services.people import NOBODY, Person, people_of
from accounts.timestamps import milliseconds
from social.models import Invite, Membership
from social.services.contact import Contacts, contacts_around

Json = dict[str, Any]


# The members of groups, the longest-standing first.
MembersByGroup = Mapping[UUID, list[Membership]]


def members_of_open_invites(invites: Iterable[Invite]) -> MembersByGroup:
    """Who is in the groups of those invites that are open, in one query."""
    members: dict[UUID, list[Membership]] = {
        invite.conversation_id: [] for invite in invites if invite.status == Invite.PENDING
    }
    rows = Membership.objects.filter(conversation__in=members).order_by("joined_at", "pk")
    for member in rows:
        members[member.conversation_id].append(member)
    return members


def newest_membership(members: Iterable[Membership]) -> int:
    """The id of the newest membership; 0 when there are none.

    Memberships are inserted while their conversation is locked, so a newer one has a higher id.
    """
    return max((member.pk for member in members), default=0)


def render_invites(
    invites: Sequence[tuple[Invite, int]], members: MembersByGroup | None = None
) -> list[Json]:
    """The JSON of each invite, as the account beside it sees it.

    `members`: from `members_of_open_invites`; not needed where no invite is open. Three queries,
    however many invites there are.
    """
    members = members or {}
    wanted = {member.account_id for group in members.values() for member in group}
    for invite, _ in invites:
        wanted |= {invite.invited_id, invite.invited_by_id}
    people = people_of(wanted)
    shown = {account_id: _member(person) for account_id, person in people.items()}
    readers = {reader for _, reader in invites}
    contacts = contacts_around(readers, people) if members else None
    return [
        _render(invite, people) | _visible_members(invite, reader, members, shown, contacts)
        for invite, reader in invites
    ]


def members_shown(invite: Invite, reader: int) -> set[int]:
    """The accounts of those members whom an open invite shows to this reader."""
    group = members_of_open_invites([invite]).get(invite.conversation_id, [])
    members = {member.account_id for member in group}
    contacts = contacts_around([reader], people_of(members | {reader}))
    return {member for member in members if not _is_hidden(invite, reader, member, contacts)}


def _render(invite: Invite, people: Mapping[int, Person]) -> Json:
    sender = people.get(invite.invited_by_id, NOBODY)
    return {
        "id": invite.pk.hex,
        "conversationId": invite.conversation_id.hex,
        "groupName": invite.group_name,
        "invitedUsername": people.get(invite.invited_id, NOBODY).username,
        "invitedBy": sender.username,
        "invitedByDisplayName": sender.name_at_school,
        "invitedByUserType": sender.user_type if sender.account_id else None,
        "status": invite.status,
        "invitedAt": milliseconds(invite.invited_at),
        "updatedAt": milliseconds(invite.updated_at),
    }


def _member(person: Person) -> Json:
    return {
        "username": person.username,
        "displayName": person.name_at_school,
        "userType": person.user_type,
    }


def _visible_members(
    invite: Invite,
    reader: int,
    members: MembersByGroup,
    shown: Mapping[int, Json],
    contacts: Contacts | None,
) -> Json:
    if invite.status != Invite.PENDING or contacts is None:
        return {"members": [], "hiddenMembers": 0}
    group = members[invite.conversation_id]
    present = [member.account_id for member in group if member.account_id in shown]
    visible = [shown[pk] for pk in present if not _is_hidden(invite, reader, pk, contacts)]
    return {"members": visible, "hiddenMembers": len(present) - len(visible)}


def _is_hidden(invite: Invite, reader: int, member: int, contacts: Contacts) -> bool:
    """Whether a reader does not see a member: across a block, and pupils who are no friends of an
    adult who is invited."""
    is_invited = reader == invite.invited_id
    return contacts.blocked_between(reader, member) or (
        is_invited and contacts.is_unknown_adult(reader, to=member)
    )
