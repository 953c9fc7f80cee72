"""What members do that is no change of the conversation: reading and typing."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.errors import InvalidInput, NotFound
from social.access import members_of, membership_of
from social.errors import DmRefused
from social.models import Membership, Message
from social.models.messages import NEVER_UNREAD
from social.realtime.events import ConversationRead, Typing
from social.realtime.publish import Delivery, publish_on_commit
from social.services.contact import require_may_write
from social.services.conversations.render import render_conversations
from social.services.notifications.messages import end_notifications_of_conversation
from social.services.relations import blocked_among


@transaction.atomic
def mark_read(*, account_id: int, conversation_id: UUID, seq: int | None = None) -> dict[str, Any]:
    """Mark everything up to message `seq` as read; None: up to the last one. Lower than before
    does nothing.

    Returns the conversation as the reader sees it. Raises: NotFound, InvalidInput (there is no
    such message yet).
    """
    # Locked, because sending from another device writes the same row.
    membership = membership_of(account_id, conversation_id, lock=True)
    last = membership.conversation.last_seq
    read = last if seq is None else seq
    if read > last:
        raise InvalidInput({"seq": [_("There is no such message yet.")]})
    if read > membership.last_read_seq:
        membership.own_unread = _own_unread_after(membership, read)
        membership.last_read_seq = read
        membership.save(update_fields=["last_read_seq", "own_unread"])
        username = membership.account.username
        event = ConversationRead(conversationId=conversation_id.hex, username=username, seq=read)
        publish_on_commit([Delivery(_recipients(membership), event)])
    if read == last:
        end_notifications_of_conversation(account_id, conversation_id)
    return render_conversations([membership])[0]


def publish_typing(account_id: int, username: str, conversation_id: UUID) -> None:
    """Publish that the account is typing, to the other members, except across a block; where two
    people are alone, only if it may write to the other. To nobody when it is not a member."""
    try:
        membership = membership_of(account_id, conversation_id)
        members = members_of(conversation_id)
        require_may_write(membership.conversation, account_id, members)
    except (NotFound, DmRefused):
        return
    event = Typing(conversationId=conversation_id.hex, username=username)
    others = set(members) - blocked_among(account_id, members) - {account_id}
    publish_on_commit([Delivery(sorted(others), event)])


def _recipients(membership: Membership) -> list[int]:
    """The members, but nobody on the other side of a block: it would show that the person is
    online."""
    members = members_of(membership.conversation_id)
    blocked = blocked_among(membership.account_id, members)
    return [account_id for account_id in members if account_id not in blocked]


def _own_unread_after(membership: Membership, seq: int) -> int:
    """How many of the messages after `seq` are not unread: the reader's own, deleted, hidden, or no
    longer there.

    Counts on the shorter side of `seq`, and not at all where there is nothing to count.
    """
    last = membership.conversation.last_seq
    if not membership.own_unread or seq == last:
        return 0
    unread = Message.objects.filter(conversation=membership.conversation_id).exclude(
        NEVER_UNREAD | Q(sender=membership.account_id)
    )
    before = membership.last_read_seq
    if last - seq <= seq - before:
        return last - seq - unread.filter(seq__gt=seq, seq__lte=last).count()
    passed = seq - before - unread.filter(seq__gt=before, seq__lte=seq).count()
    return max(0, membership.own_unread - passed)
