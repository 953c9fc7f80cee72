"""Reading messages: the newest, a page, what changed, what is pinned."""

from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from django.db.models import QuerySet

from social.access import membership_of
from social.limits import PINS_SHOWN, RECENT_MESSAGES
from social.models import Membership, Message
from social.services.messages.render import render_messages

Direction = Literal["before", "after", "changed_after"]


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A page. `before` a number: newest first; `after` one: oldest first; `changed_after` a
    revision: in the order of the changes. `position` None: from the newest."""

    limit: int
    direction: Direction = "before"
    position: int | None = None


def read_messages(
    account_id: int, *, conversation_id: UUID, wanted: PageRequest
) -> tuple[list[dict[str, Any]], int | None]:
    """One page, and where the next one begins, for the same parameter; None at the end.

    Raises: NotThere.
    """
    membership = membership_of(account_id, conversation_id)
    found = list(_page(membership, wanted)[: wanted.limit + 1])
    page, more = found[: wanted.limit], len(found) > wanted.limit
    last = page[-1] if more else None
    if last is None:
        return _rendered(membership, page), None
    by_revision = wanted.direction == "changed_after"
    return _rendered(membership, page), last.revision if by_revision else last.seq


def latest_messages(membership: Membership) -> list[dict[str, Any]]:
    """The newest ones, oldest first."""
    newest = _readable(membership).order_by("-seq")[:RECENT_MESSAGES]
    return _rendered(membership, list(reversed(newest)))


def pinned_messages(membership: Membership) -> list[dict[str, Any]]:
    """The pinned ones, oldest first."""
    pinned = _readable(membership).filter(pinned=True, hidden_at=None)
    return _rendered(membership, list(reversed(pinned.order_by("-seq")[:PINS_SHOWN])))


def _page(membership: Membership, wanted: PageRequest) -> QuerySet[Message]:
    rows = _readable(membership)
    if wanted.position is None:
        return rows.order_by("-seq")
    if wanted.direction == "before":
        return rows.filter(seq__lt=wanted.position).order_by("-seq")
    if wanted.direction == "after":
        return rows.filter(seq__gt=wanted.position).order_by("seq")
    # No message has a revision below its number: what is older than the reader's joining need not
    # be walked through.
    position = max(wanted.position, membership.joined_seq)
    return rows.filter(revision__gt=position).order_by("revision")


def _readable(membership: Membership) -> QuerySet[Message]:
    return Message.objects.filter(
        conversation=membership.conversation_id, seq__gt=membership.joined_seq
    )


def _rendered(membership: Membership, messages: list[Message]) -> list[dict[str, Any]]:
    return render_messages(
        messages, conversation=membership.conversation, joined_seq=membership.joined_seq
    )
