"""Sending a message: under the lock of its conversation it is checked, numbered and told of."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.callers import Caller
from accounts.errors import NotFound
from accounts.real_names import name_in_text
from accounts.registry import share_cards
from accounts.services.people import Person, people_of
from social.access import lock_conversation, membership_of
from social.errors import ClientIdReused, NotForEncrypted
from social.models import Membership, Message
from social.models.messages import seq_of
from social.realtime.events import MessageCreated
from social.realtime.publish import Delivery, publish_on_commit
from social.services.contact import require_may_write
from social.services.messages.drafts import Draft, check_form, spend_iv
from social.services.messages.mentions import Mentioned, find_mentioned, save_mentions
from social.services.messages.render import (
    UNKNOWN,
    Quote,
    author_of,
    render_message,
    render_messages,
)
from social.services.notifications.new_messages import notify_members
from stats import counters

Json = dict[str, Any]


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
    require_may_write(conversation, caller.account_id)
    sent = Message.objects.filter(sender=caller.account_id, conversation=conversation_id)
    if draft.client_id is not None and sent.filter(client_id=draft.client_id).exists():
        return None
    (kind,) = (kind for kind in share_cards() if kind.name == wanted["type"])
    return kind.build(caller, wanted[kind.id_field])


@transaction.atomic
def _send(
    caller: Caller, conversation_id: UUID, draft: Draft, card: Json | None
) -> tuple[Json, bool]:
    conversation = lock_conversation(conversation_id)
    members = {row.account_id: row for row in conversation.memberships.all()}
    own = members.get(caller.account_id)
    if own is None:
        raise NotFound
    own.conversation = conversation

    used_iv = check_form(conversation, draft)
    quoted = _quoted(own, draft)
    people = _people(caller.account_id, members, quoted)
    require_may_write(conversation, caller.account_id, members, people)
    sent = _sent_before(own, draft)
    if sent is not None:
        return sent, False
    mentioned = find_mentioned(
        caller.account_id,
        conversation,
        content=draft.content,
        named=draft.mentions,
        members=members,
    )
    if used_iv is not None:
        spend_iv(account_id=caller.account_id, conversation_id=conversation_id, iv=used_iv)
    message = _create(own, draft, quoted, card)
    save_mentions(message, mentioned)
    rendered = _publish(message, quoted, members.values(), people, mentioned)
    notify_members(
        message,
        conversation,
        members=members,
        quoted=quoted,
        mentioned=mentioned,
        sender=name_in_text(
            rendered["senderDisplayName"] or rendered["senderUsername"], rendered["senderRealName"]
        ),
    )
    return rendered, True


def _people(sender_id: int, members: Collection[int], quoted: Message | None) -> dict[int, Person]:
    """The sender, the author of the quoted message and, where two people are alone, the other one:
    everybody whose name or settings a send depends on, in one query."""
    needed = {sender_id} if len(members) > 2 else set(members)
    if quoted is not None and quoted.sender_id is not None:
        needed.add(quoted.sender_id)
    return people_of(needed)


def _create(own: Membership, draft: Draft, quoted: Message | None, card: Json | None) -> Message:
    """The message with the next number of its locked conversation, which its sender has read."""
    conversation = own.conversation
    message = Message(
        conversation=conversation,
        seq=conversation.last_seq + 1,
        revision=conversation.revision + 1,
        epoch=conversation.epoch,
        sender_id=own.account_id,
        client_id=draft.client_id,
        sent_hash=draft.keyed_hash if draft.client_id is not None else "",
        content=draft.content,
        iv=draft.iv if conversation.encrypted else None,
        reply_to_seq=quoted.seq if quoted else None,
        share_card=card,
        created_at=max(timezone.now(), conversation.last_at),
    )
    message.set_search_key()
    message.save(force_insert=True)
    conversation.last_seq, conversation.revision = message.seq, message.revision
    conversation.last_at = message.created_at
    conversation.save(update_fields=["last_seq", "revision", "last_at"])
    _mark_read(own, message)
    return message


def _quoted(own: Membership, draft: Draft) -> Message | None:
    """The message that the draft replies to. Raises: NotFound, also for one from
    before the member joined."""
    if not draft.reply_to:
        return None
    rows = Message.objects.filter(
        conversation=own.conversation_id,
        # 0, which no message has, for an id that is not of this conversation.
        seq=seq_of(draft.reply_to, own.conversation_id) or 0,
        seq__gt=own.joined_seq,
    )
    quoted = rows.first()
    if quoted is None:
        raise NotFound
    return quoted


def _sent_before(own: Membership, draft: Draft) -> Json | None:
    """The message of an earlier send with the same `client_id`, as it is now. Raises:
    ClientIdReused when that had other content."""
    if draft.client_id is None:
        return None
    rows = Message.objects.filter(
        conversation=own.conversation_id, sender=own.account_id, client_id=draft.client_id
    )
    if not rows.exists():
        return None
    message = rows.get()
    if message.sent_hash != draft.keyed_hash:
        raise ClientIdReused
    return render_messages([message], own)[0]


def _mark_read(own: Membership, message: Message) -> None:
    """The sender has read their message. If there are unread messages before it, it is counted
    among those that are not unread."""
    if own.last_read_seq == message.seq - 1:
        own.last_read_seq = message.seq
    else:
        own.own_unread += 1
    own.save(update_fields=["last_read_seq", "own_unread"])


def _publish(
    message: Message,
    quoted: Message | None,
    members: Collection[Membership],
    people: Mapping[int, Person],
    mentioned: Mentioned,
) -> Json:
    """Publish the message to all members, without the quoted text to those who may not see it.

    Returns what the sender sees.
    """
    authors = {account_id: author_of(person) for account_id, person in people.items()}
    author = authors.get(message.sender_id or 0, UNKNOWN)
    quote = Quote(quoted, authors.get(quoted.sender_id or 0, UNKNOWN)) if quoted else None

    def event(visible: Quote | None) -> MessageCreated:
        rendered = render_message(
            message,
            encrypted=message.conversation.encrypted,
            author=author,
            quote=visible,
            reactions={},
            mentions=list(mentioned.values()),
        )
        return MessageCreated(
            conversationId=message.conversation_id.hex, revision=message.revision, message=rendered
        )

    oldest_shown = message.reply_to_seq or message.seq
    seeing = [row.account_id for row in members if row.joined_seq < oldest_shown]
    others = [row.account_id for row in members if row.joined_seq >= oldest_shown]
    full = event(quote)
    deliveries = [Delivery(seeing, full)]
    if others:
        deliveries.append(Delivery(others, event(None)))
    publish_on_commit(deliveries)
    return full.message
