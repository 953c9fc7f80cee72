"""Notifications of new messages: one for each conversation and person while it is unread. `about`
is the conversation's id, and begins with it in those of `replies.py`.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.notification_types import NotificationItem, NotificationKind, NotificationText
from accounts.real_names import name_in_text
from notifications.models import Notification
from notifications.services.notifications import end_notifications
from social.models import Block, Conversation, Membership
from social.services.conversations.render import render_conversations, unread_count
from social.services.messages.render import CARD_LABEL, DELETED_LABEL

PREVIEW_LENGTH = 80
# The list says the same to all clients; a push is read as it comes.
_LABELS = {
    CARD_LABEL: gettext_lazy("Shared card"),
    DELETED_LABEL: gettext_lazy("Deleted message"),
}
_WITHOUT_NAMES: dict[str, Any] = {
    "lastMessage": "",
    "lastSenderUsername": None,
    "participantNames": {},
    "participantRealNames": {},
}


def describe_messages(items: Sequence[NotificationItem]) -> dict[UUID, NotificationText]:
    """Left out: conversations that the person has left or read, or whose unread messages were all
    deleted, and older notifications of the same conversation. Words of somebody across a block are
    no preview."""
    texts: dict[UUID, NotificationText] = {}
    blocked = usernames_across_a_block(items)
    newest = {(item.account_id, item.about): item for item in sorted(items, key=_age)}
    for item, membership, conversation in with_conversations(list(newest.values())):
        count = conversation["unreadCount"]
        sender = conversation["lastSenderUsername"] or ""
        is_heard = sender not in blocked[item.account_id]
        last = conversation["lastMessage"]
        if count:
            texts[item.id] = message_text(
                membership.conversation,
                title=_title(conversation, membership),
                count=count,
                sender=name_of(conversation, sender) if is_heard else "",
                preview=str(_LABELS.get(last, last)) if is_heard else "",
            )
    return texts


def message_text(
    conversation: Conversation, *, title: str, count: int, sender: str = "", preview: str = ""
) -> NotificationText:
    """The text about a conversation with so many unread messages, the last one by `sender`."""
    body = ngettext("%(count)d new message", "%(count)d new messages", count) % {"count": count}
    encrypted = conversation.encrypted
    return NotificationText(
        title=title,
        body=body,
        summary=ngettext("You have %(count)d new message", "You have %(count)d new messages", count)
        % {"count": count},
        preview_title="" if encrypted else sender or title,
        preview_body="" if encrypted else preview[:PREVIEW_LENGTH],
        url=f"/conversations/{conversation.pk.hex}",
        data={"conversationId": conversation.pk.hex, "count": count},
    )


MESSAGE = NotificationKind(name="message", describe=describe_messages, urgent=True, pushed=True)


def end_notifications_of_conversation(account_id: int, conversation_id: UUID) -> None:
    """Its locked reader has read to its end: the notification of its messages is gone, and those
    of replies are read."""
    own = Notification.objects.filter(account_id=account_id)
    messages = own.filter(kind="message", about=conversation_id.hex)
    replies = own.filter(kind="reply", about__startswith=f"{conversation_id.hex}:")
    end_notifications(account_id, gone=messages, read=replies)


def _age(item: NotificationItem) -> datetime:
    return item.created_at


def usernames_across_a_block(items: Iterable[NotificationItem]) -> dict[int, set[str]]:
    """Of each reader those whom they have blocked, or who have blocked them, in one query."""
    blocked: dict[int, set[str]] = {item.account_id: set() for item in items}
    rows = Block.objects.filter(Q(blocker__in=blocked) | Q(blocked__in=blocked))
    for blocker, blocker_name, other, other_name in rows.values_list(
        "blocker_id", "blocker__username", "blocked_id", "blocked__username"
    ):
        if blocker in blocked:
            blocked[blocker].add(other_name)
        if other in blocked:
            blocked[other].add(blocker_name)
    return blocked


def with_conversations(
    items: Iterable[NotificationItem],
) -> Iterable[tuple[NotificationItem, Membership, dict[str, Any]]]:
    """Each item whose person is still in the conversation, with the conversation as they see it."""
    wanted = {(item.account_id, item.about[:32]) for item in items}
    rows = Membership.objects.filter(
        account__in={account_id for account_id, _about in wanted},
        conversation__in={UUID(hex=about) for _account_id, about in wanted},
        conversation__closed_at=None,
    ).select_related("conversation", "account")
    memberships = [row for row in rows if (row.account_id, row.conversation_id.hex) in wanted]
    # Most pushes have no preview: without names a text takes 0.7 ms of CPU time, with them 7.
    if any(item.names for item in items):
        rendered = render_conversations(memberships)
    else:
        rendered = [{**_WITHOUT_NAMES, "unreadCount": unread_count(row)} for row in memberships]
    by_reader = {
        (row.account_id, row.conversation_id.hex): (row, conversation)
        for row, conversation in zip(memberships, rendered, strict=True)
    }
    for item in items:
        if (key := (item.account_id, item.about[:32])) in by_reader:
            yield item, *by_reader[key]


def _title(conversation: dict[str, Any], membership: Membership) -> str:
    """The name of the group, or of the other person as the reader sees it."""
    if membership.conversation.is_group:
        return group_title(membership.conversation)
    me = membership.account.username
    others = (username for username in conversation["participantNames"] if username != me)
    return name_of(conversation, next(others, "")) or _("Somebody")


def group_title(group: Conversation) -> str:
    """The name of a group, which is marked as one, so that it is not taken for a person's."""
    return _("Group: %(name)s") % {"name": group.group_name} if group.group_name else _("Group")


def name_of(conversation: dict[str, Any], username: str) -> str:
    """The name of a participant, as the reader sees it."""
    name = conversation["participantNames"].get(username, username)
    return name_in_text(name, conversation["participantRealNames"].get(username))
