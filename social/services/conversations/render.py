"""Conversations as JSON, as a member sees them.

Names, pictures, previews and unread counts are derived when a conversation is read, so none of
them can be out of date.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from accounts.services.people import NOBODY, Person, people_of
from accounts.timestamps import milliseconds
from social.models import Conversation, Membership, Message
from social.services.hidden_names import with_hidden_names
from social.services.messages.render import preview_of


def render_conversations(memberships: Sequence[Membership]) -> list[dict[str, Any]]:
    """The JSON of each membership's conversation, as that member sees it.

    The memberships have their conversations loaded; they are of one reader or of all members of
    one conversation. Three queries, however many they are.
    """
    conversations = {each.conversation_id: each.conversation for each in memberships}
    members = members_of_each(conversations)
    last, _ = last_messages(conversations)
    people = people_of(
        {account_id for each in members.values() for account_id in each.account_ids}
        | {message.sender_id or 0 for message in last.values()}
    )
    return render_loaded(memberships, members=members, last=last, people=people)


@dataclass(slots=True)
class Members:
    """The members of a conversation, the longest-standing first, and those whose names are hidden
    from the others (`hidden_names`)."""

    account_ids: list[int] = field(default_factory=list)
    hidden: set[int] = field(default_factory=set)

    def hidden_from(self, reader_id: int) -> set[int]:
        """Those whose names this member does not see; they see their own in any case."""
        return self.hidden - {reader_id}


def render_loaded(
    memberships: Sequence[Membership],
    *,
    members: Mapping[UUID, Members],
    last: Mapping[UUID, Message],
    people: Mapping[int, Person],
) -> list[dict[str, Any]]:
    """As `render_conversations`, from loaded parts: no queries."""
    return [
        _render(each, members[each.conversation_id], last.get(each.conversation_id), people)
        for each in memberships
    ]


def members_of_each(conversation_ids: Iterable[UUID]) -> dict[UUID, Members]:
    found = {each: Members() for each in conversation_ids}
    rows = with_hidden_names(Membership.objects.filter(conversation__in=found))
    values = rows.order_by("joined_at", "pk").values_list(
        "conversation_id", "account_id", "name_hidden"
    )
    for conversation_id, account_id, name_hidden in values:
        found[conversation_id].account_ids.append(account_id)
        if name_hidden:
            found[conversation_id].hidden.add(account_id)
    return found


def last_messages(
    conversations: Mapping[UUID, Conversation], others: Q | None = None
) -> tuple[dict[UUID, Message], list[Message]]:
    """The newest message of each, by the `last_seq` that was read with the conversation: one that
    was sent since then must not contradict the rest of the answer. And, in the same query, the
    `others`. One query more where retention has deleted the newest."""
    is_last = Q(conversation__in=conversations, seq=F("conversation__last_seq"))
    found = list(Message.objects.filter(is_last | others if others else is_last))
    overtaken = Q()
    last: dict[UUID, Message] = {}
    for message in found:
        conversation = conversations[message.conversation_id]
        if message.seq == conversation.last_seq:
            last[conversation.pk] = message
        elif message.seq > conversation.last_seq:
            overtaken |= Q(conversation=conversation.pk, seq=conversation.last_seq)
    if overtaken:
        last |= {row.conversation_id: row for row in Message.objects.filter(overtaken)}
    gone = [pk for pk, each in conversations.items() if each.last_seq and pk not in last]
    for row in _newest_left(gone) if gone else ():
        if row.seq < conversations[row.conversation_id].last_seq:
            last[row.conversation_id] = row
    return last, found


def _newest_left(conversation_ids: list[UUID]) -> QuerySet[Message]:
    """The newest message that retention has left, of conversations whose last one it deleted: among
    imported messages the last one may be the oldest."""
    left = Message.objects.filter(conversation=OuterRef("pk"), seq__lt=OuterRef("last_seq"))
    newest = left.order_by("-seq").values("pk")[:1]
    of_each = Conversation.objects.filter(pk__in=conversation_ids).values_list(Subquery(newest))
    return Message.objects.filter(pk__in=of_each)


def _render(
    reader: Membership, members: Members, last: Message | None, people: Mapping[int, Person]
) -> dict[str, Any]:
    conversation = reader.conversation
    group = conversation.is_group
    admin = people.get(conversation.admin_id or 0)
    shown = [people[each] for each in members.account_ids if each in people]
    hidden = members.hidden_from(reader.account_id)
    if last is not None and last.seq <= reader.joined_seq:
        last = None  # from before they joined
    sender = people.get(last.sender_id or 0, NOBODY) if last else NOBODY
    return {
        "id": conversation.pk.hex,
        "type": conversation.type,
        "participants": [each.username for each in shown],
        "groupName": conversation.group_name if group else None,
        "groupDescription": conversation.group_description if group else None,
        "adminUsername": admin.username if admin else None,
        "encrypted": conversation.encrypted,
        "encryption": conversation.encryption,
        "epoch": conversation.epoch,
        "lastAt": milliseconds(conversation.last_at),
        "lastSeq": conversation.last_seq,
        "revision": conversation.revision,
        "infoRevision": conversation.info_revision,
        "createdAt": milliseconds(conversation.created_at),
        "participantNames": {
            each.username: each.username if each.account_id in hidden else each.display_name
            for each in shown
        },
        "participantPfpUrls": {
            each.username: "" if each.account_id in hidden else each.picture_url for each in shown
        },
        "lastMessage": preview_of(last, conversation) if last else "",
        "lastSenderUsername": sender.username or None,
        "unreadCount": unread_count(reader),
        "lastReadSeq": reader.last_read_seq,
        "joinedSeq": reader.joined_seq,
    }


def unread_count(membership: Membership) -> int:
    """How many messages of others the member has not read, without deleted ones."""
    last_seq = membership.conversation.last_seq
    return max(0, last_seq - membership.last_read_seq - membership.not_counted)
