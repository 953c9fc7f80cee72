"""Everything that a client missed while it was away, in one answer.

The client says which revision of each conversation it knows. All conversations are read in one
query; what is read after it is bounded by the revisions found there. So an answer is the state at
that moment, and a change that is made meanwhile has a revision that the client does not know yet:
it is in the next answer.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Q

from accounts.services.people import people_of
from social.limits import SYNC_CONVERSATIONS, SYNC_MESSAGES
from social.models import Conversation, Membership, Message
from social.services.conversations.render import (
    hide_names,
    last_messages,
    members_of_each,
    render_loaded,
)
from social.services.messages.render import (
    UNKNOWN,
    Author,
    Quote,
    author_of,
    reactions_to,
    render_message,
)

_OF_MEMBERSHIP = [field.attname for field in Membership._meta.concrete_fields]
_OF_CONVERSATION = [field.attname for field in Conversation._meta.concrete_fields]
_COLUMNS = [*_OF_MEMBERSHIP, *(f"conversation__{name}" for name in _OF_CONVERSATION)]
_ID = _COLUMNS.index("conversation_id")
_LAST_READ_SEQ = _COLUMNS.index("last_read_seq")
_OWN_UNREAD = _COLUMNS.index("own_unread")
_LAST_SEQ = _COLUMNS.index("conversation__last_seq")
_REVISION = _COLUMNS.index("conversation__revision")


class Known(NamedTuple):
    """What a client knows of a conversation. `last_read_seq` None: it does not want to hear what
    was read on other devices."""

    revision: int
    last_read_seq: int | None = None


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
    it gets a limited number, those with the newest messages. Six queries, however many there are.
    """
    ids: set[str] = set()
    changed: list[Membership] = []
    new: list[Membership] = []
    unread_total = 0
    for row in _rows(account_id):
        key = row[_ID].hex
        ids.add(key)
        unread_total += row[_LAST_SEQ] - row[_LAST_READ_SEQ] - row[_OWN_UNREAD]
        if key not in known:
            if len(new) < SYNC_CONVERSATIONS:
                new.append(_membership(row))
        elif known[key].revision != row[_REVISION] or known[key].last_read_seq not in (
            None,
            row[_LAST_READ_SEQ],
        ):
            changed.append(_membership(row))
    changed = [*changed, *new][:SYNC_CONVERSATIONS]
    selected, more = _select([_changes_of(each, known) for each in changed])
    conversations, messages = _render(changed, selected)
    return {
        "conversations": conversations,
        "removed": [each for each in known if each not in ids],
        "messages": messages,
        "more": more,
        "unreadTotal": unread_total,
    }


def _rows(account_id: int) -> Iterable[tuple[Any, ...]]:
    """The account's memberships and their conversations as values, the newest message first. Most
    have not changed, and instances of models would cost more than all the rest."""
    rows = Membership.objects.filter(account=account_id, conversation__closed_at=None)
    return rows.order_by("-conversation__last_at", "-conversation_id").values_list(*_COLUMNS)


def _membership(row: tuple[Any, ...]) -> Membership:
    """The instance, with its conversation."""
    values = row[: len(_OF_MEMBERSHIP)], row[len(_OF_MEMBERSHIP) :]
    membership = Membership.from_db(connection.alias, _OF_MEMBERSHIP, values[0])
    membership.conversation = Conversation.from_db(connection.alias, _OF_CONVERSATION, values[1])
    return membership


def _changes_of(membership: Membership, known: Mapping[str, Known]) -> _Changes:
    revision = membership.conversation.revision
    found = known.get(membership.conversation_id.hex)
    # A revision from the future was given before the database was restored from a back-up.
    after = found.revision if found is not None and found.revision <= revision else 0
    # No message has a revision below its `seq`, so none is readable up to `joined_seq`.
    return _Changes(membership, max(after, membership.joined_seq), revision)


def _select(changes: Sequence[_Changes]) -> tuple[list[_Changes], list[str]]:
    """The changes whose messages are in the answer, and the conversations that have more.

    Few changes come before many, so that as many conversations as possible are complete.
    """
    selected, more, left = [], [], SYNC_MESSAGES
    for each in sorted(changes, key=lambda each: each.until - each.after):
        until = min(each.until, each.after + left)
        left -= max(0, until - each.after)
        if until > each.after:
            selected.append(_Changes(each.membership, each.after, until))
        if until < each.until:
            more.append(each.membership.conversation_id.hex)
    return selected, more


def _render(
    memberships: Sequence[Membership], selected: Sequence[_Changes]
) -> tuple[list[dict[str, Any]], dict[str, list[dict[str, Any]]]]:
    """The conversations, and the selected messages by conversation."""
    if not memberships:
        return [], {}
    conversations = {each.conversation_id: each.conversation for each in memberships}
    messages = _messages(selected)
    members = members_of_each(conversations)
    readers = {each.conversation_id: each for each in memberships}
    last, found = last_messages(conversations, _quoted(messages, readers))
    people = people_of(
        {account_id for each in members.values() for account_id in each.account_ids}
        | {each.sender_id or 0 for each in [*messages, *found, *last.values()]}
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
        for message in found
        if message.seq > readers[message.conversation_id].joined_seq
    }
    reactions = reactions_to([each for each in messages if not each.is_gone])
    rendered: dict[str, list[dict[str, Any]]] = {}
    for message in messages:
        rendered.setdefault(message.conversation_id.hex, []).append(
            render_message(
                message,
                encrypted=conversations[message.conversation_id].encrypted,
                author=sender_of(message),
                quote=quotes.get((message.conversation_id, message.reply_to_seq or 0)),
                reactions=reactions.get(message.pk, {}),
            )
        )
    return render_loaded(memberships, members=members, last=last, people=people), rendered


def _messages(selected: Iterable[_Changes]) -> list[Message]:
    """The changed messages, by conversation and revision."""
    wanted = Q()
    for each in selected:
        wanted |= Q(
            conversation=each.membership.conversation_id,
            seq__gt=each.membership.joined_seq,
            revision__gt=each.after,
            revision__lte=each.until,
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
