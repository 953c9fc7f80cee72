"""Who joins a group at once, who is invited, and who may accept. The accounts are locked."""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from social.errors import AdultNotKnown, DeclinedRecently, DmRefused, MembersChanged
from social.limits import DECLINED_GROUP_DAYS, DECLINED_SENDER_HOURS
from social.models import Conversation, Invite, Membership
from social.services.contact import Contacts, contacts_among


def join_at_once(creator_id: int, others: Sequence[int], contacts: Contacts) -> list[int]:
    """Those of `others` who join a new group at once; the rest are invited.

    They are friends of its creator who accept messages, without a block between any two of them.
    Adults join before pupils, so a pupil who does not know one of the adults is invited.
    """
    willing = [each for each in others if _accepts_messages_of(creator_id, each, contacts)]
    candidates = [
        each
        for each in willing
        if not any(contacts.blocked_between(each, other) for other in willing)
    ]
    adults = {creator_id, *(each for each in candidates if contacts.people[each].is_adult)}
    return [
        each
        for each in candidates
        if not any(contacts.is_unknown_adult(adult, to=each) for adult in adults)
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
    """Whether the account is a friend of the other, has no block with them, and takes messages."""
    person = contacts.people.get(account_id)
    if person is None or person.dm_privacy == "nobody":
        return False
    return contacts.are_friends(friend_id, account_id) and not contacts.blocked_between(
        friend_id, account_id
    )


def require_may_invite(
    account_id: int, others: Sequence[int], contacts: Contacts, *, field: str
) -> None:
    """Raises: DmRefused, which names in `field` those who must not be invited by the account."""
    refused = {each for each in others if not contacts.may_invite(account_id, each)}
    if refused:
        raise DmRefused({field: _names(others, refused, contacts)})


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
    now = timezone.now()
    sent = Q(invited_by=account_id, updated_at__gt=now - timedelta(hours=DECLINED_SENDER_HOURS))
    if group is not None:
        sent |= Q(conversation=group, updated_at__gt=now - timedelta(days=DECLINED_GROUP_DAYS))
    declined = Invite.objects.filter(sent, invited__in=others, status=Invite.DECLINED)
    who = set(declined.values_list("invited_id", flat=True))
    if who:
        raise DeclinedRecently({field: _names(others, who, contacts)})


def require_may_accept(invite: Invite) -> None:
    """Check that the invited person may join the locked group as its members are now.

    Raises: AdultNotKnown (an adult, and a pupil in it is not their friend), MembersChanged (since
    they last read the invite, an adult whom a pupil does not know has joined, or somebody with
    whom there is a block).
    """
    rows = Membership.objects.filter(conversation=invite.conversation_id)
    members = dict(rows.values_list("account_id", "pk"))
    invited = invite.invited_id
    contacts = contacts_among([*members, invited])
    require_known_adult(invited, members, contacts)
    if any(
        contacts.is_unknown_adult(member, to=invited) or contacts.blocked_between(member, invited)
        for member, pk in members.items()
        if pk > invite.members_seen
    ):
        raise MembersChanged


def _names(order: Sequence[int], chosen: set[int], contacts: Contacts) -> list[str]:
    people = contacts.people
    return [people[each].username for each in order if each in chosen and each in people]
