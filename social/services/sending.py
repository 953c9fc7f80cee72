"""Sending a message: the one write that has to be fast. Its statements are next door."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import orjson
from django.db import transaction
from django.utils import timezone

from accounts.callers import Caller
from accounts.errors import InvalidInput
from accounts.vault import keyed_hash
from social.access import membership_of
from social.envelopes import read_envelope
from social.errors import ClientIdReused, IvReused, NotForEncrypted, NotThere
from social.limits import TEXT_LENGTH
from social.models import Conversation, Message
from social.models.messages import seq_of
from social.realtime.events import MessageCreated
from social.realtime.publish import ToAccounts, publish_on_commit
from social.services.dm_rules import refuse_unwanted
from social.services.message_view import Author, Quote, as_quote, render_message, render_messages
from social.services.sending_statements import (
    Place,
    count_as_read,
    insert_message,
    spend_iv,
    take_number,
)
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
    refuse_unwanted(conversation, caller.account_id)
    if draft.client_id is not None and _find(caller, conversation_id, draft) is not None:
        return None
    return build_card(caller, draft.share_card or {})


@transaction.atomic
def _send(
    caller: Caller, conversation_id: UUID, draft: Draft, card: dict[str, Any] | None
) -> dict[str, Any]:
    account_id = caller.account_id
    place = take_number(account_id=account_id, conversation_id=conversation_id, now=timezone.now())
    iv = _check_form(place.conversation, draft)
    quoted = _quoted(place, account_id, draft.reply_to)
    refuse_unwanted(place.conversation, account_id)
    message = Message(
        conversation_id=conversation_id,
        seq=place.seq,
        revision=place.revision,
        sender_id=account_id,
        client_id=draft.client_id,
        sent_hash=draft.keyed_hash if draft.client_id is not None else "",
        content=draft.content,
        iv=draft.iv if iv else None,
        epoch=place.conversation.epoch,
        reply_to_seq=quoted and quoted.seq,
        share_card=card,
        created_at=place.moment,
    )
    if not insert_message(message):
        raise _SentBefore
    if iv and not spend_iv(account_id=account_id, conversation_id=conversation_id, iv=iv):
        raise IvReused
    count_as_read(message)
    return _announce(caller, place, message, quoted)


def _check_form(conversation: Conversation, draft: Draft) -> str | None:
    """What a text has to look like depends on who can read it. The IV of an encrypted one."""
    if not conversation.encrypted:
        check_text(draft.content)
        return None
    if draft.share_card is not None:
        raise NotForEncrypted
    return read_envelope(draft.content, draft.iv).spent


def check_text(content: str) -> None:
    """Raises: InvalidInput for a text that is too long where it is not encrypted."""
    if len(content) > TEXT_LENGTH:
        raise InvalidInput({"content": [f"At most {TEXT_LENGTH} characters."]})


def _quoted(place: Place, account_id: int, message_id: str | None) -> Quote | None:
    """The message that this one answers, as the sender may see it. Raises: NotThere."""
    if message_id is None:
        return None
    seq = seq_of(message_id, place.conversation.pk)
    if seq is None or seq <= place.members[account_id]:
        raise NotThere
    rows = Message.objects.filter(conversation=place.conversation, seq=seq)
    message = rows.select_related("sender__profile").first()
    if message is None:
        raise NotThere
    sender = message.sender
    author = Author(sender.username, sender.profile.display_name) if sender else Author("", "")
    return as_quote(message, author)


def _announce(
    caller: Caller, place: Place, message: Message, quoted: Quote | None
) -> dict[str, Any]:
    """Tell all members; those who may not see what is quoted get a quote without text.

    Returns what the sender sees.
    """
    author = Author(caller.username, place.display_name)

    def rendered(quote: Quote | None) -> dict[str, Any]:
        encrypted = place.conversation.encrypted
        return render_message(
            message, encrypted=encrypted, author=author, quote=quote, reactions={}
        )

    number = quoted.seq if quoted else place.seq
    seeing = [account for account, joined in place.members.items() if joined < number]
    others = [account for account, joined in place.members.items() if joined >= number]
    whole = rendered(quoted)
    letters = [ToAccounts(seeing, _event(message, whole))]
    if others:
        letters.append(ToAccounts(others, _event(message, rendered(None))))
    publish_on_commit(letters)
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
