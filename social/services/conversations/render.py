"""Conversations as JSON, as a member sees them.

Names, pictures, previews and unread counts are derived when a conversation is read, so none of
them can be out of date.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import F, Q

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
    members, hidden = _members_of_each(conversations)
    last = _last_messages(conversations)
    wanted = {account_id for ids in members.values() for account_id in ids}
    people = people_of(wanted | {message.sender_id or 0 for message in last.values()})
    shared = {
        key: _shared_fields(conversation, members[key], people)
        for key, conversation in conversations.items()
    }
    return [
        shared[each.conversation_id]
        | _names(members[each.conversation_id], people, hidden[each.conversation_id], each)
        | _member_fields(each, last.get(each.conversation_id), people)
        for each in memberships
    ]


def _members_of_each(
    ids: Iterable[UUID],
) -> tuple[dict[UUID, list[int]], dict[UUID, set[int]]]:
    """The members, and those of them whose names are hidden from the others (`hidden_names`)."""
    members: dict[UUID, list[int]] = {each: [] for each in ids}
    hidden: dict[UUID, set[int]] = {each: set() for each in members}
    rows = with_hidden_names(Membership.objects.filter(conversation__in=members))
    values = rows.order_by("joined_at", "pk").values_list(
        "conversation_id", "account_id", "name_hidden"
    )
    for conversation_id, account_id, name_hidden in values:
        members[conversation_id].append(account_id)
        if name_hidden:
            hidden[conversation_id].add(account_id)
    return members, hidden


def _last_messages(conversations: Mapping[UUID, Conversation]) -> dict[UUID, Message]:
    """The newest message of each, by the `last_seq` that was read with the conversation: one that
    was sent since then must not contradict the rest of the answer."""
    rows = Message.objects.filter(conversation__in=conversations)
    newest = {row.conversation_id: row for row in rows.filter(seq=F("conversation__last_seq"))}
    overtaken = Q()
    for key, conversation in conversations.items():
        if key in newest and newest[key].seq != conversation.last_seq:
            overtaken |= Q(conversation=key, seq=conversation.last_seq)
    if overtaken:
        newest |= {row.conversation_id: row for row in Message.objects.filter(overtaken)}
    return newest


def _shared_fields(
    conversation: Conversation, member_ids: list[int], people: dict[int, Person]
) -> dict[str, Any]:
    members = [people[each] for each in member_ids if each in people]
    admin = people.get(conversation.admin_id or 0)
    group = conversation.is_group
    return {
        "id": conversation.pk.hex,
        "type": conversation.type,
        "participants": [person.username for person in members],
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
    }


def _names(
    member_ids: list[int], people: dict[int, Person], hidden: set[int], reader: Membership
) -> dict[str, Any]:
    """Everybody's name and picture; the reader sees their own in any case."""
    hidden = hidden - {reader.account_id}
    members = [people[each] for each in member_ids if each in people]
    return {
        "participantNames": {
            each.username: each.username if each.account_id in hidden else each.display_name
            for each in members
        },
        "participantPfpUrls": {
            each.username: "" if each.account_id in hidden else each.picture_url for each in members
        },
    }


def _member_fields(
    membership: Membership, last: Message | None, people: dict[int, Person]
) -> dict[str, Any]:
    """The fields that differ by member; no preview of a message from before they joined."""
    conversation = membership.conversation
    shown = last if last is not None and last.seq > membership.joined_seq else None
    sender = people.get(shown.sender_id or 0, NOBODY) if shown else NOBODY
    unread = conversation.last_seq - membership.last_read_seq - membership.not_counted
    return {
        "lastMessage": preview_of(shown, conversation) if shown else "",
        "lastSenderUsername": sender.username or None,
        "unreadCount": max(0, unread),
        "lastReadSeq": membership.last_read_seq,
        "joinedSeq": membership.joined_seq,
    }
