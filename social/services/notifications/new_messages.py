"""Notifying the members of a conversation of a new message, in the transaction of its send."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.notification_types import NotificationText
from notifications.models import Notification
from notifications.services.notifications import render_notification
from notifications.services.pushes import push_later
from notifications.services.settings import languages_of
from social.models import Conversation, Message
from social.realtime.events import NotificationCreated
from social.realtime.publish import Delivery, publish_on_commit
from social.services.notifications.messages import message_text, reply_text

# One for each other member who has no unread one of the conversation, and for a reply one for the
# author of the quoted message; none about somebody whom the member has blocked.
_INSERT = """
INSERT INTO notifications_notification (id, account_id, kind, about, created_at, push)
SELECT {random_id}, found.account_id, found.kind,
    CASE found.kind WHEN 'reply' THEN %s ELSE %s END, %s,
    CASE WHEN setting.delivery = 'push' AND NOT EXISTS (
        SELECT 1 FROM notifications_mutedconversation muted
        WHERE muted.account_id = found.account_id AND muted.conversation_id = %s)
        THEN 'due' ELSE 'none' END
FROM (
    SELECT member.account_id,
        CASE WHEN quoted.sender_id = member.account_id THEN 'reply' ELSE 'message' END AS kind
    FROM social_membership member
    LEFT JOIN social_message quoted
        ON quoted.conversation_id = member.conversation_id AND quoted.seq = %s
    WHERE member.conversation_id = %s AND member.account_id <> %s AND NOT EXISTS (
        SELECT 1 FROM social_block
        WHERE blocker_id = member.account_id AND blocked_id = %s)
) found
LEFT JOIN notifications_kindsetting setting
    ON setting.account_id = found.account_id AND setting.kind = found.kind
WHERE COALESCE(setting.delivery, 'list') <> 'off'
ON CONFLICT DO NOTHING
RETURNING id, account_id, kind, about, push
"""


def notify_members(message: Message, conversation: Conversation, *, sender: str) -> None:
    """Notify those who want it, publish it and have it pushed. `sender` is shown as the name.

    The texts are those of `describe_messages` and `describe_replies`, from what is known: reading
    them back would take longer than the send.
    """
    made = _insert(message)
    chosen = languages_of(each.account_id for each in made)
    deliveries = []
    for each in made:
        with override(chosen.get(each.account_id) or settings.DEFAULT_LANGUAGE):
            text = _text(each, conversation, message, sender)
        event = NotificationCreated(notification=render_notification(each, text))
        deliveries.append(Delivery([each.account_id], event))
    publish_on_commit(deliveries)
    push_later(made)


def _text(
    notification: Notification, conversation: Conversation, message: Message, sender: str
) -> NotificationText:
    if notification.kind == "reply":
        return reply_text(conversation, message, sender)
    title = (conversation.group_name or _("Group")) if conversation.is_group else sender
    return message_text(conversation, title=title, count=1, sender=sender)


def _insert(message: Message) -> list[Notification]:
    about, ops = message.conversation_id.hex, connection.ops
    is_postgresql = connection.vendor == "postgresql"
    key: Any = message.conversation_id if is_postgresql else about
    values: list[Any] = [f"{about}:{message.seq}", about]
    values += [ops.adapt_datetimefield_value(message.created_at), key, message.reply_to_seq]
    values += [key, message.sender_id, message.sender_id]
    random_id = "gen_random_uuid()" if is_postgresql else "lower(hex(randomblob(16)))"
    with connection.cursor() as cursor:
        cursor.execute(_INSERT.format(random_id=random_id), values)
        rows = cursor.fetchall()
    return [
        Notification(
            id=pk if isinstance(pk, UUID) else UUID(hex=pk),
            account_id=account_id,
            kind=kind,
            about=about,
            created_at=message.created_at,
            push=push,
        )
        for pk, account_id, kind, about, push in rows
    ]
