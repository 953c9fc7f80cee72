"""Direct conversations: one for each pair, and opening it."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.services.people import person_hash_of
from limits import refund, spend
from social.access import lock_accounts
from social.errors import DmRefused
from social.limits import NEW_DMS
from social.models import Conversation, Friendship, Membership
from social.services.contact import require_may_begin, require_may_write
from social.services.conversations.changes import insert_members, publish_change
from social.services.conversations.render import render_conversations
from social.services.relations import other_person, require_not_hidden
from stats import counters


def open_dm(*, account_id: int, target_username: str) -> tuple[dict[str, Any], bool]:
    """The conversation of two people, as the caller sees it, and whether it was created.

    Raises: NotFound (unknown, suspended, or a hidden pupil of another school), InvalidInput
    (oneself); for a new one DmRefused and TooManyRequests (so many with people who are not
    friends).
    """
    target = other_person(account_id, target_username)
    target_id = target.account_id
    existing = _existing(account_id, target_id)
    if existing is not None:
        return render_conversations([existing])[0], False
    require_not_hidden(account_id, target)
    require_may_begin(account_id, to=target_id)
    friendships = Friendship.objects.between(account_id, target_id)
    counted = not friendships.filter(status=Friendship.ACCEPTED).exists()
    person_hash = person_hash_of(account_id)
    if counted:
        spend(NEW_DMS, person_hash)
    shown, created = _get_or_create(account_id, target_id)
    if created:
        counters.count("conversation", account=account_id)
    elif counted:
        refund(NEW_DMS, person_hash)
    return shown, created


@transaction.atomic
def _get_or_create(account_id: int, target_id: int) -> tuple[dict[str, Any], bool]:
    """Checks everything again while both accounts are locked: neither a second conversation nor a
    block can come in between."""
    lock_accounts([account_id, target_id])
    existing = _existing(account_id, target_id)
    if existing is not None:
        return render_conversations([existing])[0], False
    require_may_begin(account_id, to=target_id)
    now = timezone.now()
    conversation = Conversation.objects.create(
        type=Conversation.DM,
        pair_low_id=min(account_id, target_id),
        pair_high_id=max(account_id, target_id),
        created_at=now,
        last_at=now,
    )
    members = [account_id, target_id]
    insert_members(conversation, members, now)
    return publish_change(conversation, newcomers=members)[account_id], True


def may_begin_dm(account_id: int, other_id: int) -> bool:
    """Whether the account may write to the other now: in their conversation, or in a new one."""
    existing = _existing(account_id, other_id)
    try:
        if existing is None:
            require_may_begin(account_id, to=other_id)
        else:
            require_may_write(existing.conversation, account_id)
    except DmRefused:
        return False
    return True


def _existing(account_id: int, target_id: int) -> Membership | None:
    rows = Membership.objects.select_related("conversation")
    return rows.filter(
        account=account_id,
        conversation__type=Conversation.DM,
        conversation__pair_low=min(account_id, target_id),
        conversation__pair_high=max(account_id, target_id),
        conversation__closed_at=None,
    ).first()
