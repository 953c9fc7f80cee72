"""Messages as JSON: current names, quotes and reactions are joined when a message is read."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple

from django.db.models import Case, Exists, F, OuterRef, When

from accounts.models import Account
from accounts.timestamps import milliseconds
from social.limits import PREVIEW_LENGTH, QUOTE_LENGTH
from social.models import Conversation, Membership, Message, Reaction
from social.models.messages import public_id
from social.services.hidden_names import with_hidden_names

ENCRYPTED_LABEL = "Encrypted message"
DELETED_LABEL = "Deleted message"
CARD_LABEL = "Shared card"


class Author(NamedTuple):
    """The sender of a message, by current names."""

    username: str
    display_name: str


# The sender of a message whose account is erased.
UNKNOWN = Author("", "")


class Quote(NamedTuple):
    """A message that another one replies to."""

    message: Message
    author: Author


def render_messages(messages: Sequence[Message], membership: Membership) -> list[dict[str, Any]]:
    """The JSON of messages of one conversation, as the member sees them.

    Three queries at most, for any number of messages.
    """
    conversation = membership.conversation
    shown = [message for message in messages if not message.is_gone]
    quoted = _quoted(shown, membership)
    reactions = reactions_to(shown)
    senders = {message.sender_id for message in [*messages, *quoted]}
    authors = _authors_of(senders, conversation, membership.account_id)
    quotes = {each.seq: Quote(each, authors.get(each.sender_id, UNKNOWN)) for each in quoted}
    return [
        render_message(
            message,
            encrypted=conversation.encrypted,
            author=authors.get(message.sender_id, UNKNOWN),
            quote=quotes.get(message.reply_to_seq or 0),
            reactions=reactions.get(message.pk, {}),
        )
        for message in messages
    ]


def render_message(
    message: Message,
    *,
    encrypted: bool,
    author: Author,
    quote: Quote | None,
    reactions: Mapping[str, list[str]],
) -> dict[str, Any]:
    """The JSON of one message, from loaded parts. One that is gone is rendered as a tombstone."""
    deleted_at = message.deleted_at or message.hidden_at
    if message.is_gone:
        message = copy(message)
        message.empty()
        reactions, quote = {}, None
    return {
        "id": message.public_id,
        "conversationId": message.conversation_id.hex,
        "seq": message.seq,
        "revision": message.revision,
        "clientId": message.client_id,
        "senderUsername": author.username,
        "senderDisplayName": author.display_name,
        "content": message.content,
        "encrypted": encrypted,
        "iv": message.iv,
        "epoch": message.epoch,
        "edited": message.edited_at is not None,
        "editedAt": message.edited_at and milliseconds(message.edited_at),
        "pinned": message.pinned,
        "deletedAt": deleted_at and milliseconds(deleted_at),
        "createdAt": milliseconds(message.created_at),
        "reactions": dict(reactions),
        "replyTo": _render_quote(message, quote, encrypted=encrypted),
        "shareCard": message.share_card,
    }


def preview_of(message: Message, conversation: Conversation) -> str:
    """The beginning of a message for the list; a label when it is deleted, encrypted, or a card
    without a text."""
    if message.is_gone:
        return DELETED_LABEL
    if conversation.encrypted:
        return ENCRYPTED_LABEL
    if not message.content and message.share_card:
        return CARD_LABEL
    return message.content[:PREVIEW_LENGTH]


def _authors_of(
    account_ids: Iterable[int | None], conversation: Conversation, reader_id: int
) -> dict[int | None, Author]:
    """The names of these accounts as the reader of the conversation sees them (`hidden_names`), in
    one query at most; erased ones are missing."""
    wanted = {account_id for account_id in account_ids if account_id is not None}
    if not wanted:
        return {}
    shown_as: F | Case = F("profile__display_name")
    if not conversation.is_group:
        of_author = Membership.objects.filter(conversation=conversation, account=OuterRef("pk"))
        hidden = with_hidden_names(of_author.exclude(account=reader_id)).filter(name_hidden=True)
        shown_as = Case(When(Exists(hidden), then=F("username")), default=shown_as)
    rows = Account.objects.filter(pk__in=wanted).annotate(shown_as=shown_as)
    names = rows.values_list("pk", "username", "shown_as")
    return {pk: Author(username, shown_as) for pk, username, shown_as in names}


def _render_quote(
    message: Message, quote: Quote | None, *, encrypted: bool
) -> dict[str, Any] | None:
    """The beginning of the quoted message. `quote` is None when the reader may not see it, or it no
    longer exists."""
    if message.reply_to_seq is None:
        return None
    readable = quote is not None and not encrypted and not quote.message.is_gone
    return {
        "messageId": public_id(message.conversation_id, message.reply_to_seq),
        "content": quote.message.content[:QUOTE_LENGTH] if quote and readable else "",
        "senderDisplayName": "" if quote is None else quote.author.display_name,
    }


def _quoted(messages: Sequence[Message], membership: Membership) -> list[Message]:
    """The messages that these reply to and that the member may see."""
    seqs = {message.reply_to_seq for message in messages if message.reply_to_seq}
    visible = {seq for seq in seqs if seq > membership.joined_seq}
    if not visible:
        return []
    rows = Message.objects.filter(conversation_id=membership.conversation_id, seq__in=visible)
    return list(rows)


def reactions_to(messages: Sequence[Message]) -> dict[int, dict[str, list[str]]]:
    """Message id -> emoji -> usernames, the oldest reaction first, in one query."""
    found: dict[int, dict[str, list[str]]] = {}
    if not messages:
        return found
    rows = (
        Reaction.objects.filter(message__in=[message.pk for message in messages])
        .order_by("pk")
        .values_list("message_id", "emoji", "account__username")
    )
    for message_id, emoji, username in rows:
        found.setdefault(message_id, {}).setdefault(emoji, []).append(username)
    return found
