"""Notifications of messages that are meant for one person: replies to their own messages, one each,
and mentions, one for each group while it is unread.

`about` is the conversation's id, `:` and the number of the reply, or `MENTIONS`. The details of
those of mentions have the number of the first message, `seq`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django.db.models import Count, Max, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.notification_types import NotificationItem, NotificationKind, NotificationText
from social.models import Conversation, Membership, Mention, Message
from social.models.messages import public_id
from social.services.notifications.messages import (
    PREVIEW_LENGTH,
    group_title,
    name_of,
    usernames_across_a_block,
    with_conversations,
)

# In place of the number of a message, in the `about` of mentions. No message has it.
MENTIONS: Final = "0"
# A notification, its reader's membership, and the conversation as they see it.
ItemInConversation = tuple[NotificationItem, Membership, dict[str, Any]]
# The number of a message, and how many the notification is about.
Newest = tuple[int, int]


def about_mentions(conversation: Conversation) -> str:
    return f"{conversation.pk.hex}:{MENTIONS}"


def describe_replies(items: Sequence[NotificationItem]) -> dict[UUID, NotificationText]:
    """Left out: messages that were deleted, or are by somebody across a block, and conversations
    that the person has left."""
    items_here = list(with_conversations(items))
    if not items_here:
        return {}
    blocked = usernames_across_a_block(items)
    newest = _newest_mentions(items_here, blocked)
    for item, _membership, _conversation in items_here:
        if not _is_mention(item):
            newest[item.id] = int(item.about.partition(":")[2]), 1
    messages = _messages(items_here, newest)
    texts: dict[UUID, NotificationText] = {}
    for item, membership, conversation in items_here:
        message = messages.get(item.id)
        author = message.sender.username if message and message.sender else ""
        if message is None or message.is_gone or author in blocked[item.account_id]:
            continue
        name = name_of(conversation, author)
        group = membership.conversation
        if _is_mention(item):
            texts[item.id] = mention_text(group, message, name, count=newest[item.id][1])
        else:
            texts[item.id] = reply_text(group, message, name)
    return texts


def reply_text(conversation: Conversation, reply: Message, author: str) -> NotificationText:
    return _text(
        conversation,
        reply,
        title=author or _("Somebody"),
        body=_("Replied to your message"),
        summary=_("Somebody replied to your message"),
        author=author,
    )


def mention_text(
    group: Conversation, message: Message, author: str, *, count: int = 1
) -> NotificationText:
    """The text about so many messages that mention the person, the last one by `author`."""
    several = ngettext(
        "%(count)d message mentions you", "%(count)d messages mention you", count
    ) % {"count": count}
    return _text(
        group,
        message,
        title=(author or _("Somebody")) if count == 1 else group_title(group),
        body=_("Mentioned you") if count == 1 else several,
        summary=_("Somebody mentioned you") if count == 1 else several,
        author=author,
        count=count,
    )


REPLY = NotificationKind(name="reply", describe=describe_replies, urgent=True, pushed=True)


def _text(
    conversation: Conversation,
    message: Message,
    *,
    title: str,
    body: str,
    summary: str,
    author: str,
    count: int | None = None,
) -> NotificationText:
    encrypted = conversation.encrypted
    return NotificationText(
        title=title,
        body=body,
        summary=summary,
        preview_title="" if encrypted else author,
        preview_body="" if encrypted else message.content[:PREVIEW_LENGTH] or body,
        url=f"/conversations/{conversation.pk.hex}?at={message.seq}",
        data={
            "conversationId": conversation.pk.hex,
            "messageId": public_id(conversation.pk, message.seq),
        }
        | ({} if count is None else {"count": count}),
    )


def _newest_mentions(
    items: Sequence[ItemInConversation], blocked: Mapping[int, Collection[str]]
) -> dict[UUID, Newest]:
    """For each notification of mentions: of the messages that mention its person and that they have
    not read, without those that are gone or by somebody across a block. Of a notification that was
    read: its first message. In two queries, however many mentions there are."""
    unread, read = Q(pk__in=()), Q(pk__in=())
    for item, membership, first in _of_mentions(items):
        here = Q(account=item.account_id, message__conversation=membership.conversation_id)
        if item.read:
            read |= here & Q(message__seq=first)
        else:
            heard = ~Q(message__sender__username__in=blocked[item.account_id])
            read_to = max(first - 1, membership.last_read_seq)
            unread |= here & heard & Q(message__seq__gt=read_to)
    shown = Mention.objects.filter(message__deleted_at=None, message__hidden_at=None)
    place = ("account_id", "message__conversation_id")
    groups = shown.filter(unread).values(*place).order_by()
    counted = groups.values_list(*place, Max("message__seq"), Count("pk"))
    newest = {(account_id, pk): (seq, count) for account_id, pk, seq, count in counted}
    firsts = set(shown.filter(read).values_list(*place, "message__seq"))
    by_item: dict[UUID, Newest] = {}
    for item, membership, first in _of_mentions(items):
        key = (item.account_id, membership.conversation_id)
        if item.read and (*key, first) in firsts:
            by_item[item.id] = first, 1
        elif not item.read and key in newest:
            by_item[item.id] = newest[key]
    return by_item


def _of_mentions(
    items: Sequence[ItemInConversation],
) -> Iterable[tuple[NotificationItem, Membership, int]]:
    """The notifications of mentions, with the number of their first message."""
    for item, membership, _conversation in items:
        if _is_mention(item):
            yield item, membership, int(item.details.get("seq", 0))


def _messages(
    items: Sequence[ItemInConversation], seqs: Mapping[UUID, Newest]
) -> dict[UUID, Message]:
    """The message of each notification that has one, in one query."""
    wanted = Q(pk__in=())
    keys: dict[UUID, tuple[UUID, int]] = {}
    for item, membership, _conversation in items:
        if item.id in seqs:
            keys[item.id] = membership.conversation_id, seqs[item.id][0]
            wanted |= Q(conversation=membership.conversation_id, seq=seqs[item.id][0])
    rows = Message.objects.filter(wanted).select_related("sender")
    messages = {(row.conversation_id, row.seq): row for row in rows}
    return {pk: messages[key] for pk, key in keys.items() if key in messages}


def _is_mention(item: NotificationItem) -> bool:
    return item.about.endswith(f":{MENTIONS}")
