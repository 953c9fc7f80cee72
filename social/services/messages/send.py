"""Sending a message. The SQL of `send_statements.py` numbers it (`seq`), or refuses it."""

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import orjson
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.callers import Caller
from accounts.encryption import keyed_hash
from accounts.errors import InvalidInput, NotFound
from accounts.registry import share_cards
from social.access import membership_of
from social.envelopes import check_envelope
from social.errors import ClientIdReused, DmRefused, IvReused, NotForEncrypted, WrongEnvelope
from social.limits import TEXT_LENGTH
from social.models import Message, SpentIv
from social.models.messages import seq_of
from social.realtime.events import MessageCreated
from social.realtime.publish import Delivery, publish_on_commit
from social.services.message_permission import require_dm_allowed
from social.services.messages.render import (
    UNKNOWN,
    Author,
    Quote,
    render_message,
    render_messages,
)
from social.services.messages.send_statements import Written, write_message
from social.services.notifications.new_messages import notify_members
from stats import counters

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Draft:
    """What a client wants to send; `reply_to` is a message's public id, `share_card` says which
    card to build."""

    content: str = field(repr=False)
    client_id: str | None = None
    iv: str | None = None
    reply_to: str | None = None
    share_card: Json | None = field(default=None, repr=False)

    @property
    def keyed_hash(self) -> str:
        """Equal for equal sends. Without the key, the text cannot be guessed from it."""
        card = orjson.dumps(self.share_card, option=orjson.OPT_SORT_KEYS).decode()
        return keyed_hash("message", self.content, self.iv or "", self.reply_to or "", card)


def send_message(caller: Caller, *, conversation_id: UUID, draft: Draft) -> tuple[Json, bool]:
    """Send a message, once for each `client_id`. Returns it as its sender sees it, and whether it
    is new; one that was sent before is returned as it is now. It is committed on return.

    Raises: NotFound (the conversation, or the quoted message), InvalidInput, NotForEncrypted,
    WrongEnvelope, DmRefused, ClientIdReused, IvReused, and what the builder of a card raises.
    """
    card = _card(caller, conversation_id, draft)
    message, new = _send(caller, conversation_id, draft, card)
    if new:
        counters.count("message", account=caller.account_id)
    return message, new


def _card(caller: Caller, conversation_id: UUID, draft: Draft) -> Json | None:
    """The card, if one is wanted, built by the app that owns the thing. Before anything is locked,
    because that may call upstream; not for a repeated send, nor where the conversation would
    refuse it."""
    wanted = draft.share_card
    if wanted is None:
        return None
    conversation = membership_of(caller.account_id, conversation_id).conversation
    if conversation.encrypted:
        raise NotForEncrypted
    require_dm_allowed(conversation, caller.account_id)
    sent = Message.objects.filter(sender=caller.account_id, conversation=conversation_id)
    if draft.client_id is not None and sent.filter(client_id=draft.client_id).exists():
        return None
    (kind,) = (kind for kind in share_cards() if kind.name == wanted["type"])
    return kind.build(caller, wanted[kind.id_field])


@transaction.atomic
def _send(
    caller: Caller, conversation_id: UUID, draft: Draft, card: Json | None
) -> tuple[Json, bool]:
    message = Message(
        conversation_id=conversation_id,
        sender_id=caller.account_id,
        client_id=draft.client_id,
        sent_hash=draft.keyed_hash if draft.client_id is not None else "",
        content=draft.content,
        iv=draft.iv,
        # 0, which no message has, for an id that is not of this conversation.
        reply_to_seq=draft.reply_to and (seq_of(draft.reply_to, conversation_id) or 0),
        share_card=card,
    )
    used_iv = None
    with suppress(NotForEncrypted, WrongEnvelope):
        used_iv = _check_encrypted(draft)
    written = write_message(
        message,
        now=timezone.now(),
        fits_plain=len(draft.content) <= TEXT_LENGTH,
        used_iv=used_iv,
    )
    if written.refusal == "sent_before":
        return _sent_before(caller.account_id, message), False
    _raise_refusal(written, draft)
    if written.conversation.encrypted and used_iv is not None:
        SpentIv.objects.create(
            conversation_id=conversation_id, sender_id=caller.account_id, iv=used_iv
        )
    shown = _publish(caller, written, message)
    if message.reply_to_seq is not None or written.to_notify - {caller.account_id}:
        notify_members(
            message,
            written.conversation,
            sender=shown["senderDisplayName"] or shown["senderUsername"],
        )
    return shown, True


def _raise_refusal(written: Written, draft: Draft) -> None:
    match written.refusal:
        case "not_a_member" | "no_such_quote":
            raise NotFound
        case "wrong_form" if written.conversation.encrypted:
            _check_encrypted(draft)
        case "wrong_form":
            require_text_length(draft.content)
        case "dm_refused":
            raise DmRefused
        case "iv_reused":
            raise IvReused


def _check_encrypted(draft: Draft) -> str:
    """The IV of a draft for an encrypted conversation. Raises: NotForEncrypted, WrongEnvelope."""
    if draft.share_card is not None:
        raise NotForEncrypted
    return check_envelope(draft.content, draft.iv)


def require_text_length(content: str) -> None:
    """Raises: InvalidInput for an unencrypted text that is too long."""
    if len(content) > TEXT_LENGTH:
        raise InvalidInput({"content": [_("At most %(most)d characters.") % {"most": TEXT_LENGTH}]})


def spend_iv(*, account_id: int, conversation_id: UUID, iv: str) -> None:
    """Record the IV as used, for good. The conversation is locked. Raises: IvReused."""
    spent = {"conversation_id": conversation_id, "sender_id": account_id, "iv": iv}
    if SpentIv.objects.filter(**spent).exists():
        raise IvReused
    SpentIv.objects.create(**spent)


def _quote(message: Message) -> Quote | None:
    """The message that this one replies to. Raises: NotFound, if retention has just deleted it."""
    if message.reply_to_seq is None:
        return None
    rows = Message.objects.filter(conversation=message.conversation_id, seq=message.reply_to_seq)
    quoted = rows.select_related("sender__profile").first()
    if quoted is None:
        raise NotFound
    sender = quoted.sender
    author = Author(sender.username, sender.profile.display_name) if sender else UNKNOWN
    return Quote(quoted, author)


def _sent_before(account_id: int, repeated: Message) -> Json:
    """The message of the earlier send. Raises: ClientIdReused when it had other content."""
    membership = membership_of(account_id, repeated.conversation_id)
    message = membership.conversation.messages.get(sender=account_id, client_id=repeated.client_id)
    if message.sent_hash != repeated.sent_hash:
        raise ClientIdReused
    return render_messages([message], membership)[0]


def _publish(caller: Caller, written: Written, message: Message) -> Json:
    """Publish the message to all members, without the quoted text to those who may not see it.

    Returns what the sender sees.
    """
    author = Author(caller.username, written.display_name)
    quote = _quote(message)

    def event(shown: Quote | None) -> MessageCreated:
        rendered = render_message(
            message,
            encrypted=written.conversation.encrypted,
            author=author,
            quote=shown,
            reactions={},
        )
        return MessageCreated(
            conversationId=message.conversation_id.hex, revision=message.revision, message=rendered
        )

    oldest_shown = message.reply_to_seq or message.seq
    seeing = [each for each, joined_seq in written.members.items() if joined_seq < oldest_shown]
    others = [each for each, joined_seq in written.members.items() if joined_seq >= oldest_shown]
    full = event(quote)
    deliveries = [Delivery(seeing, full)]
    if others:
        deliveries.append(Delivery(others, event(None)))
    publish_on_commit(deliveries)
    return full.message
