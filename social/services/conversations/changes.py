"""Telling the members of a conversation what became of it.

Called inside the transaction of the change, with the conversation locked: who has left hears
nothing of what comes after.
"""

from collections.abc import Collection
from typing import Any

from social.models import Conversation, Membership
from social.realtime.events import (
    ConversationCreated,
    ConversationEvent,
    ConversationRemoved,
    ConversationUpdated,
)
from social.realtime.publish import ToAccounts, publish_on_commit
from social.services.conversations.render import render_conversations


def publish_conversation(
    conversation: Conversation, *, newcomers: Collection[int] = ()
) -> dict[int, dict[str, Any]]:
    """Show every member the conversation as it is now; to `newcomers` (accounts) it is a new one.

    Returns what each account was shown.
    """
    memberships = list(Membership.objects.filter(conversation=conversation.pk))
    for membership in memberships:
        membership.conversation = conversation
    shown = {
        membership.account_id: rendered
        for membership, rendered in zip(memberships, render_conversations(memberships), strict=True)
    }
    publish_on_commit(
        [
            ToAccounts([account_id], _event(conversation, rendered, account_id in newcomers))
            for account_id, rendered in shown.items()
        ]
    )
    return shown


def publish_removal(conversation: Conversation, account_id: int) -> None:
    """Tell an account that it is in the conversation no more."""
    event = ConversationRemoved(conversationId=conversation.pk.hex)
    publish_on_commit([ToAccounts([account_id], event)])


def _event(conversation: Conversation, rendered: dict[str, Any], new: bool) -> ConversationEvent:
    kind = ConversationCreated if new else ConversationUpdated
    return kind(
        conversationId=conversation.pk.hex,
        revision=conversation.info_revision,
        conversation=rendered,
    )
