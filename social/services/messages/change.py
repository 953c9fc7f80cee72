"""Changing a message: edits, pins, reactions and deletion. Each change has its own revision.

All hold the lock of the conversation, so an edit and a deletion at once happen in one of the two
orders, and the recipients are the members at that moment.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Literal
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.emoji import fully_qualified, is_emoji
from accounts.errors import InvalidInput, NotFound, TooManyKept
from accounts.models import KeptText
from accounts.services.kept_texts import DELETED_BY, kept_text, require_changes_left
from social.access import members_of, message_for_member
from social.envelopes import check_envelope
from social.errors import EditWindowClosed, MessageGone, NotAllowed
from social.limits import DIFFERENT_EMOJI, EDIT_WINDOW_HOURS, MESSAGE_EDITS
from social.models import Conversation, Membership, Mention, Message, Reaction
from social.models.messages import TOMBSTONE
from social.realtime.events import MessageDeleted, MessageUpdated
from social.realtime.publish import Delivery, publish_on_commit
from social.services.contact import require_may_write
from social.services.conversations.changes import next_revision
from social.services.messages.drafts import require_text_length, spend_iv
from social.services.messages.mentions import find_mentioned, readable_parts, save_mentions
from social.services.messages.render import render_messages
from stats import counters

Json = dict[str, Any]
Reacting = Literal["react", "add_reaction", "remove_reaction"]


@transaction.atomic
def edit_message(
    account_id: int,
    *,
    conversation_id: UUID,
    message_id: str,
    content: str,
    iv: str | None = None,
    mentions: Sequence[str] = (),
) -> Json:
    """Replace the text, as its sender, within a day. The same text again changes nothing, also not
    whom it mentions. Whom the new text mentions is not notified.

    Raises: NotFound, InvalidInput, NotForEncrypted, WrongEnvelope, NotAllowed, EditWindowClosed,
    DmRefused, MessageGone, ChangedTooOften, IvReused.
    """
    membership, message = message_for_member(account_id, conversation_id, message_id, lock=True)
    conversation = membership.conversation
    used_iv = None
    if conversation.encrypted:
        used_iv = check_envelope(content, iv)
    else:
        require_text_length(content)
        iv = None
    if message.sender_id != account_id:
        raise NotAllowed
    if timezone.now() - message.created_at > timedelta(hours=EDIT_WINDOW_HOURS):
        raise EditWindowClosed
    require_may_write(conversation, account_id)
    _require_not_gone(message)
    if (content, iv) == (message.content, message.iv):
        return _as_seen_by(membership, message)
    if message.edited_at is not None:
        require_changes_left("message", message.public_id, most=MESSAGE_EDITS)
    if used_iv is not None:
        spend_iv(account_id=account_id, conversation_id=conversation_id, iv=used_iv)
    _keep(conversation, message, message.content, KeptText.EDITED)
    _replace_mentions(message, content, mentions)
    message.content, message.iv, message.edited_at = content, iv, timezone.now()
    message.set_search_key()
    return _save(membership, message, "content", "search_key", "iv", "edited_at")


def _replace_mentions(message: Message, content: str, named: Sequence[str]) -> None:
    mentioned = find_mentioned(
        message.sender_id or 0,
        message.conversation,
        content=content,
        named=named,
        members=members_of(message.conversation_id),
    )
    Mention.objects.filter(message=message).delete()
    save_mentions(message, mentioned)


@transaction.atomic
def pin_message(
    account_id: int, *, conversation_id: UUID, message_id: str, pinned: bool | None = None
) -> Json:
    """Pin or unpin it, or the other of the two (None): anyone in a direct conversation, in a group
    its admin and the message's sender.

    Raises: NotFound, NotAllowed, DmRefused, MessageGone.
    """
    membership, message = message_for_member(account_id, conversation_id, message_id, lock=True)
    conversation = membership.conversation
    if conversation.is_group and account_id not in (conversation.admin_id, message.sender_id):
        raise NotAllowed
    if pinned is None:
        pinned = not message.pinned
    if pinned:
        require_may_write(conversation, account_id)
    _require_not_gone(message)
    if message.pinned == pinned:
        return _as_seen_by(membership, message)
    message.pinned = pinned
    return _save(membership, message, "pinned")


def react(
    account_id: int, *, conversation_id: UUID, message_id: str, emoji: str, action: Reacting
) -> Json:
    """Add the account's emoji or remove it; `react` toggles it. Adding it twice is adding it once.

    Raises: InvalidInput (not one emoji), NotFound, DmRefused, MessageGone, TooManyKept.
    """
    qualified = fully_qualified(emoji)
    if not (is_emoji(emoji) and is_emoji(qualified)):
        raise InvalidInput({"emoji": [_("Exactly one emoji.")]})
    with transaction.atomic():
        membership, message = message_for_member(account_id, conversation_id, message_id, lock=True)
        reactions = Reaction.objects.filter(message=message)
        own = reactions.filter(account=account_id, emoji=qualified)
        exists = own.exists()
        adding = action == "add_reaction" or (action == "react" and not exists)
        if adding:
            require_may_write(membership.conversation, account_id)
        _require_not_gone(message)
        if adding == exists:
            return _as_seen_by(membership, message)
        if adding:
            emojis = set(reactions.values_list("emoji", flat=True))
            if qualified not in emojis and len(emojis) >= DIFFERENT_EMOJI:
                raise TooManyKept
            Reaction.objects.create(message=message, account_id=account_id, emoji=qualified)
        else:
            own.delete()
        shown = _save(membership, message)
    if adding:
        counters.count("reaction", account=account_id)
    return shown


_ACTIONS: dict[str, Callable[..., Json]] = {
    "edit": edit_message,
    "pin": pin_message,
    "unpin": partial(pin_message, pinned=False),
    "react": partial(react, action="react"),
    "add_reaction": partial(react, action="add_reaction"),
    "remove_reaction": partial(react, action="remove_reaction"),
}


def change_message(account_id: int, *, action: str, **fields: Any) -> Json:
    """Do one of the actions, with the arguments of its function. Returns the message as the
    account sees it. Raises: as `edit_message`, `pin_message` and `react`."""
    return _ACTIONS[action](account_id, **fields)


@transaction.atomic
def delete_message(account_id: int, *, conversation_id: UUID, message_id: str) -> None:
    """Make a message a tombstone, as its sender or the group's admin.

    Raises: NotFound (also when it is deleted already), NotAllowed.
    """
    membership, message = message_for_member(account_id, conversation_id, message_id, lock=True)
    if message.is_gone:
        raise NotFound
    if account_id not in (message.sender_id, membership.conversation.admin_id):
        raise NotAllowed
    Reaction.objects.filter(message=message).delete()
    count_as_unread(message, -1)
    by = "" if account_id == message.sender_id else membership.account.username
    _keep(membership.conversation, message, message.shown_text, KeptText.DELETED, by=by)
    Mention.objects.filter(message=message).delete()
    message.empty()
    message.deleted_at = timezone.now()
    save_change(membership.conversation, message, *TOMBSTONE, "deleted_at")


def _keep(
    conversation: Conversation, message: Message, text: str, change: str, *, by: str = ""
) -> None:
    """Keep a text of a message that is about to go, for a report; `by`: who deletes it, if not its
    sender. Of an encrypted one only when it went, and whom it mentioned."""
    if conversation.encrypted:
        text = readable_parts([message]).get(message.pk, "")
    texts = {name: value for name, value in (("text", text), (DELETED_BY, by)) if value}
    kept_text(
        "message", message.public_id, texts, account_id=message.sender_id, change=change
    ).save()


def count_as_unread(message: Message, change: Literal[1, -1]) -> None:
    """Count a message as unread again (1), or no longer (-1), for the members who have not read it.

    Its sender has never counted it. The conversation is locked.
    """
    members = Membership.objects.filter(
        conversation=message.conversation_id, last_read_seq__lt=message.seq
    )
    others = members.exclude(account=message.sender_id) if message.sender_id else members
    others.update(own_unread=F("own_unread") - change)


def save_change(conversation: Conversation, message: Message, *fields: str) -> None:
    """Save these fields of a message under a new revision, and publish it to all who can read it.

    The conversation is locked.
    """
    message.revision = next_revision(conversation)
    message.save(update_fields=[*fields, "revision"])
    _publish(conversation, message)


def _publish(conversation: Conversation, message: Message) -> None:
    """Two renderings at most: in a group with the quote, and for members who may not see the quoted
    one; where two people are alone, one for each."""
    by_view: dict[tuple[int | None, bool], list[Membership]] = defaultdict(list)
    members = list(conversation.memberships.all())
    for member in members:
        if member.joined_seq >= message.seq:
            continue
        alone = None if len(members) > 2 else member.account_id
        by_view[alone, (message.reply_to_seq or 0) > member.joined_seq].append(member)
    kind = MessageDeleted if message.is_gone else MessageUpdated
    deliveries = []
    for readers in by_view.values():
        (shown,) = render_messages([message], readers[0])
        event = kind(
            conversationId=message.conversation_id.hex, revision=message.revision, message=shown
        )
        deliveries.append(Delivery([reader.account_id for reader in readers], event))
    publish_on_commit(deliveries)


def _save(membership: Membership, message: Message, *fields: str) -> Json:
    """`save_change`; returns the message as the member sees it."""
    save_change(membership.conversation, message, *fields)
    return _as_seen_by(membership, message)


def _as_seen_by(membership: Membership, message: Message) -> Json:
    return render_messages([message], membership)[0]


def _require_not_gone(message: Message) -> None:
    if message.is_gone:
        raise MessageGone
