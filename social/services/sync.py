"""Everything that a client missed while it was away, in one answer.

The client says which revision of each conversation it knows. All conversations are read in one
query; what is read after it is bounded by the revisions found there. So an answer is the state at
that moment, and a change that is made meanwhile has a revision that the client does not know yet:
it is in the next answer.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.services.people import people_of
from social.limits import SYNC_CONVERSATIONS, SYNC_MESSAGES
from social.models import Conversation, Membership, Message
from social.services.conversations.render import (
    hide_names,
    last_messages,
    members_of_each,
    render_loaded,
    unread_count,
)
from social.services.messages.mentions import mentions_in
from social.services.messages.render import (
    UNKNOWN,
    Author,
    Quote,
    author_of,
    reactions_to,
    render_message,
)


class Known(NamedTuple):
    """What a client knows of a conversation. `last_read_seq` None: it does not want to hear what
    was read on other devices."""

    revision: int
    last_read_seq: int | None = None

    def differs_from(self, membership: Membership) -> bool:
        """Whether the conversation has changed, or the account has read on."""
        if self.revision != membership.conversation.revision:
            return True
        return self.last_read_seq not in (None, membership.last_read_seq)


@dataclass(frozen=True, slots=True)
class _Changes:
    """The changes of a conversation with revisions above `after`, up to `until`."""

    membership: Membership
    after: int
    until: int


def find_missed(*, account_id: int, known: Mapping[str, Known]) -> dict[str, Any]:
    """What changed in an account's conversations since the client knew them, by public id: the JSON
    of `/api/sync`.

    `messages` are the changed ones by conversation, in the order of their changes; of those in
    `more` there are others after them. Conversations that it knows come before new ones, of which
    it gets a limited number, those with the newest messages. Six queries, however many there are,
    and one more where messages may mention somebody.
    """
    left_of_known = dict(known)
    changed: list[Membership] = []
    new: list[Membership] = []
    unread_total = 0
    for membership in _memberships(account_id):
        unread_total += unread_count(membership)
        state = left_of_known.pop(membership.conversation_id.hex, None)
        if state is None:
            new.append(membership)
        elif state.differs_from(membership):
            changed.append(membership)
    changed = [*changed, *new][:SYNC_CONVERSATIONS]
    selected, more = _select([_changes_of(membership, known) for membership in changed])
    conversations, messages = _render(changed, selected)
    return {
        "conversations": conversations,
        "removed": list(left_of_known),
        "messages": messages,
        "more": more,
        "unreadTotal": unread_total,
    }


def _memberships(account_id: int) -> QuerySet[Membership]:
    """The account's memberships with their conversations, the newest message first."""
    rows = Membership.objects.filter(account=account_id, conversation__closed_at=None)
    newest_first = rows.order_by("-conversation__last_at", "-conversation_id")
    return newest_first.select_related("conversation")


def _changes_of(membership: Membership, known: Mapping[str, Known]) -> _Changes:
    revision = membership.conversation.revision
    state = known.get(membership.conversation_id.hex)
    # A revision from the future was given before the database was restored from a back-up.
    after = state.revision if state is not None and state.revision <= revision else 0
    # No message has a revision below its `seq`, so none is readable up to `joined_seq`.
    return _Changes(membership, max(after, membership.joined_seq), revision)


def _select(changes: Sequence[_Changes]) -> tuple[list[_Changes], list[str]]:
    """The changes whose messages are in the answer, and the conversations that have more.

    Few changes come before many, so that as many conversations as possible are complete.
    """
    selected, more, left = [], [], SYNC_MESSAGES
    for change in sorted(changes, key=lambda change: change.until - change.after):
        until = min(change.until, change.after + left)
        left -= max(0, until - change.after)
        if until > change.after:
            selected.append(_Changes(change.membership, change.after, until))
        if until < change.until:
            more.append(change.membership.conversation_id.hex)
    return selected, more


def _render(
    memberships: Sequence[Membership], selected: Sequence[_Changes]
) -> tuple[list[dict[str, Any]], dict[str, list[dict[str, Any]]]]:
    """The conversations, and the selected messages by conversation."""
    if not memberships:
        return [], {}
    readers = {membership.conversation_id: membership for membership in memberships}
    conversations = {pk: membership.conversation for pk, membership in readers.items()}
    messages = _messages(selected)
    members = members_of_each(conversations)
    last, quoted = last_messages(conversations, _quoted(messages, readers))
    people = people_of(
        {account_id for group in members.values() for account_id in group.account_ids}
        | {message.sender_id or 0 for message in [*messages, *quoted, *last.values()]}
    )
    hide_names(members, people)

    def sender_of(message: Message) -> Author:
        sender = people.get(message.sender_id or 0)
        if sender is None:
            return UNKNOWN
        reader = readers[message.conversation_id]
        hidden = members[message.conversation_id].hidden_from(reader.account_id)
        return author_of(sender, hidden=sender.account_id in hidden)

    quotes = {
        (message.conversation_id, message.seq): Quote(message, sender_of(message))
        for message in quoted
        if message.seq > readers[message.conversation_id].joined_seq
    }
    rendered = _render_messages(messages, conversations, quotes, sender_of)
    return render_loaded(memberships, members=members, last=last, people=people), rendered


def _render_messages(
    messages: Sequence[Message],
    conversations: Mapping[UUID, Conversation],
    quotes: Mapping[tuple[UUID, int], Quote],
    sender_of: Callable[[Message], Author],
) -> dict[str, list[dict[str, Any]]]:
    """The messages by conversation."""
    shown = [message for message in messages if not message.is_gone]
    reactions = reactions_to(shown)
    encrypted = {pk for pk, conversation in conversations.items() if conversation.encrypted}
    mentions = mentions_in(shown, encrypted)
    rendered: dict[str, list[dict[str, Any]]] = {}
    for message in messages:
        rendered.setdefault(message.conversation_id.hex, []).append(
            render_message(
                message,
                encrypted=message.conversation_id in encrypted,
                author=sender_of(message),
                quote=quotes.get((message.conversation_id, message.reply_to_seq or 0)),
                reactions=reactions.get(message.pk, {}),
                mentions=mentions.get(message.pk, []),
            )
        )
    return rendered


def _messages(selected: Iterable[_Changes]) -> list[Message]:
    """The changed messages, by conversation and revision."""
    wanted = Q()
    for change in selected:
        wanted |= Q(
            conversation=change.membership.conversation_id,
            seq__gt=change.membership.joined_seq,
            revision__gt=change.after,
            revision__lte=change.until,
        )
    if not wanted:
        return []
    return list(Message.objects.filter(wanted).order_by("conversation", "revision"))


def _quoted(messages: Iterable[Message], readers: Mapping[UUID, Membership]) -> Q:
    """Which messages these reply to, of those that the reader may see."""
    wanted = Q()
    for message in messages:
        seq = message.reply_to_seq
        if seq and not message.is_gone and seq > readers[message.conversation_id].joined_seq:
            wanted |= Q(conversation=message.conversation_id, seq=seq)
    return wanted
