"""Who joins a group at once, who is invited, and who may accept. The accounts are locked."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from social.errors import AdultNotKnown, CannotJoin, DeclinedRecently, DmRefused, MembersChanged
from social.models import Conversation, Invite, Membership
from social.services.contact import Contacts, contacts_among
from social.services.refusals import refusing_invites


def join_at_once(creator_id: int, others: Sequence[int], contacts: Contacts) -> list[int]:
    """Those of `others` who join a new group at once; the rest are invited.

    They are friends of its creator who accept messages, without a block between any two of them.
    Adults join before pupils, so a pupil who does not know one of the adults is invited.
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


def joins_at_once(
    admin_id: int, newcomer_id: int, *, members: Iterable[int], contacts: Contacts
) -> bool:
    """Whether somebody who is added to a group becomes a member without being asked.

    A friend of the admin does, unless they accept no messages, have a block with a member, or are
    a pupil who does not know one of the adults there.
    """
    return _accepts_messages_of(admin_id, newcomer_id, contacts) and not any(
        contacts.blocked_between(member, newcomer_id)
        or contacts.is_unknown_adult(member, to=newcomer_id)
        for member in members
    )


def _accepts_messages_of(friend_id: int, account_id: int, contacts: Contacts) -> bool:
    """Whether the account is a friend of the other, who may write to it."""
    return contacts.are_friends(friend_id, account_id) and contacts.may_write(friend_id, account_id)


def require_may_invite(
    account_id: int, others: Sequence[int], contacts: Contacts, *, field: str
) -> None:
    """Raises: DmRefused, which names in `field` those who must not be invited by the account."""
    refused = {other for other in others if not contacts.may_invite(account_id, other)}
    if refused:
        raise DmRefused({field: _names(others, refused, contacts)})


def may_invite_now(account_id: int, other_id: int) -> bool:
    """Whether the account may ask the other into a new group."""
    contacts = contacts_among([account_id, other_id])
    try:
        require_may_invite(account_id, [other_id], contacts, field="members")
        require_not_declined(account_id, [other_id], contacts, field="members")
    except (DmRefused, DeclinedRecently):
        return False
    return True


def require_known_adult(newcomer_id: int, members: Iterable[int], contacts: Contacts) -> None:
    """Raises: AdultNotKnown when the newcomer is an adult, and a member a pupil who is no friend
    of theirs."""
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
    """Check that none of these people has declined an invite into the group, or one by the
    account, a short time ago.

    Raises: DeclinedRecently, which names them in `field`.
    """
    people = contacts.people
    refusing = refusing_invites(
        {people[other].person_hash for other in others if other in people},
        asked_by=people[account_id].person_hash,
        conversation_id=group.pk if group else None,
    )
    declined = {
        other for other in others if other in people and people[other].person_hash in refusing
    }
    if declined:
        raise DeclinedRecently({field: _names(others, declined, contacts)})


def require_may_accept(invite: Invite) -> set[int]:
    """Check that the invited person may join the locked group as its members are now.

    Returns the adults whom a pupil has accepted by this: those whom the invite named. Raises:
    CannotJoin (its sender could not send it any more, or may not write in the group),
    AdultNotKnown (an adult, and a pupil in it is not their friend; a pupil, and an adult in it is
    not shown because of a block), MembersChanged (since they last read the invite, an adult whom a
    pupil does not know has joined, or somebody with whom there is a block).
    """
    rows = Membership.objects.filter(conversation=invite.conversation_id)
    members = dict(rows.values_list("account_id", "pk"))
    invited = invite.invited_id
    contacts = contacts_among([*members, invited])
    if contacts.is_unknown_adult(invite.invited_by_id, to=invited):
        raise CannotJoin
    require_known_adult(invited, members, contacts)
    newer = {member for member, pk in members.items() if pk > invite.members_seen}
    adults = {member for member in members if contacts.is_adult_to_pupil(member, invited)}
    with_named = replace(contacts, accepted={(invited, adult) for adult in adults - newer})
    if any(
        contacts.blocked_between(member, invited) or not with_named.may_share_group(member, invited)
        for member in newer
    ):
        raise MembersChanged
    if not all(with_named.may_share_group(adult, invited) for adult in adults):
        raise AdultNotKnown
    return adults - newer


def _names(order: Sequence[int], chosen: set[int], contacts: Contacts) -> list[str]:
    people = contacts.people
    return [people[pk].username for pk in order if pk in chosen and pk in people]
