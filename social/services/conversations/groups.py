"""Who is in a group, who runs it, and how they leave.

Every change holds the lock of the conversation, so size, succession and the people who hear of
it are decided one change after the other.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.services.people import person_named
from social.access import group_of_admin, group_of_member, members_of
from social.errors import GroupFull, NotThere, StateConflict
from social.limits import MAX_MEMBERS
from social.models import Conversation, Membership
from social.services.conversations.changes import publish_conversation, publish_removal
from social.services.conversations.render import render_conversations
from social.services.conversations.revisions import next_revision
from social.services.invites.records import withdraw_invites_of


def add_members(
    conversation: Conversation, account_ids: Sequence[int]
) -> dict[int, dict[str, Any]]:
    """Take people into a locked conversation and tell everyone in it.

    They read what is written from now on. Returns the conversation as each member sees it.
    Raises: StateConflict (one of them is in it), GroupFull.
    """
    present = members_of(conversation.pk)
    if set(present) & set(account_ids):
        raise StateConflict
    if len(present) + len(account_ids) > MAX_MEMBERS:
        raise GroupFull
    now = timezone.now()
    Membership.objects.bulk_create(
        Membership(
            conversation=conversation,
            account_id=account_id,
            joined_seq=conversation.last_seq,
            last_read_seq=conversation.last_seq,
            joined_at=now,
        )
        for account_id in account_ids
    )
    next_revision(conversation, info=True)
    return publish_conversation(conversation, newcomers=account_ids)


def end_membership(conversation: Conversation, account_id: int) -> dict[int, dict[str, Any]]:
    """Take a member out of a locked conversation and tell everyone.

    An admin hands over to the longest-standing member; the last one closes the conversation.
    Returns the conversation as those who stay see it.
    """
    Membership.objects.filter(conversation=conversation, account=account_id).delete()
    remaining = members_of(conversation.pk)
    publish_removal(conversation, account_id)
    if not remaining:
        conversation.closed_at = timezone.now()
        conversation.save(update_fields=["closed_at"])
        _hand_over(conversation, None)
    elif conversation.admin_id == account_id:
        _hand_over(conversation, remaining[0])
    next_revision(conversation, info=True)
    return publish_conversation(conversation)


def _hand_over(conversation: Conversation, account_id: int | None) -> None:
    """The invites of the old admin end with their rights: the new one may ask anew."""
    conversation.admin_id = account_id
    conversation.save(update_fields=["admin"])
    withdraw_invites_of(conversation)


@transaction.atomic
def leave(*, account_id: int, conversation_id: UUID) -> None:
    """Leave a group. Raises: NotThere, StateConflict (two people have nothing to leave)."""
    membership = group_of_member(account_id, conversation_id, lock=True)
    end_membership(membership.conversation, account_id)


@transaction.atomic
def remove_member(
    *, account_id: int, conversation_id: UUID, target_username: str
) -> dict[str, Any] | None:
    """Put somebody out of a group, as its admin; anyone may put out themselves.

    Returns the conversation as the caller sees it then, None where that is not at all.
    Raises: NotThere (the group, or the member), NotAllowed, StateConflict.
    """
    membership = group_of_member(account_id, conversation_id, lock=True)
    target = person_named(target_username)
    if target is None or target.account_id != account_id:
        group_of_admin(account_id, conversation_id)
        if target is None or target.account_id not in members_of(conversation_id):
            raise NotThere
    return end_membership(membership.conversation, target.account_id).get(account_id)


@transaction.atomic
def transfer_admin(
    *, account_id: int, conversation_id: UUID, target_username: str
) -> dict[str, Any]:
    """Make another member the admin. Returns the conversation as the caller sees it.

    Raises: NotThere (the group, or the member), NotAllowed, StateConflict.
    """
    admin = group_of_admin(account_id, conversation_id, lock=True)
    target = person_named(target_username)
    if target is None or target.account_id not in members_of(conversation_id):
        raise NotThere
    if target.account_id == account_id:
        return render_conversations([admin])[0]
    _hand_over(admin.conversation, target.account_id)
    next_revision(admin.conversation, info=True)
    return publish_conversation(admin.conversation)[account_id]
