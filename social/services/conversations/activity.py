"""How far a member has read."""

from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.errors import InvalidInput
from accounts.services.people import people_of
from social.access import members_of, membership_of
from social.models import Membership, Message
from social.realtime.events import ConversationRead
from social.realtime.publish import ToAccounts, publish_on_commit
from social.services.conversations.render import render_conversations
from social.services.relations import blocked_among


@transaction.atomic
def mark_read(*, account_id: int, conversation_id: UUID, seq: int | None = None) -> dict[str, Any]:
    """Everything up to message `seq` is read; None: up to the last one. Going back does nothing.

    Returns the conversation as the reader sees it, and tells its members. It is no change of the
    conversation. Raises: NotThere, InvalidInput (there is no such message yet).
    """
    # Locked, because a message that the reader sends from another device counts here too.
    membership = membership_of(account_id, conversation_id, lock=True)
    last = membership.conversation.last_seq
    read = last if seq is None else seq
    if read > last:
        raise InvalidInput({"seq": ["There is no such message yet."]})
    if read > membership.last_read_seq:
        membership.own_unread = _own_after(membership, read)
        membership.last_read_seq = read
        membership.save(update_fields=["last_read_seq", "own_unread"])
        _tell(membership)
    return render_conversations([membership])[0]


def _own_after(membership: Membership, seq: int) -> int:
    """How many of the messages after `seq` are the reader's own.

    Counted on the shorter side of `seq`, and not at all where there is nothing to count.
    """
    last = membership.conversation.last_seq
    if not membership.own_unread or seq == last:
        return 0
    own = Message.objects.filter(
        conversation=membership.conversation_id, sender=membership.account_id
    )
    if last - seq <= seq - membership.last_read_seq:
        return own.filter(seq__gt=seq).count()
    passed = own.filter(seq__gt=membership.last_read_seq, seq__lte=seq).count()
    return max(0, membership.own_unread - passed)


def _tell(membership: Membership) -> None:
    reader = people_of([membership.account_id])[membership.account_id]
    event = ConversationRead(
        conversationId=membership.conversation_id.hex,
        username=reader.username,
        seq=membership.last_read_seq,
    )
    publish_on_commit([ToAccounts(_hearers(membership), event)])


def _hearers(membership: Membership) -> list[int]:
    """The members; of two people one of whom has blocked the other, only the reader: when
    somebody is here is nothing that the other may see."""
    members = members_of(membership.conversation_id)
    if membership.conversation.is_group:
        return members
    blocked = blocked_among(membership.account_id, members)
    return [account_id for account_id in members if account_id not in blocked]
