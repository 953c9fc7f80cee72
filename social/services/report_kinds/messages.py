"""Reports of messages."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import (
    Evidence,
    EvidenceLine,
    ReportAction,
    ReportKind,
    ReportTarget,
)
from accounts.identifiers import read_id
from accounts.services.people import NOBODY, Person, people_of
from social.access import message_for_member
from social.errors import NotThere
from social.models import Message
from social.services import moderation

# Messages before and after the reported one that staff see.
NEIGHBOURS = 3
# The parts of a share card that readers see.
CARD_TEXTS = ("title", "assignmentTitle", "subjectName", "grade", "fullContent")


def find_message(account_id: int, target_id: str) -> ReportTarget:
    """A message that the account can read, by its public id. Raises: NotThere."""
    conversation_id = read_id(target_id.partition("-")[0])
    if conversation_id is None:
        raise NotThere
    membership, message = message_for_member(account_id, conversation_id, target_id)
    return ReportTarget(
        message.public_id, message.sender_id, encrypted=membership.conversation.encrypted
    )


def message_evidence(message_id: str) -> Evidence | None:
    try:
        message = moderation.message_by_id(message_id)
    except NotThere:
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


SHOW_MESSAGE = ReportAction(
    "show_message",
    _("Show the message again"),
    _("Everybody in the conversation can read it again."),
    moderation.unhide_message,
)
HIDE_MESSAGE = ReportAction(
    "hide_message",
    _("Hide the message"),
    _("Everybody sees it as deleted. You can show it again for 30 days."),
    moderation.hide_message,
    undo=SHOW_MESSAGE,
)
MESSAGE_REPORTS = ReportKind(
    name="message",
    label=_("Message"),
    find_target=find_message,
    collect_evidence=message_evidence,
    actions=[HIDE_MESSAGE],
)
