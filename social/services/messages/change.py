"""Changing a message: its sender's edits, pins, deletion. Each change has a revision of its own.

All happen under the lock of the conversation, so an edit and a deletion at once end as one of the
two orders, and whoever is told is a member at that moment.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from social.access import message_for_member
from social.envelopes import read_envelope
from social.errors import EditWindowClosed, IvReused, MessageGone, NotAllowed, NotThere
from social.limits import EDIT_WINDOW_HOURS
from social.models import Conversation, Membership, Message, Reaction
from social.realtime.events import MessageDeleted, MessageEvent, MessageUpdated
from social.realtime.publish import ToAccounts, publish_on_commit
from social.services.conversations.dm_permission import require_dm_allowed
from social.services.conversations.revisions import next_revision
from social.services.messages.render import render_messages
from social.services.messages.send import require_text_length
from social.services.messages.send_statements import spend_iv


@transaction.atomic
def edit_message(
    account_id: int, *, conversation_id: UUID, message_id: str, content: str, iv: str | None = None
) -> dict[str, Any]:
    """Another text, by its sender, within a day. Saying the same again changes nothing.

    Raises: NotThere, InvalidInput, NotForEncrypted, WrongEnvelope, NotAllowed, EditWindowClosed,
    DmRefused, MessageGone, IvReused.
    """
    membership, message = message_for_member(account_id, conversation_id, message_id, lock=True)
    conversation = membership.conversation
    if not conversation.encrypted:
        require_text_length(content)
        iv = None
    spent = read_envelope(content, iv).spent if conversation.encrypted else None
    if message.sender_id != account_id:
        raise NotAllowed
    if timezone.now() - message.created_at > timedelta(hours=EDIT_WINDOW_HOURS):
        raise EditWindowClosed
    require_dm_allowed(conversation, account_id)
    require_not_deleted(message)
    if (content, iv) == (message.content, message.iv):
        return shown_to(membership, message)
    if spent and not spend_iv(account_id=account_id, conversation_id=conversation_id, iv=spent):
        raise IvReused
    message.content, message.iv, message.edited_at = content, iv, timezone.now()
    return changed(membership, message, "content", "iv", "edited_at")


@transaction.atomic
def pin_message(
    account_id: int, *, conversation_id: UUID, message_id: str, pinned: bool
) -> dict[str, Any]:
    """Set the pin, or take it away: anyone in a direct conversation, in a group its admin and the
    message's sender.

    Raises: NotThere, NotAllowed, DmRefused, MessageGone.
    """
    membership, message = message_for_member(account_id, conversation_id, message_id, lock=True)
    conversation = membership.conversation
    if conversation.is_group and account_id not in (conversation.admin_id, message.sender_id):
        raise NotAllowed
    if pinned:
        require_dm_allowed(conversation, account_id)
    require_not_deleted(message)
    if message.pinned == pinned:
        return shown_to(membership, message)
    message.pinned = pinned
    return changed(membership, message, "pinned")


@transaction.atomic
def delete_message(account_id: int, *, conversation_id: UUID, message_id: str) -> None:
    """Take everything from a message but its place: its sender, or the group's admin.

    Raises: NotThere (it is deleted already, too), NotAllowed.
    """
    membership, message = message_for_member(account_id, conversation_id, message_id, lock=True)
    if message.is_gone:
        raise NotThere
    if account_id not in (message.sender_id, membership.conversation.admin_id):
        raise NotAllowed
    Reaction.objects.filter(message=message).delete()
    message.content, message.iv, message.edited_at = "", None, None
    message.share_card = message.reply_to_seq = None
    message.pinned = False
    message.deleted_at = timezone.now()
    save_change(
        membership.conversation,
        message,
        "content",
        "iv",
        "edited_at",
        "share_card",
        "reply_to_seq",
        "pinned",
        "deleted_at",
    )


def require_not_deleted(message: Message) -> None:
    """Raises: MessageGone."""
    if message.is_gone:
        raise MessageGone


def changed(membership: Membership, message: Message, *fields: str) -> dict[str, Any]:
    """`save_change`; returns the message as the member sees it."""
    save_change(membership.conversation, message, *fields)
    return shown_to(membership, message)


def shown_to(membership: Membership, message: Message) -> dict[str, Any]:
    """The message as the member sees it."""
    return _rendered(membership.conversation, message, membership.joined_seq)


def save_change(conversation: Conversation, message: Message, *fields: str) -> None:
    """Save these fields of a message under a new revision, and tell everyone who can read it.

    The conversation is locked.
    """
    message.revision = next_revision(conversation)
    message.save(update_fields=[*fields, "revision"])
    _announce(conversation, message)


def _announce(conversation: Conversation, message: Message) -> None:
    """Two renderings at most: with what is quoted, and for those who may not see that."""
    readers = Membership.objects.filter(conversation=conversation, joined_seq__lt=message.seq)
    by_view: dict[int, list[int]] = {}
    for account_id, joined_seq in readers.values_list("account_id", "joined_seq"):
        hidden_quote = message.reply_to_seq is not None and message.reply_to_seq <= joined_seq
        by_view.setdefault(message.seq - 1 if hidden_quote else 0, []).append(account_id)
    kind = MessageDeleted if message.is_gone else MessageUpdated
    publish_on_commit(
        [
            ToAccounts(account_ids, _event(kind, message, _rendered(conversation, message, view)))
            for view, account_ids in by_view.items()
        ]
    )


def _event(kind: type[MessageEvent], message: Message, rendered: dict[str, Any]) -> MessageEvent:
    return kind(
        conversationId=message.conversation_id.hex, revision=message.revision, message=rendered
    )


def _rendered(conversation: Conversation, message: Message, joined_seq: int) -> dict[str, Any]:
    return render_messages([message], conversation=conversation, joined_seq=joined_seq)[0]
