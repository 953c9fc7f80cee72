"""Reading conversations: the list, page by page, and one with its newest messages."""

from typing import Any
from uuid import UUID

from django.db.models import F, Sum

from accounts.cursors import after_cursor, write_cursor
from social.access import membership_of
from social.models import Membership
from social.services.conversations.render import render_conversations
from social.services.messages.read import latest_messages, pinned_messages


def list_conversations(*, account_id: int, limit: int, cursor: str = "") -> dict[str, Any]:
    """A page of the account's `conversations`, the one with the newest message first; the cursor of
    the `next` one (None: that was all); and how many unread messages there are in all of them.

    A page begins after a conversation and not after a number of rows, so conversations that move
    up meanwhile do not shift the rest. Five queries, however many there are. Raises: InvalidInput
    for a malformed cursor.
    """
    after = after_cursor(cursor, moment="conversation__last_at", row_id="conversation")
    memberships = Membership.objects.filter(account=account_id, conversation__closed_at=None)
    newest_first = memberships.filter(after).order_by("-conversation__last_at", "-conversation_id")
    rows = list(newest_first.select_related("conversation")[: limit + 1])
    page = rows[:limit]
    last = page[-1].conversation if len(rows) > limit else None
    unread = F("conversation__last_seq") - F("last_read_seq") - F("own_unread")
    return {
        "conversations": render_conversations(page),
        "next": write_cursor(last.last_at, last.pk) if last else None,
        "unreadTotal": memberships.aggregate(unread=Sum(unread))["unread"] or 0,
    }


def read_conversation(
    *, account_id: int, conversation_id: UUID, pinned: bool = False
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """One conversation as this member sees it, and its newest messages, oldest first.

    `pinned`: the pinned messages instead. The messages are read last, so that none is older than
    the conversation's `revision`. Raises: NotFound.
    """
    membership = membership_of(account_id, conversation_id)
    (shown,) = render_conversations([membership])
    return shown, pinned_messages(membership) if pinned else latest_messages(membership)
