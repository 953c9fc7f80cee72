"""Conversations of two people: one a pair, and who may begin one."""

from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.errors import InvalidInput
from accounts.limits import refund, spend
from accounts.services.people import people_of, person_named
from social.errors import DmRefused, NotThere
from social.models import Conversation, Membership
from social.services.conversations.changes import publish_conversation
from social.services.conversations.dm_permission import may_message
from social.services.conversations.render import render_conversations
from social.services.conversations.revisions import next_revision
from social.services.relations import are_friends, lock_pair
from stats import counters


def open_dm(*, account_id: int, target_username: str) -> tuple[dict[str, Any], bool]:
    """The conversation of two people, as the caller sees it, and whether it is a new one.

    Raises: NotThere (unknown or suspended), InvalidInput (oneself); for a new one DmRefused and
    TooManyRequests (so many with people who are no friends).
    """
    target = person_named(target_username)
    if target is None or target.suspended:
        raise NotThere
    if target.account_id == account_id:
        raise InvalidInput({"targetUsername": ["That is you."]})
    existing = _existing(account_id, target.account_id)
    if existing is not None:
        return render_conversations([existing])[0], False
    require_may_start_dm(account_id, target.account_id)
    counted = not are_friends(account_id, target.account_id)
    if counted:
        spend("new_dms", str(account_id))
    shown, created = _begin(account_id, target.account_id)
    if created:
        counters.count("conversation", account=account_id)
    elif counted:
        refund("new_dms", str(account_id))
    return shown, created


@transaction.atomic
def _begin(account_id: int, target_id: int) -> tuple[dict[str, Any], bool]:
    """Under the lock of the pair: neither a second one nor a block can come in between."""
    lock_pair(account_id, target_id)
    existing = _existing(account_id, target_id)
    if existing is not None:
        return render_conversations([existing])[0], False
    require_may_start_dm(account_id, target_id)
    now = timezone.now()
    conversation = Conversation.objects.create(
        type=Conversation.DM,
        pair_low_id=min(account_id, target_id),
        pair_high_id=max(account_id, target_id),
        created_at=now,
        last_at=now,
    )
    Membership.objects.bulk_create(
        Membership(conversation=conversation, account_id=each, joined_at=now)
        for each in (account_id, target_id)
    )
    next_revision(conversation, info=True)
    return publish_conversation(conversation, newcomers=[account_id, target_id])[account_id], True


def _existing(account_id: int, target_id: int) -> Membership | None:
    rows = Membership.objects.select_related("conversation")
    return rows.filter(
        account=account_id,
        conversation__type=Conversation.DM,
        conversation__pair_low=min(account_id, target_id),
        conversation__pair_high=max(account_id, target_id),
        conversation__closed_at=None,
    ).first()


def require_may_start_dm(account_id: int, target_id: int) -> None:
    """Whether one person may write to another with whom they have no conversation yet: the
    other's privacy, blocks, and the protection of pupils from adults who are no friends.

    Raises: DmRefused, whatever the reason; NotThere when one of the two is gone.
    """
    people = people_of([account_id, target_id])
    if len(people) < 2:
        raise NotThere
    if not may_message(target_id, from_id=account_id):
        raise DmRefused
    to_pupil = people[account_id].is_adult and not people[target_id].is_adult
    if to_pupil and not settings.ADULT_DM_PUPIL and not are_friends(account_id, target_id):
        raise DmRefused
