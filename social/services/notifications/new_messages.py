"""Notifying the members of a conversation of a new message, in the transaction of its send."""

from collections.abc import Collection
from functools import partial

from django.conf import settings
from django.utils.translation import override

from accounts.notification_types import NotificationText
from notifications.models import Notification
from notifications.models.settings import DELIVERIES
from notifications.services.notifications import render_notification
from notifications.services.notify import (
    notify_of_conversation,
    push_again_later,
    unread_about,
)
from notifications.services.settings import deliveries_of, languages_of
from social.models import Conversation, Message
from social.realtime.events import NotificationCreated
from social.realtime.publish import Delivery, publish_on_commit
from social.services.notifications.messages import group_title, message_text
from social.services.notifications.replies import about_mentions, mention_text, reply_text
from social.services.relations import blocked_among


def notify_members(
    message: Message,
    conversation: Conversation,
    *,
    members: Collection[int],
    quoted: Message | None,
    mentioned: Collection[int],
    sender: str,
) -> None:
    """Notify the other members of a message, except across a block.

    - The author of the quoted message is notified of a reply, and who is mentioned in a group of a
      mention; but as of any message where they want to hear less of replies than of messages.
    - Who has an unread notification already gets no second one: the first one is pushed again
      later, if it was pushed.

    The conversation is locked, and `sender` is shown as the name. The texts are those of
    `describe_messages` and `describe_replies`, from what is loaded: reading it again would take
    longer than the send.
    """
    if message.sender_id is None:
        return
    others = set(members) - {message.sender_id}
    mentions = others & set(mentioned) if conversation.is_group else set()
    replies = others & {quoted.sender_id} - mentions if quoted else set()
    others -= _want_replies_first(replies | mentions)
    about = conversation.pk.hex
    unread = unread_about("message", about)
    new = others - unread.keys()
    repeated = {pk for pk in others & unread.keys() if unread[pk]}
    recipients = repeated | new | replies | mentions
    if not recipients:
        return
    recipients -= blocked_among(message.sender_id, recipients)
    if repeated:
        push_again_later("message", repeated & recipients, about=about)
    write = partial(notify_of_conversation, conversation_id=conversation.pk, at=message.created_at)
    _publish(
        [
            *write("message", new & recipients, about=about),
            *write("reply", replies & recipients, about=f"{about}:{message.seq}"),
            *_notify_mentioned(message, conversation, mentions & recipients),
        ],
        message,
        conversation,
        sender,
    )


def _want_replies_first(account_ids: Collection[int]) -> set[int]:
    """Those who want to hear of replies as much as of other messages, or more."""
    if not account_ids:
        return set()
    of_replies, of_messages = (deliveries_of(account_ids, kind) for kind in ("reply", "message"))
    rank = DELIVERIES.index
    return {pk for pk in account_ids if rank(of_replies[pk]) >= rank(of_messages[pk])}


def _notify_mentioned(
    message: Message, conversation: Conversation, account_ids: set[int]
) -> list[Notification]:
    """The new notifications of a mention, for those who have no unread one of this group. They are
    pushed also where the person has muted the conversation, at most once in two minutes."""
    if not account_ids:
        return []
    about = about_mentions(conversation)
    notified = account_ids & unread_about("reply", about).keys()
    push_again_later("reply", notified, about=about)
    return notify_of_conversation(
        "reply",
        account_ids - notified,
        about=about,
        conversation_id=conversation.pk,
        at=message.created_at,
        details={"seq": message.seq},
        even_muted=True,
    )


def _publish(
    notifications: list[Notification], message: Message, conversation: Conversation, sender: str
) -> None:
    """Send each person the notification, in their language."""
    if not notifications:
        return
    languages = languages_of(row.account_id for row in notifications)
    deliveries = []
    for notification in notifications:
        with override(languages.get(notification.account_id) or settings.DEFAULT_LANGUAGE):
            text = _text(notification, conversation, message, sender)
        event = NotificationCreated(notification=render_notification(notification, text))
        deliveries.append(Delivery([notification.account_id], event))
    publish_on_commit(deliveries)


def _text(
    notification: Notification, conversation: Conversation, message: Message, sender: str
) -> NotificationText:
    if notification.about == about_mentions(conversation):
        return mention_text(conversation, message, sender)
    if notification.kind == "reply":
        return reply_text(conversation, message, sender)
    title = group_title(conversation) if conversation.is_group else sender
    return message_text(conversation, title=title, count=1, sender=sender)
