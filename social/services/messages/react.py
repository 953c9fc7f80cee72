"""Emoji under messages: rows, so that many at once lose nothing."""

from typing import Any, Literal
from uuid import UUID

from django.db import transaction

from accounts.emoji import is_emoji
from accounts.errors import InvalidInput
from social.access import message_for_member
from social.errors import TooManyKept
from social.limits import DIFFERENT_EMOJI
from social.models import Message, Reaction
from social.services.conversations.dm_permission import require_dm_allowed
from social.services.messages.change import changed, require_not_deleted, shown_to
from stats import counters

Change = Literal["toggle", "add", "remove"]


def react(
    account_id: int, *, conversation_id: UUID, message_id: str, emoji: str, change: Change
) -> dict[str, Any]:
    """Add one's emoji, remove it, or turn it over; adding it twice is adding it once.

    Raises: InvalidInput (not one emoji), NotThere, DmRefused, MessageGone, TooManyKept (so many
    different ones are there).
    """
    if not is_emoji(emoji):
        raise InvalidInput({"emoji": ["Exactly one emoji."]})
    message, added = _react(account_id, conversation_id, message_id, emoji, change)
    if added:
        counters.count("reaction", account=account_id)
    return message


@transaction.atomic
def _react(
    account_id: int, conversation_id: UUID, message_id: str, emoji: str, change: Change
) -> tuple[dict[str, Any], bool]:
    """The message as it is then, and whether there is a reaction more."""
    membership, message = message_for_member(account_id, conversation_id, message_id, lock=True)
    there = Reaction.objects.filter(message=message, account=account_id, emoji=emoji)
    removing = change == "remove" or (change == "toggle" and there.exists())
    if not removing:
        require_dm_allowed(membership.conversation, account_id)
    require_not_deleted(message)
    if removing:
        gone, _ = there.delete()
        if not gone:
            return shown_to(membership, message), False
        return changed(membership, message), False
    if there.exists():
        return shown_to(membership, message), False
    _refuse_too_many(message, emoji)
    Reaction.objects.create(message=message, account_id=account_id, emoji=emoji)
    return changed(membership, message), True


def _refuse_too_many(message: Message, emoji: str) -> None:
    kinds = set(Reaction.objects.filter(message=message).values_list("emoji", flat=True))
    if emoji not in kinds and len(kinds) >= DIFFERENT_EMOJI:
        raise TooManyKept
