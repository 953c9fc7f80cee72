"""What staff do to messages: hide one, and show it again."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.identifiers import read_id
from social.errors import NotThere
from social.models import Conversation, Message
from social.models.messages import seq_of
from social.services.messages.change import save_change


@transaction.atomic
def hide_message(message_id: str) -> Message:
    """Show a message (by its public id) as a deleted one, everywhere. Staff still see its content.
    Idempotent. Raises: NotThere.
    """
    conversation, message = _locked(message_id)
    if not message.is_gone:
        message.hidden_at = timezone.now()
        save_change(conversation, message, "hidden_at")
    return message


@transaction.atomic
def unhide_message(message_id: str) -> Message:
    """Show a hidden message again. Idempotent. Raises: NotThere."""
    conversation, message = _locked(message_id)
    if message.hidden_at is not None:
        message.hidden_at = None
        save_change(conversation, message, "hidden_at")
    return message


def message_by_id(message_id: str) -> Message:
    """A message for staff, without a check of membership. Raises: NotThere."""
    conversation_id, seq = _read(message_id)
    message = Message.objects.filter(conversation=conversation_id, seq=seq).first()
    if message is None:
        raise NotThere
    return message


def _locked(message_id: str) -> tuple[Conversation, Message]:
    conversation_id, _ = _read(message_id)
    # Closed ones too: a report about them may still be open.
    rows = Conversation.objects.select_for_update(no_key=True)
    conversation = rows.filter(pk=conversation_id).first()
    if conversation is None:
        raise NotThere
    return conversation, message_by_id(message_id)


def _read(message_id: str) -> tuple[UUID, int]:
    conversation_id = read_id(message_id.partition("-")[0])
    seq = seq_of(message_id, conversation_id) if conversation_id else None
    if conversation_id is None or seq is None:
        raise NotThere
    return conversation_id, seq
