"""Messages as JSON: current names, quotes and reactions are joined when a message is read."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple

from accounts.real_names import real_name_beside
from accounts.services.people import Person, UserType, people_of
from accounts.timestamps import milliseconds
from social.access import first_members
from social.limits import PREVIEW_LENGTH, QUOTE_LENGTH
from social.models import Conversation, Membership, Message, Reaction
from social.models.messages import public_id
from social.services.contact import hidden_names
from social.services.messages.mentions import mentions_in

ENCRYPTED_LABEL = "Encrypted message"
DELETED_LABEL = "Deleted message"
CARD_LABEL = "Shared card"


class Author(NamedTuple):
    """The sender of a message, by current names. `real_name`: where the display name reads
    differently."""

    username: str
    display_name: str
    user_type: UserType | None
    real_name: str | None


# The sender of a message whose account is erased.
UNKNOWN = Author("", "", None, None)


def author_of(person: Person, *, hidden: bool = False) -> Author:
    """The author as readers see them. `hidden`: by their username (`hidden_names`)."""
    name = person.username if hidden else person.display_name
    real_name = real_name_beside(name, person.real_name)
    return Author(person.username, name, person.user_type, real_name)


class Quote(NamedTuple):
    """A message that another one replies to."""

    message: Message
    author: Author


def render_messages(messages: Sequence[Message], membership: Membership) -> list[dict[str, Any]]:
    """The JSON of messages of one conversation, as the member sees them.

    Five queries at most, for any number of messages, and four more where two people are alone.
    """
    conversation = membership.conversation
    shown = [message for message in messages if not message.is_gone]
    quoted = _quoted(shown, membership)
    reactions = reactions_to(shown)
    mentions = mentions_in(shown, {conversation.pk} if conversation.encrypted else ())
    senders = {message.sender_id for message in [*messages, *quoted]}
    authors = _authors_of(senders, conversation, membership.account_id)
    quotes = {
        message.seq: Quote(message, authors.get(message.sender_id, UNKNOWN)) for message in quoted
    }
    return [
        render_message(
            message,
            encrypted=conversation.encrypted,
            author=authors.get(message.sender_id, UNKNOWN),
            quote=quotes.get(message.reply_to_seq or 0),
            reactions=reactions.get(message.pk, {}),
            mentions=mentions.get(message.pk, []),
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
    mentions: Sequence[str],
) -> dict[str, Any]:
    """The JSON of one message, from loaded parts. One that is gone is rendered as a tombstone."""
    deleted_at = message.deleted_at or message.hidden_at
    if message.is_gone:
        message = copy(message)
        message.empty()
        reactions, mentions, quote = {}, [], None
    return {
        "id": message.public_id,
        "conversationId": message.conversation_id.hex,
        "seq": message.seq,
        "revision": message.revision,
        "clientId": message.client_id,
        "senderUsername": author.username,
        "senderDisplayName": author.display_name,
        "senderUserType": author.user_type,
        "senderRealName": author.real_name,
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
        "mentions": list(mentions),
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
    """The names of these accounts as the reader of the conversation sees them (`hidden_names`);
    erased ones are missing."""
    wanted = {account_id for account_id in account_ids if account_id is not None}
    if not wanted:
        return {}
    hidden: set[int] = set()
    if wanted != {reader_id}:
        members = {conversation.pk: first_members(conversation.pk)}
        hidden = hidden_names(members).get(conversation.pk, set()) - {reader_id}
    people = people_of(wanted)
    return {pk: author_of(person, hidden=pk in hidden) for pk, person in people.items()}


def _render_quote(
    message: Message, quote: Quote | None, *, encrypted: bool
) -> dict[str, Any] | None:
    """The beginning of the quoted message. `quote` is None when the reader may not see it, or it no
    longer exists."""
    if message.reply_to_seq is None:
        return None
    author = UNKNOWN if quote is None else quote.author
    readable = quote is not None and not encrypted and not quote.message.is_gone
    return {
        "messageId": public_id(message.conversation_id, message.reply_to_seq),
        "content": quote.message.content[:QUOTE_LENGTH] if quote and readable else "",
        "senderUsername": author.username,
        "senderDisplayName": author.display_name,
        "senderUserType": author.user_type,
        "senderRealName": author.real_name,
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
    reactions: dict[int, dict[str, list[str]]] = {}
    if not messages:
        return reactions
    rows = (
        Reaction.objects.filter(message__in=[message.pk for message in messages])
        .order_by("pk")
        .values_list("message_id", "emoji", "account__username")
    )
    for message_id, emoji, username in rows:
        reactions.setdefault(message_id, {}).setdefault(emoji, []).append(username)
    return reactions
