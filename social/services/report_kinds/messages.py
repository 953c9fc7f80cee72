"""Reports of messages: what staff see of one, and how they hide it."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import (
    Evidence,
    EvidenceLine,
    ReportAction,
    ReportKind,
    ReportTarget,
)
from accounts.errors import NotFound
from accounts.identifiers import require_id
from accounts.services.people import NOBODY, Person, people_of
from social.access import lock_conversation, message_for_member
from social.models import Message
from social.models.messages import seq_of
from social.services.messages.change import count_as_unread, save_change

# Messages before and after the reported one that staff see.
NEIGHBOURS = 3
# The parts of a share card that readers see.
CARD_TEXTS = ("title", "assignmentTitle", "subjectName", "grade", "fullContent")


def find_message(account_id: int, target_id: str) -> ReportTarget:
    """A message that the account can read, by its public id. Raises: NotFound."""
    conversation_id = require_id(target_id.partition("-")[0])
    membership, message = message_for_member(account_id, conversation_id, target_id)
    return ReportTarget(
        message.public_id, message.sender_id, encrypted=membership.conversation.encrypted
    )


def message_evidence(message_id: str) -> Evidence | None:
    try:
        message = _message(message_id)
    except NotFound:
        return None
    conversation = message.conversation
    first, last = message.seq - NEIGHBOURS, message.seq + NEIGHBOURS
    near = Message.objects.filter(conversation=conversation, seq__gte=first, seq__lte=last)
    shown = list(near.order_by("seq"))
    people = people_of(one.sender_id for one in shown if one.sender_id)
    return Evidence(
        lines=[
            _line(
                one,
                people.get(one.sender_id or 0, NOBODY),
                encrypted=conversation.encrypted,
                reported=one.pk == message.pk,
            )
            for one in shown
        ]
    )


def _line(message: Message, sender: Person, *, encrypted: bool, reported: bool) -> EvidenceLine:
    state, text = "", _text(message)
    if message.deleted_at is not None:
        state, text = "deleted", ""
    elif encrypted:
        state, text = "encrypted", ""
    elif message.hidden_at is not None:
        state = "hidden"
    return EvidenceLine(
        key=str(message.seq),
        author=sender.username,
        display_name=sender.display_name,
        at=message.created_at,
        text=text,
        state=state,
        edited_at=message.edited_at,
        gone_at=message.deleted_at or message.hidden_at,
        reported=reported,
    )


def _text(message: Message) -> str:
    card: dict[str, Any] = message.share_card or {}
    texts = [card.get(name) for name in CARD_TEXTS] + [
        None if card.get("fullContent") else card.get("preview")
    ]
    return "\n".join(filter(None, [message.content, *texts]))


@transaction.atomic
def hide_message(message_id: str) -> bool:
    """Show a message as a deleted one, but not to staff. Whether that is new. Raises: NotFound."""
    message = _message(message_id, lock=True)
    if message.is_gone:
        return False
    message.hidden_at = timezone.now()
    count_as_unread(message, -1)
    save_change(message.conversation, message, "hidden_at")
    return True


@transaction.atomic
def unhide_message(message_id: str) -> bool:
    """Show a hidden message again. Whether it was hidden. Raises: NotFound."""
    message = _message(message_id, lock=True)
    if message.hidden_at is None:
        return False
    message.hidden_at = None
    count_as_unread(message, 1)
    save_change(message.conversation, message, "hidden_at")
    return True


def _message(message_id: str, *, lock: bool = False) -> Message:
    """A message for staff, without a check of membership. Raises: NotFound.

    `lock`: lock its conversation first. That may be closed, and a case about it still open.
    """
    conversation_id = require_id(message_id.partition("-")[0])
    if lock:
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
    actions=[HIDE_MESSAGE],
)
