"""Sending a message: the one write that has to be fast. Its statements are next door."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import orjson
from django.db import transaction
from django.utils import timezone

from accounts.callers import Caller
from accounts.encryption import keyed_hash
from accounts.errors import InvalidInput
from social.access import membership_of
from social.envelopes import read_envelope
from social.errors import ClientIdReused, DmRefused, IvReused, NotForEncrypted, NotThere
from social.limits import TEXT_LENGTH
from social.models import Conversation, Message
from social.models.messages import seq_of
from social.realtime.events import MessageCreated
from social.realtime.publish import Delivery, publish_on_commit
from social.services.conversations.direct import require_dm_allowed
from social.services.messages.render import (
    UNKNOWN,
    Author,
    Quote,
    as_quote,
    render_message,
    render_messages,
)
from social.services.messages.send_statements import Written, spend_iv, write_message
from social.services.share_cards import build_card
from stats import counters


@dataclass(frozen=True, slots=True)
class Draft:
    """What a client asks to send; `reply_to` is a message's public id, `share_card` which card."""

    content: str = field(repr=False)
    client_id: str | None = None
    iv: str | None = None
    reply_to: str | None = None
    share_card: dict[str, Any] | None = field(default=None, repr=False)

    @property
    def keyed_hash(self) -> str:
        """Tells whether two sends say the same. The text cannot be guessed from it."""
        card = orjson.dumps(self.share_card, option=orjson.OPT_SORT_KEYS).decode()
        return keyed_hash("message", self.content, self.iv or "", self.reply_to or "", card)


class _SentBefore(Exception):
    """The sender has used this `client_id` here; undoes what the send has done so far."""


def send_message(
    caller: Caller, *, conversation_id: UUID, draft: Draft
) -> tuple[dict[str, Any], bool]:
    """Send; once for each `client_id`. Returns the message for its sender, and whether it is new:
    one that was sent before comes as it is now. It is durable when this returns.

    Raises: NotThere (the conversation, or the message that this answers), InvalidInput,
    NotForEncrypted, WrongEnvelope, DmRefused, ClientIdReused, IvReused, and what the builder of
    a card raises.
    """
    card = None
    if draft.share_card is not None:
        card = _card(caller, conversation_id, draft)
    try:
        message = _send(caller, conversation_id, draft, card)
    except _SentBefore:
        return _sent_before(caller, conversation_id, draft), False
    counters.count("message", account=caller.account_id)
    return message, True


def _card(caller: Caller, conversation_id: UUID, draft: Draft) -> dict[str, Any] | None:
    """Before any lock: the builder may have to ask upstream. Not asked again for a repeated send,
    nor for a conversation that would take no card anyway."""
    conversation = membership_of(caller.account_id, conversation_id).conversation
    if conversation.encrypted:
        raise NotForEncrypted
    require_dm_allowed(conversation, caller.account_id)
    if draft.client_id is not None and _find(caller, conversation_id, draft) is not None:
        return None
    return build_card(caller, draft.share_card or {})


@transaction.atomic
def _send(
    caller: Caller, conversation_id: UUID, draft: Draft, card: dict[str, Any] | None
) -> dict[str, Any]:
    account_id = caller.account_id
    message = Message(
        conversation_id=conversation_id,
        sender_id=account_id,
        client_id=draft.client_id,
        sent_hash=draft.keyed_hash if draft.client_id is not None else "",
        content=draft.content,
        iv=draft.iv,
        reply_to_seq=draft.reply_to and _number(draft.reply_to, conversation_id),
        share_card=card,
    )
    written = write_message(message, now=timezone.now())
    if written is None:
        raise NotThere
    iv = _check_form(written.conversation, draft)
    quoted = _quoted(message, written.members[account_id])
    if not written.welcome:
        raise DmRefused
    if not written.new:
        raise _SentBefore
    if iv and not spend_iv(account_id=account_id, conversation_id=conversation_id, iv=iv):
        raise IvReused
    return _announce(caller, written, message, quoted)


def _number(message_id: str, conversation_id: UUID) -> int:
    """0 is a number that no message has."""
    return seq_of(message_id, conversation_id) or 0


def _check_form(conversation: Conversation, draft: Draft) -> str | None:
    """What a text has to look like depends on who can read it. The IV of an encrypted one."""
    if not conversation.encrypted:
        require_text_length(draft.content)
        return None
    if draft.share_card is not None:
        raise NotForEncrypted
    return read_envelope(draft.content, draft.iv).spent


def require_text_length(content: str) -> None:
    """Raises: InvalidInput for a text that is too long where it is not encrypted."""
    if len(content) > TEXT_LENGTH:
        raise InvalidInput({"content": [f"At most {TEXT_LENGTH} characters."]})


def _quoted(message: Message, joined_seq: int) -> Quote | None:
    """The message that this one answers, as the sender may see it. Raises: NotThere."""
    seq = message.reply_to_seq
    if seq is None:
        return None
    rows = Message.objects.filter(conversation=message.conversation_id, seq=seq)
    answered = rows.filter(seq__gt=joined_seq).select_related("sender__profile").first()
    if answered is None:
        raise NotThere
    sender = answered.sender
    author = Author(sender.username, sender.profile.display_name) if sender else UNKNOWN
    return as_quote(answered, author)


def _announce(
    caller: Caller, written: Written, message: Message, quoted: Quote | None
) -> dict[str, Any]:
    """Tell all members; those who may not see what is quoted get a quote without text.

    Returns what the sender sees.
    """
    author = Author(caller.username, written.display_name)

    def rendered(quote: Quote | None) -> dict[str, Any]:
        encrypted = written.conversation.encrypted
        return render_message(
            message, encrypted=encrypted, author=author, quote=quote, reactions={}
        )

    number = quoted.seq if quoted else message.seq
    seeing = [account for account, joined in written.members.items() if joined < number]
    others = [account for account, joined in written.members.items() if joined >= number]
    whole = rendered(quoted)
    deliveries = [Delivery.to_accounts(seeing, _event(message, whole))]
    if others:
        deliveries.append(Delivery.to_accounts(others, _event(message, rendered(None))))
    publish_on_commit(deliveries)
    return whole


def _event(message: Message, rendered: dict[str, Any]) -> MessageCreated:
    return MessageCreated(
        conversationId=message.conversation_id.hex, revision=message.revision, message=rendered
    )


def _find(caller: Caller, conversation_id: UUID, draft: Draft) -> Message | None:
    return Message.objects.filter(
        sender=caller.account_id, conversation=conversation_id, client_id=draft.client_id
    ).first()


def _sent_before(caller: Caller, conversation_id: UUID, draft: Draft) -> dict[str, Any]:
    """The message of an earlier send, for who may still send here. Raises: ClientIdReused."""
    membership = membership_of(caller.account_id, conversation_id)
    message = _find(caller, conversation_id, draft)
    if message is None or message.sent_hash != draft.keyed_hash:
        raise ClientIdReused
    return render_messages(
        [message], conversation=membership.conversation, joined_seq=membership.joined_seq
    )[0]
