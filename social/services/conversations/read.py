"""Reading conversations: the list, page by page, and one with its newest messages."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Self
from uuid import UUID

from django.db.models import F, Q, QuerySet, Sum

from accounts.timestamps import EPOCH
from social.access import membership_of
from social.models import Membership
from social.services.conversations.render import render_conversations
from social.services.messages.read import latest_messages, pinned_messages

_MICROSECOND = timedelta(microseconds=1)
_TIME_BYTES = 8


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position in the list of conversations: after the one with this id, when its newest
    message was of this time. As text it is opaque to clients."""

    last_at: datetime
    id: UUID

    def to_text(self) -> str:
        microseconds = (self.last_at - EPOCH) // _MICROSECOND
        packed = microseconds.to_bytes(_TIME_BYTES, "big") + self.id.bytes
        return urlsafe_b64encode(packed).decode()

    @classmethod
    def read(cls, text: str) -> Self:
        """Raises: ValueError for anything that `to_text` does not return."""
        packed = urlsafe_b64decode(text.encode("ascii"))
        since_epoch = int.from_bytes(packed[:_TIME_BYTES], "big") * _MICROSECOND
        try:
            cursor = cls(EPOCH + since_epoch, UUID(bytes=packed[_TIME_BYTES:]))
        except OverflowError:
            raise ValueError("out of range") from None
        if cursor.to_text() != text:
            raise ValueError("not canonical")
        return cursor


class Page(NamedTuple):
    """Some conversations of an account, where the next page begins (None: that was all), and
    how many unread messages there are in all of its conversations."""

    conversations: list[dict[str, Any]]
    next: str | None
    unread_total: int


def list_conversations(*, account_id: int, limit: int, after: Cursor | None) -> Page:
    """A page of the account's conversations, the one with the newest message first.

    A page begins after a conversation and not after a number of rows, so conversations that move
    up meanwhile do not shift the rest. Five queries, however many there are.
    """
    mine = Membership.objects.filter(account=account_id, conversation__closed_at=None)
    rows = list(_after(mine, after).select_related("conversation")[: limit + 1])
    page = rows[:limit]
    last = page[-1].conversation if len(rows) > limit else None
    unread = F("conversation__last_seq") - F("last_read_seq") - F("not_counted")
    return Page(
        render_conversations(page),
        Cursor(last.last_at, last.pk).to_text() if last else None,
        mine.aggregate(unread=Sum(unread))["unread"] or 0,
    )


def _after(rows: QuerySet[Membership], cursor: Cursor | None) -> QuerySet[Membership]:
    if cursor is not None:
        same_time = Q(conversation__last_at=cursor.last_at, conversation__lt=cursor.id)
        rows = rows.filter(Q(conversation__last_at__lt=cursor.last_at) | same_time)
    return rows.order_by("-conversation__last_at", "-conversation_id")


def read_conversation(
    *, account_id: int, conversation_id: UUID, pinned: bool = False
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """One conversation as this member sees it, and its newest messages, oldest first.

    `pinned`: the pinned messages instead. The messages are read last, so that none is older than
    the conversation's `revision`. Raises: NotThere.
    """
    membership = membership_of(account_id, conversation_id)
    (shown,) = render_conversations([membership])
    return shown, pinned_messages(membership) if pinned else latest_messages(membership)
