"""The invites of a locked group: creating, rendering, resolving and withdrawing them."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.db.models import Q
from django.utils import timezone

from accounts.services.people import NOBODY, people_of
from accounts.timestamps import milliseconds
from social.errors import AlreadyAsked, TooManyKept
from social.limits import MAX_INVITES
from social.models import Conversation, Invite
from social.realtime.events import InviteCreated, InviteResolved
from social.realtime.publish import Delivery, publish_on_commit


def render_invites(invites: Sequence[Invite]) -> list[dict[str, Any]]:
    """The JSON of these invites, whose conversations are loaded, in one query."""
    people = people_of({i.invited_id for i in invites} | {i.invited_by_id for i in invites})
    return [
        {
            "id": invite.pk.hex,
            "conversationId": invite.conversation_id.hex,
            "groupName": invite.conversation.group_name,
            "invitedUsername": people.get(invite.invited_id, NOBODY).username,
            "invitedBy": people.get(invite.invited_by_id, NOBODY).username,
            "invitedByDisplayName": people.get(invite.invited_by_id, NOBODY).display_name,
            "status": invite.status,
            "invitedAt": milliseconds(invite.invited_at),
            "updatedAt": milliseconds(invite.updated_at),
        }
        for invite in invites
    ]


def create_invites(
    conversation: Conversation, *, invited: Sequence[int], invited_by: int
) -> list[dict[str, Any]]:
    """Create invites into a group and publish them. The group and all the accounts are locked.

    Raises: AlreadyAsked, TooManyKept (one of them, or the inviting one, has too many open).
    """
    pending = Invite.objects.filter(status=Invite.PENDING)
    if pending.filter(conversation=conversation, invited__in=invited).exists():
        raise AlreadyAsked
    if pending.filter(invited_by=invited_by).count() + len(invited) > MAX_INVITES:
        raise TooManyKept
    received = Counter(pending.filter(invited__in=invited).values_list("invited_id", flat=True))
    if any(count >= MAX_INVITES for count in received.values()):
        raise TooManyKept
    made = Invite.objects.bulk_create(
        Invite(conversation=conversation, invited_id=account_id, invited_by_id=invited_by)
        for account_id in invited
    )
    rendered = render_invites(made)
    publish_on_commit(
        [
            Delivery.to_accounts([invite.invited_id], InviteCreated(invite=shown))
            for invite, shown in zip(made, rendered, strict=True)
        ]
    )
    return rendered


def resolve(invites: Sequence[Invite], status: str) -> list[dict[str, Any]]:
    """Answer or withdraw those of the invites that are still open, and publish each to both sides.

    Of two at once, one finds them open. Returns those that were, as they are now. `invites` have
    their conversations loaded.
    """
    if not invites:
        return []
    now = timezone.now()
    rows = Invite.objects.select_for_update(no_key=True).order_by("pk")
    still_open = {
        invite.pk
        for invite in rows.filter(pk__in=[each.pk for each in invites], status=Invite.PENDING)
    }
    Invite.objects.filter(pk__in=still_open).update(status=status, updated_at=now)
    done = [invite for invite in invites if invite.pk in still_open]
    for invite in done:
        invite.status, invite.updated_at = status, now
    rendered = render_invites(done)
    publish_on_commit(
        [
            Delivery.to_accounts(
                [invite.invited_id, invite.invited_by_id], InviteResolved(invite=shown)
            )
            for invite, shown in zip(done, rendered, strict=True)
        ]
    )
    return rendered


def withdraw_invites_of(conversation: Conversation, *, invited: int | None = None) -> None:
    """Withdraw the open invites into a locked group; `invited`: of this account only."""
    rows = Invite.objects.filter(conversation=conversation, status=Invite.PENDING)
    if invited is not None:
        rows = rows.filter(invited=invited)
    resolve(list(rows.select_related("conversation")), Invite.WITHDRAWN)


def withdraw_invites_between(a: int, b: int) -> None:
    """Withdraw the open invites between two locked accounts."""
    pair = Q(invited=a, invited_by=b) | Q(invited=b, invited_by=a)
    rows = Invite.objects.filter(pair, status=Invite.PENDING)
    resolve(list(rows.select_related("conversation")), Invite.WITHDRAWN)
