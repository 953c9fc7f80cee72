"""Notifying the members of a conversation of a new message, in the transaction of its send."""

from collections.abc import Collection

from django.conf import settings
from django.utils.translation import override

from accounts.notification_types import NotificationText
from notifications.models import Notification
from notifications.services.notifications import render_notification
from notifications.services.notify import push_again_later, tell_of_conversation
from notifications.services.settings import languages_of
from social.models import Conversation, Message
from social.realtime.events import NotificationCreated
from social.realtime.publish import Delivery, publish_on_commit
from social.services.notifications.messages import group_title, message_text, reply_text
from social.services.relations import blocked_among


def notify_members(
    message: Message,
    conversation: Conversation,
    *,
    members: Collection[int],
    notified: Collection[int],
    pushed: Collection[int],
    quoted: Message | None,
    sender: str,
) -> None:
    """Notify the other members, and the author of the quoted message as such; nobody across a
    block. Who has an unread notification of the conversation gets no second one: the one that is
    there is pushed again later, if it was pushed.

    The conversation is locked. `notified` are the members with an unread notification of it,
    `pushed` those to whom it was pushed, and `sender` is shown as the name. The texts are those of
    `describe_messages` and `describe_replies`, from what is loaded: reading it again would take
    longer than the send.
    """
    others = set(members) - {message.sender_id}
    replied_to = others & {quoted.sender_id} if quoted else set()
    again = (others - replied_to) & set(pushed)
    recipients = {"message": others - replied_to - set(notified), "reply": replied_to}
    anybody = again.union(*recipients.values())
    if not anybody or message.sender_id is None:
        return
    blocked = blocked_among(message.sender_id, anybody)
    about = conversation.pk.hex
    if again:
        push_again_later("message", again - blocked, about=about)
    abouts = {"message": about, "reply": f"{about}:{message.seq}"}
    made = [
        notification
        for kind, account_ids in recipients.items()
        for notification in tell_of_conversation(
            kind,
            account_ids - blocked,
            about=abouts[kind],
            conversation_id=conversation.pk,
            at=message.created_at,
        )
    ]
    chosen = languages_of(notification.account_id for notification in made) if made else {}
    deliveries = []
    for notification in made:
        with override(chosen.get(notification.account_id) or settings.DEFAULT_LANGUAGE):
            text = _text(notification, conversation, message, sender)
        event = NotificationCreated(notification=render_notification(notification, text))
        deliveries.append(Delivery([notification.account_id], event))
    publish_on_commit(deliveries)


def _text(
    notification: Notification, conversation: Conversation, message: Message, sender: str
) -> NotificationText:
    if notification.kind == "reply":
        return reply_text(conversation, message, sender)
    title = group_title(conversation) if conversation.is_group else sender
    return message_text(conversation, title=title, count=1, sender=sender)
