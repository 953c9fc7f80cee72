"""Changes of a conversation: each has the next revision, and its members receive the result.

Called inside the transaction of the change, with the conversation locked: somebody who has left
receives nothing of what comes after.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.utils import timezone

from social.models import Conversation, Membership, PastMembership
from social.realtime.events import ConversationCreated, ConversationUpdated
from social.realtime.publish import Delivery, publish_on_commit
from social.services.conversations.render import render_conversations


def insert_members(conversation: Conversation, account_ids: Iterable[int], at: datetime) -> None:
    """Insert members into a conversation that is new or locked; they read what is written later."""
    seq = conversation.last_seq
    Membership.objects.bulk_create(
        Membership(
            conversation=conversation,
            account_id=account_id,
            joined_seq=seq,
            last_read_seq=seq,
            joined_at=at,
        )
        for account_id in account_ids
    )


def delete_membership(conversation: Conversation, account_id: int) -> None:
    """Delete a member of a locked conversation. Of a group it is kept for a while what they could
    read, so that they can still report it."""
    rows = Membership.objects.filter(conversation=conversation, account=account_id)
    membership = rows.first()
    if membership is not None and conversation.is_group:
        PastMembership.objects.create(
            conversation=conversation,
            account_id=account_id,
            joined_seq=membership.joined_seq,
            left_seq=conversation.last_seq,
            left_at=timezone.now(),
        )
    rows.delete()


def next_revision(conversation: Conversation, *, info: bool = False) -> int:
    """Take and save the next revision of a locked conversation.

    `info`: the conversation itself changed (its name, its members), not a message.
    """
    conversation.revision += 1
    fields = ["revision"]
    if info:
        conversation.info_revision = conversation.revision
        fields.append("info_revision")
    conversation.save(update_fields=fields)
    return conversation.revision


def publish_change(
    conversation: Conversation, *, newcomers: Collection[int] = ()
) -> dict[int, dict[str, Any]]:
    """Give a changed conversation its next revision and publish it to every member.

    `newcomers` are accounts for whom it is a new one. Returns it as each account sees it.
    """
    next_revision(conversation, info=True)
    memberships = list(conversation.memberships.all())
    rendered = render_conversations(memberships)
    shown = dict(zip((row.account_id for row in memberships), rendered, strict=True))
    deliveries = []
    for account_id, seen in shown.items():
        kind = ConversationCreated if account_id in newcomers else ConversationUpdated
        event = kind(
            conversationId=conversation.pk.hex,
            revision=conversation.info_revision,
            conversation=seen,
        )
        deliveries.append(Delivery([account_id], event))
    publish_on_commit(deliveries)
    return shown
