"""Reports of messages: who can report one, and how staff hide it. Its evidence is in
`message_evidence.py`."""

from dataclasses import replace

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import ReportAction, ReportKind, ReportTarget
from accounts.errors import NotFound
from accounts.identifiers import require_id
from accounts.services.kept_texts import kept_target, kept_texts
from social.access import lock_conversation, readable_until
from social.models import Conversation, Message
from social.models.messages import public_id, seq_of
from social.services.messages.change import count_as_unread, save_change
from social.services.report_kinds.message_evidence import message_evidence, reported_message
from social.services.report_kinds.places import place_of_message


def find_message(account_id: int, target_id: str) -> ReportTarget:
    """A message that the account can read, or could in the last fourteen days: it may have left the
    group since, and the message may be deleted. Raises: NotFound."""
    conversation_id = require_id(target_id.partition("-")[0])
    seq = seq_of(target_id, conversation_id)
    conversation = Conversation.objects.filter(pk=conversation_id).first()
    if seq is None or conversation is None:
        raise NotFound
    seen_until = readable_until(account_id, conversation_id, seq=seq)
    message = Message.objects.filter(conversation=conversation_id, seq=seq).first()
    message_id = public_id(conversation_id, seq)
    kept = kept_texts("message", [message_id]).get(message_id, [])
    if message is None and not kept:
        raise NotFound
    sender_id = message.sender_id if message else None
    target = kept_target(kept[-1]) if kept else ReportTarget(message_id, None)
    return replace(
        target,
        person_id=sender_id or target.person_id,
        encrypted=conversation.encrypted,
        seen_until=seen_until,
    )


@transaction.atomic
def hide_message(message_id: str) -> bool:
    """Show a message as a deleted one, but not to staff. Whether that is new. Raises: NotFound."""
    message = _locked_message(message_id)
    if message.is_gone:
        return False
    message.hidden_at = timezone.now()
    count_as_unread(message, -1)
    save_change(message.conversation, message, "hidden_at")
    return True


@transaction.atomic
def unhide_message(message_id: str) -> bool:
    """Show a hidden message again. Whether it was hidden. Raises: NotFound."""
    message = _locked_message(message_id)
    if message.hidden_at is None:
        return False
    message.hidden_at = None
    count_as_unread(message, 1)
    save_change(message.conversation, message, "hidden_at")
    return True


def _locked_message(message_id: str) -> Message:
    """A message for staff, without a check of membership, after its conversation was locked: that
    may be closed, and a case about it still open. Raises: NotFound."""
    conversation_id = require_id(message_id.partition("-")[0])
    lock_conversation(conversation_id, closed_too=True)
    # 0, which no message has, for an id that is not one.
    seq = seq_of(message_id, conversation_id) or 0
    rows = Message.objects.select_related("conversation")
    message = rows.filter(conversation=conversation_id, seq=seq).first()
    if message is None:
        raise NotFound
    return message


SHOW_MESSAGE = ReportAction(
    "show_message",
    _("Show the message again"),
    _("Everybody in the conversation can read it again."),
    unhide_message,
)
HIDE_MESSAGE = ReportAction(
    "hide_message",
    _("Hide the message"),
    _("Everybody sees it as deleted. You can show it again for 30 days."),
    hide_message,
    undo=SHOW_MESSAGE,
)
MESSAGE_REPORTS = ReportKind(
    name="message",
    label=_("Message"),
    find_target=find_message,
    collect_evidence=message_evidence,
    collect_reported=reported_message,
    find_place=place_of_message,
    actions=[HIDE_MESSAGE],
)
