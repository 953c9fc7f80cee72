"""Reading messages: the newest, a page, what changed, what is pinned."""

from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from django.db.models import QuerySet

from social.access import membership_of
from social.limits import PINS_SHOWN, RECENT_MESSAGES
from social.models import Membership, Message
from social.services.messages.render import render_messages

Direction = Literal["before", "after", "changedAfter"]
DIRECTIONS: tuple[Direction, ...] = ("before", "after", "changedAfter")


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Which messages. `before` a `seq`: newest first; `after` one: oldest first; `changedAfter` a
    revision: in the order of the changes. `position` None: from the newest."""

    limit: int
    direction: Direction = "before"
    position: int | None = None


def read_messages(account_id: int, *, conversation_id: UUID, page: PageRequest) -> dict[str, Any]:
    """A page of `messages`; the position of the `next` one in the same direction, None at the end;
    and the conversation's `revision` before the messages were read. Raises: NotFound."""
    membership = membership_of(account_id, conversation_id)
    rows = list(_select(membership, page)[: page.limit + 1])
    messages = rows[: page.limit]
    following = None
    if len(rows) > page.limit:
        last = messages[-1]
        following = last.revision if page.direction == "changedAfter" else last.seq
    return {
        "messages": render_messages(messages, membership),
        "next": following,
        "revision": membership.conversation.revision,
    }


def latest_messages(membership: Membership) -> list[dict[str, Any]]:
    """The newest messages, oldest first."""
    newest = _readable(membership).order_by("-seq")[:RECENT_MESSAGES]
    return render_messages(list(reversed(newest)), membership)


def pinned_messages(membership: Membership) -> list[dict[str, Any]]:
    """The newest pinned messages, oldest first."""
    pinned = _readable(membership).filter(pinned=True, hidden_at=None)
    newest = pinned.order_by("-seq")[:PINS_SHOWN]
    return render_messages(list(reversed(newest)), membership)


def _select(membership: Membership, page: PageRequest) -> QuerySet[Message]:
    rows = _readable(membership)
    if page.position is None:
        return rows.order_by("-seq")
    if page.direction == "before":
        return rows.filter(seq__lt=page.position).order_by("-seq")
    if page.direction == "after":
        return rows.filter(seq__gt=page.position).order_by("seq")
    # No message has a revision below its `seq`, so revisions up to `joined_seq` can be skipped.
    position = max(page.position, membership.joined_seq)
    return rows.filter(revision__gt=position).order_by("revision")


def _readable(membership: Membership) -> QuerySet[Message]:
    return Message.objects.filter(
        conversation=membership.conversation_id, seq__gt=membership.joined_seq
    )
