"""Notifying the members of a conversation of a new message, in the transaction of its send."""

from collections.abc import Collection
from functools import partial

from django.conf import settings
from django.utils.translation import override

from accounts.notification_types import NotificationText
from notifications.models import Notification
from notifications.models.settings import DELIVERIES
from notifications.services.notifications import render_notification
from notifications.services.notify import push_again_later, tell_of_conversation
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
    notified: Collection[int],
    pushed: Collection[int],
    quoted: Message | None,
    mentioned: Collection[int],
    sender: str,
) -> None:
    """Notify the other members; the author of the quoted message, and in a group who is mentioned,
    as such, and as of any message if they want to hear less of replies; nobody across a block. Who
    has an unread notification of the conversation, or of being mentioned there, gets no second one:
    the one that is there is pushed again later, if it was pushed.

    The conversation is locked. `notified` are the members with an unread notification of it,
    `pushed` those to whom it was pushed, and `sender` is shown as the name. The texts are those of
    `describe_messages` and `describe_replies`, from what is loaded: reading it again would take
    longer than the send.
    """
    others = set(members) - {message.sender_id}
    named = others & set(mentioned) if conversation.is_group else set()
    replied_to = others & {quoted.sender_id} - named if quoted else set()
    by_reply = _hear_as_much_of_replies(replied_to | named)
    again = (others - by_reply) & set(pushed)
    unnoticed = others - by_reply - set(notified)
    anybody = again | unnoticed | replied_to | named
    if not anybody or message.sender_id is None:
        return
    reached = anybody - blocked_among(message.sender_id, anybody)
    about = conversation.pk.hex
    if again:
        push_again_later("message", again & reached, about=about)
    write = partial(tell_of_conversation, conversation_id=conversation.pk, at=message.created_at)
    made = [
        *write("message", unnoticed & reached, about=about),
        *write("reply", replied_to & reached, about=f"{about}:{message.seq}"),
        *_notify_mentioned(message, conversation, named & reached),
    ]
    chosen = languages_of(notification.account_id for notification in made) if made else {}
    deliveries = []
    for notification in made:
        with override(chosen.get(notification.account_id) or settings.DEFAULT_LANGUAGE):
            text = _text(notification, conversation, message, sender)
        event = NotificationCreated(notification=render_notification(notification, text))
        deliveries.append(Delivery([notification.account_id], event))
    publish_on_commit(deliveries)


def _hear_as_much_of_replies(account_ids: Collection[int]) -> set[int]:
    """Those of these who want to hear of replies as much as of other messages, or more."""
    if not account_ids:
        return set()
    of_replies, of_messages = (deliveries_of(account_ids, kind) for kind in ("reply", "message"))
    rank = DELIVERIES.index
    return {pk for pk in account_ids if rank(of_replies[pk]) >= rank(of_messages[pk])}


def _notify_mentioned(
    message: Message, conversation: Conversation, account_ids: set[int]
) -> list[Notification]:
    """The notifications for those who have no unread one of being mentioned here. They are pushed
    also where the person has muted the conversation, at most once in two minutes."""
    if not account_ids:
        return []
    about = about_mentions(conversation)
    rows = Notification.objects.filter(kind="reply", about=about, read_at=None)
    notified = set(rows.filter(account__in=account_ids).values_list("account_id", flat=True))
    push_again_later("reply", notified, about=about)
    return tell_of_conversation(
        "reply",
        account_ids - notified,
        about=about,
        conversation_id=conversation.pk,
        at=message.created_at,
        details={"seq": message.seq},
        even_muted=True,
    )


def _text(
    notification: Notification, conversation: Conversation, message: Message, sender: str
) -> NotificationText:
    if notification.about == about_mentions(conversation):
        return mention_text(conversation, message, sender)
    if notification.kind == "reply":
        return reply_text(conversation, message, sender)
    title = group_title(conversation) if conversation.is_group else sender
    return message_text(conversation, title=title, count=1, sender=sender)
