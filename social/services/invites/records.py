"""The invites of a locked group: creating, resolving and withdrawing them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.errors import TooManyKept
from accounts.services.people import person_hashes_of
from limits import TooManyRequests, refund, spend
from social.errors import AlreadyAsked
from social.limits import INVITES_TO_ONE, MAX_INVITES
from social.models import Conversation, Invite
from social.realtime.events import InviteCreated, InviteResolved
from social.realtime.publish import Delivery, publish_on_commit
from social.services.invites.render import (
    MembersByGroup,
    members_of_open_invites,
    newest_membership,
    render_invites,
)
from social.services.notifications.people import end_notifications_of_invites, tell_of_invites


def create_invites(
    conversation: Conversation, *, invited: Sequence[int], invited_by: int
) -> list[dict[str, Any]]:
    """Create invites into a group and publish them. The group and all the accounts are locked.

    Returns them as the inviting person sees them. Raises: AlreadyAsked, TooManyKept (one of them,
    or the inviting one, has too many open), TooManyRequests (so many to one of them).
    """
    pending = Invite.objects.filter(status=Invite.PENDING)
    if pending.filter(conversation=conversation, invited__in=invited).exists():
        raise AlreadyAsked
    if pending.filter(invited_by=invited_by).count() + len(invited) > MAX_INVITES:
        raise TooManyKept
    received = Counter(pending.filter(invited__in=invited).values_list("invited_id", flat=True))
    if any(count >= MAX_INVITES for count in received.values()):
        raise TooManyKept
    _spend_for_each(invited, invited_by)
    invites = [
        Invite(
            conversation=conversation,
            invited_id=account_id,
            invited_by_id=invited_by,
            group_name=conversation.group_name,
        )
        for account_id in invited
    ]
    members = members_of_open_invites(invites)
    for invite in invites:
        invite.members_seen = newest_membership(members[conversation.pk])
    Invite.objects.bulk_create(invites)
    tell_of_invites(invites)
    rendered = render_invites(
        [(invite, invite.invited_id) for invite in invites]
        + [(invite, invited_by) for invite in invites],
        members,
    )
    publish_on_commit(
        [
            Delivery([invite.invited_id], InviteCreated(invite=shown))
            for invite, shown in zip(invites, rendered, strict=False)
        ]
    )
    return rendered[len(invites) :]


def _spend_for_each(invited: Sequence[int], invited_by: int) -> None:
    """Count an invite to each, or to nobody. Raises: TooManyRequests."""
    person_hashes = person_hashes_of([invited_by, *invited])
    counted: list[str] = []
    for account_id in invited:
        key = f"{person_hashes[invited_by]}:{person_hashes[account_id]}"
        try:
            spend(INVITES_TO_ONE, key)
        except TooManyRequests:
            for counted_key in counted:
                refund(INVITES_TO_ONE, counted_key)
            raise
        counted.append(key)


def resolve(invites: QuerySet[Invite], status: str) -> list[dict[str, Any]]:
    """Answer or withdraw those of the invites that are still open, and publish each to both sides.
    Of two at once, one finds them open.

    Returns these as JSON: without members, so both sides see the same.
    """
    still_open = invites.filter(status=Invite.PENDING).order_by("pk")
    done = list(still_open.select_for_update(no_key=True))
    if not done:
        return []
    now = timezone.now()
    Invite.objects.filter(pk__in=[invite.pk for invite in done]).update(
        status=status, updated_at=now
    )
    for invite in done:
        invite.status, invite.updated_at = status, now
    end_notifications_of_invites(done)
    rendered = render_invites([(invite, invite.invited_id) for invite in done])
    publish_on_commit(
        [
            Delivery([invite.invited_id, invite.invited_by_id], InviteResolved(invite=shown))
            for invite, shown in zip(done, rendered, strict=True)
        ]
    )
    return rendered


def withdraw_invites_of(conversation: Conversation, *, invited: int | None = None) -> None:
    """Withdraw the open invites into a locked group; `invited`: of this account only."""
    rows = Invite.objects.filter(conversation=conversation)
    if invited is not None:
        rows = rows.filter(invited=invited)
    resolve(rows, Invite.WITHDRAWN)


def withdraw_invites_between(a: int, b: int) -> None:
    """Withdraw the open invites between two locked accounts."""
    pair = Q(invited=a, invited_by=b) | Q(invited=b, invited_by=a)
    resolve(Invite.objects.filter(pair), Invite.WITHDRAWN)


def ask_again(invites: QuerySet[Invite]) -> None:
    """Whoever received these has to read again who is in the group, before they can accept: an
    adult is there, or is shown, who was not. The group, or one of the two people, is locked."""
    invites.filter(status=Invite.PENDING).update(members_seen=0)


def ask_again_after_block(a: int, b: int) -> None:
    """As `ask_again`, of one of the two into groups of the other, whom the invites did not show
    while there was a block. Both accounts are locked."""
    for invited, member in ((a, b), (b, a)):
        ask_again(Invite.objects.filter(invited=invited, conversation__memberships__account=member))


def lock_for_reading(invites: Iterable[Invite]) -> list[Invite]:
    """Those of the invites whose reading can be recorded, locked: while they are read, nothing that
    they show changes without `ask_again`. Left out are those that are being changed now."""
    rows = Invite.objects.filter(pk__in=[invite.pk for invite in invites])
    return list(rows.select_for_update(no_key=True, skip_locked=True).order_by("pk"))


def record_members_seen(locked: Sequence[Invite], members: MembersByGroup) -> None:
    """Record that the invited person has been shown these members of the groups."""
    changed = []
    for invite in locked:
        newest = newest_membership(members[invite.conversation_id])
        if newest > invite.members_seen:
            invite.members_seen = newest
            changed.append(invite)
    if changed:
        Invite.objects.bulk_update(changed, ["members_seen"])
