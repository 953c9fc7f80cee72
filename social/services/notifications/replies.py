"""Notifications of messages that are meant for one person: replies to their own messages, one each,
and mentions, one for each group while it is unread.

`about` is the conversation's id, `:` and the number of the reply, or `MENTIONS`. The details of
those of mentions have the number of the first message, `seq`.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final
from uuid import UUID

from django.db.models import Q
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

# No message has this number: a version that knows replies only leaves the notification out.
MENTIONS: Final = "0"
Told = tuple[NotificationItem, Membership, dict[str, Any]]


def about_mentions(conversation: Conversation) -> str:
    return f"{conversation.pk.hex}:{MENTIONS}"


def describe_replies(items: Sequence[NotificationItem]) -> dict[UUID, NotificationText]:
    """Left out: messages that were deleted, or are by somebody across a block, and conversations
    that the person has left."""
    items_here = list(with_conversations(items))
    if not items_here:
        return {}
    blocked = usernames_across_a_block(items)
    found: defaultdict[UUID, list[Message]] = defaultdict(list)
    for item, message in [*_replies(items_here), *_mentions(items_here)]:
        author = message.sender.username if message.sender else ""
        if not message.is_gone and author not in blocked[item.account_id]:
            found[item.id].append(message)
    texts: dict[UUID, NotificationText] = {}
    for item, membership, conversation in items_here:
        messages = found.get(item.id)
        if not messages:
            continue
        sender = messages[-1].sender
        author = name_of(conversation, sender.username if sender else "")
        if _is_mention(item):
            texts[item.id] = mention_text(
                membership.conversation, messages[-1], author, count=len(messages)
            )
        else:
            texts[item.id] = reply_text(membership.conversation, messages[-1], author)
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
) -> NotificationText:
    encrypted = conversation.encrypted
    return NotificationText(
        title=title,
        body=body,
        summary=summary,
        preview_title="" if encrypted else author,
        preview_body="" if encrypted else message.content[:PREVIEW_LENGTH] or body,
        url=f"/conversations/{conversation.pk.hex}",
        data={
            "conversationId": conversation.pk.hex,
            "messageId": public_id(conversation.pk, message.seq),
        },
    )


def _replies(items: Sequence[Told]) -> Iterable[tuple[NotificationItem, Message]]:
    """Each item about a reply, with that, if it is there."""
    seqs = {
        item.id: int(item.about.partition(":")[2])
        for item, _membership, _conversation in items
        if not _is_mention(item)
    }
    wanted = Q()
    for item, membership, _conversation in items:
        if item.id in seqs:
            wanted |= Q(conversation=membership.conversation_id, seq=seqs[item.id])
    rows = Message.objects.filter(wanted).select_related("sender") if seqs else ()
    replies = {(row.conversation_id, row.seq): row for row in rows}
    for item, membership, _conversation in items:
        reply = replies.get((membership.conversation_id, seqs.get(item.id, 0)))
        if reply is not None:
            yield item, reply


def _mentions(items: Sequence[Told]) -> Iterable[tuple[NotificationItem, Message]]:
    """Each item about mentions with each message that mentions its person, the oldest first: those
    that they have not read; of a notification that was read, the first."""
    asked = [
        (item, membership, int(item.details.get("seq", 0)))
        for item, membership, _conversation in items
        if _is_mention(item)
    ]
    wanted = Q()
    for item, membership, first in asked:
        here = Q(account=item.account_id, message__conversation=membership.conversation_id)
        unread = Q(message__seq__gte=max(first, membership.last_read_seq + 1))
        wanted |= here & (Q(message__seq=first) if item.read else unread)
    rows = Mention.objects.filter(wanted).select_related("message__sender") if asked else None
    by_place: defaultdict[tuple[int, UUID], list[Message]] = defaultdict(list)
    for row in rows.order_by("message__seq") if rows is not None else ():
        by_place[row.account_id, row.message.conversation_id].append(row.message)
    for item, membership, first in asked:
        for message in by_place[item.account_id, membership.conversation_id]:
            if message.seq >= first and (message.seq == first or not item.read):
                yield item, message


def _is_mention(item: NotificationItem) -> bool:
    return item.about.endswith(f":{MENTIONS}")
