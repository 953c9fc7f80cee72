"""Conversations as JSON, as a member sees them.

Names, pictures, previews and unread counts are derived when a conversation is read, so none of
them can be out of date.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import Q

from accounts.real_names import real_name_beside
from accounts.services.people import NOBODY, Person, people_of
from accounts.timestamps import milliseconds
from social.models import Conversation, Membership, Message
from social.services.contact import hidden_names
from social.services.messages.render import preview_of


def render_conversations(memberships: Sequence[Membership]) -> list[dict[str, Any]]:
    """The JSON of each membership's conversation, as that member sees it.

    The memberships have their conversations loaded; they are of one reader or of all members of
    one conversation. Three queries, however many they are, and three more at most where two people
    are alone in one.
    """
    conversations = {row.conversation_id: row.conversation for row in memberships}
    members = members_of_each(conversations)
    last, _ = last_messages(conversations)
    people = people_of(
        {account_id for group in members.values() for account_id in group.account_ids}
        | {message.sender_id or 0 for message in last.values()}
    )
    hide_names(members, people)
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
        _render(row, members[row.conversation_id], last.get(row.conversation_id), people)
        for row in memberships
    ]


def members_of_each(conversation_ids: Iterable[UUID]) -> dict[UUID, Members]:
    """The members of these conversations, before `hide_names`."""
    members = {pk: Members() for pk in conversation_ids}
    rows = Membership.objects.filter(conversation__in=members).order_by("joined_at", "pk")
    for conversation_id, account_id in rows.values_list("conversation_id", "account_id"):
        members[conversation_id].account_ids.append(account_id)
    return members


def hide_names(members: Mapping[UUID, Members], people: Mapping[int, Person]) -> None:
    """Set whose names are hidden. `people`: all the members."""
    account_ids = {pk: group.account_ids for pk, group in members.items()}
    for conversation_id, hidden in hidden_names(account_ids, people).items():
        members[conversation_id].hidden = hidden


def last_messages(
    conversations: Mapping[UUID, Conversation], others: Q | None = None
) -> tuple[dict[UUID, Message], list[Message]]:
    """The newest message of each, by the `last_seq` that was read with the conversation: one that
    was sent since then must not contradict the rest of the answer. And, in the same query, the
    `others`."""
    wanted = others or Q()
    for conversation in conversations.values():
        wanted |= Q(conversation=conversation.pk, seq=conversation.last_seq)
    messages = list(Message.objects.filter(wanted)) if wanted else []
    last = {
        message.conversation_id: message
        for message in messages
        if message.seq == conversations[message.conversation_id].last_seq
    }
    return last, messages


def _render(
    reader: Membership, members: Members, last: Message | None, people: Mapping[int, Person]
) -> dict[str, Any]:
    conversation = reader.conversation
    group = conversation.is_group
    admin = people.get(conversation.admin_id or 0)
    shown = [people[pk] for pk in members.account_ids if pk in people]
    hidden = members.hidden_from(reader.account_id)
    if last is not None and last.seq <= reader.joined_seq:
        last = None  # from before they joined
    sender = people.get(last.sender_id or 0, NOBODY) if last else NOBODY
    return {
        "id": conversation.pk.hex,
        "type": conversation.type,
        "participants": [person.username for person in shown],
        "groupName": conversation.group_name if group else None,
        "groupDescription": conversation.group_description if group else None,
        "adminUsername": admin.username if admin else None,
        "encrypted": conversation.encrypted,
        "encryption": conversation.encryption,
        "keyCheck": conversation.key_check or None,
        "epoch": conversation.epoch,
        "lastAt": milliseconds(conversation.last_at),
        "lastSeq": conversation.last_seq,
        "revision": conversation.revision,
        "infoRevision": conversation.info_revision,
        "createdAt": milliseconds(conversation.created_at),
        **_members(shown, hidden),
        "lastMessage": preview_of(last, conversation) if last else "",
        "lastSenderUsername": sender.username or None,
        "unreadCount": unread_count(reader),
        "lastReadSeq": reader.last_read_seq,
        "joinedSeq": reader.joined_seq,
    }


def _members(people: Sequence[Person], hidden: set[int]) -> dict[str, Any]:
    """The names and pictures of the members, who they really are, and what kind of person."""
    names = {
        person.username: person.username if person.account_id in hidden else person.display_name
        for person in people
    }
    real_names = {
        person.username: real_name_beside(names[person.username], person.real_name)
        for person in people
    }
    return {
        "participantNames": names,
        "participantTypes": {person.username: person.user_type for person in people},
        "participantRealNames": {name: real for name, real in real_names.items() if real},
        "participantPfpUrls": {
            person.username: "" if person.account_id in hidden else person.picture_url
            for person in people
        },
    }


def unread_count(membership: Membership) -> int:
    """How many messages of others the member has not read, without deleted ones."""
    last_seq = membership.conversation.last_seq
    return max(0, last_seq - membership.last_read_seq - membership.own_unread)
