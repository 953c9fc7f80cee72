"""Who becomes a member of a group at once, who is invited, and who may accept an invite.

The accounts are locked.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from social.errors import AdultNotKnown, CannotJoin, DeclinedRecently, DmRefused, MembersChanged
from social.models import Conversation, Invite, Membership
from social.services.contact import Contacts, contacts_among
from social.services.refusals import refusing_invites


def first_members(creator_id: int, others: Sequence[int], contacts: Contacts) -> list[int]:
    """Those of `others` who are members of a new group from the start; the rest are invited.

    They are friends of its creator who accept messages, without a block between any two of them.
    Adults join before pupils, so a pupil who does not know all of the adults is invited.
    """
    willing = [other for other in others if _accepts_messages_of(creator_id, other, contacts)]
    candidates = [
        account_id
        for account_id in willing
        if not any(contacts.blocked_between(account_id, other) for other in willing)
    ]
    adults = {creator_id, *(pk for pk in candidates if contacts.people[pk].is_adult)}
    return [
        account_id
        for account_id in candidates
        if not any(contacts.is_unknown_adult(adult, to=account_id) for adult in adults)
    ]


def joins_without_invite(
    admin_id: int, newcomer_id: int, *, members: Iterable[int], contacts: Contacts
) -> bool:
    """Whether somebody whom the admin adds to a group becomes a member without an invite.

    A friend of the admin does, unless they accept no messages, have a block with a member, or are
    a pupil who does not know all of the adults there.
    """
    return _accepts_messages_of(admin_id, newcomer_id, contacts) and not any(
        contacts.blocked_between(member, newcomer_id)
        or contacts.is_unknown_adult(member, to=newcomer_id)
        for member in members
    )


def _accepts_messages_of(friend_id: int, account_id: int, contacts: Contacts) -> bool:
    """Whether the two are friends, and the account lets the friend write to it."""
    return contacts.are_friends(friend_id, account_id) and contacts.may_write(friend_id, account_id)


def require_may_invite(
    account_id: int, others: Sequence[int], contacts: Contacts, *, field: str
) -> None:
    """Check that the account may invite all of the others.

    Raises: DmRefused, which names in `field` those whom it may not invite.
    """
    refused = {other for other in others if not contacts.may_invite(account_id, other)}
    if refused:
        raise DmRefused({field: _names(others, refused, contacts)})


def may_invite_now(account_id: int, other_id: int) -> bool:
    """Whether the account may invite the other into a new group."""
    contacts = contacts_among([account_id, other_id])
    try:
        require_may_invite(account_id, [other_id], contacts, field="members")
        require_not_declined(account_id, [other_id], contacts, field="members")
    except (DmRefused, DeclinedRecently):
        return False
    return True


def require_known_adult(newcomer_id: int, members: Iterable[int], contacts: Contacts) -> None:
    """Check that all pupils in a group know a newcomer who is an adult. Raises: AdultNotKnown."""
    if any(contacts.is_unknown_adult(newcomer_id, to=member) for member in members):
        raise AdultNotKnown


def require_not_declined(
    account_id: int,
    others: Sequence[int],
    contacts: Contacts,
    *,
    field: str,
    group: Conversation | None = None,
) -> None:
    """Check that none of the others has lately declined an invite into the group, or an invite of
    the account.

    Raises: DeclinedRecently, which names in `field` those who have.
    """
    people = contacts.people
    hashes_of_refusing = refusing_invites(
        {people[other].person_hash for other in others if other in people},
        asked_by=people[account_id].person_hash,
        conversation_id=group.pk if group else None,
    )
    declined = {
        other
        for other in others
        if other in people and people[other].person_hash in hashes_of_refusing
    }
    if declined:
        raise DeclinedRecently({field: _names(others, declined, contacts)})


def require_may_accept(invite: Invite) -> set[int]:
    """Check that the invited person may join the locked group as its members are now.

    Returns the adults whom an invited pupil accepts by this: those who were members when the pupil
    last read the invite. Raises:

    - CannotJoin: its sender is an adult whom the pupil does not know any more.
    - AdultNotKnown: the person is an adult whom a pupil in the group does not know, or a pupil who
      may not be in a group with an adult there.
    - MembersChanged: since the person last read the invite, somebody has joined with whom they may
      not be in a group, or with whom there is a block.
    """
    memberships = Membership.objects.filter(conversation=invite.conversation_id)
    members = dict(memberships.values_list("account_id", "pk"))
    invited = invite.invited_id
    contacts = contacts_among([*members, invited])
    if contacts.is_unknown_adult(invite.invited_by_id, to=invited):
        raise CannotJoin
    require_known_adult(invited, members, contacts)
    newcomers = {member for member, pk in members.items() if pk > invite.members_seen}
    adults = {member for member in members if contacts.is_adult_to_pupil(member, invited)}
    accepted = adults - newcomers
    once_accepted = replace(contacts, accepted={(invited, adult) for adult in accepted})
    if any(
        contacts.blocked_between(member, invited)
        or not once_accepted.may_share_group(member, invited)
        for member in newcomers
    ):
        raise MembersChanged
    if not all(once_accepted.may_share_group(adult, invited) for adult in adults):
        raise AdultNotKnown
    return accepted


def _names(order: Sequence[int], chosen: set[int], contacts: Contacts) -> list[str]:
    """The usernames of the chosen accounts, in this order."""
    people = contacts.people
    return [people[pk].username for pk in order if pk in chosen and pk in people]
