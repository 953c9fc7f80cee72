"""Removing what an erased account said and did here, conversation by conversation.

Messages keep their numbers, without sender and content, so that nobody else's numbers change. Each
takes a revision of its own: a client that asks what changed hears of all of them. Every
conversation is one short transaction, so a killed erasure goes on where it was.

Cases and reports stay, with their sealed evidence: an erasure gets rid of no evidence. They lose
their link to the account when it is deleted. What others could read is kept for a report, for
fourteen days and without the account: messages, invites, requests, and who was in a group. It also
stays known who gave a group its name or description.
"""

from itertools import islice
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import KeptText
from accounts.services.erased_people import keep_evidence
from accounts.services.kept_texts import kept_text
from social.access import lock_conversation
from social.models import (
    Conversation,
    Friendship,
    GroupTextAuthor,
    Invite,
    Membership,
    Mention,
    Message,
    PastMembership,
    Presence,
    Reaction,
)
from social.models.messages import NEVER_UNREAD, TOMBSTONE
from social.services.blocks import erase_blocks
from social.services.conversations.groups import end_membership
from social.services.kept_requests import keep_requests_of
from social.services.messages.mentions import readable_parts

# Messages that are kept for a report in one statement.
KEPT_AT_ONCE = 500


def erase(account_id: int) -> None:
    """Everything of an account, in every conversation it ever spoke in. Safe to run again."""
    keep_requests_of(account_id)
    Invite.objects.filter(Q(invited=account_id) | Q(invited_by=account_id)).delete()
    while touched := _touched(account_id):  # somebody may just have taken it into a group
        for conversation_id in touched:
            _erase_in(account_id, conversation_id)
    Friendship.objects.of(account_id).delete()
    erase_blocks(account_id)
    keep_evidence(PastMembership.objects.all(), account_id)
    keep_evidence(GroupTextAuthor.objects.all(), account_id)
    Presence.objects.filter(account=account_id).delete()


def _touched(account_id: int) -> list[UUID]:
    member_of = Membership.objects.filter(account=account_id).values_list("conversation")
    spoken_in = Message.objects.filter(sender=account_id).values_list("conversation")
    reacted_in = Reaction.objects.filter(account=account_id).values_list("message__conversation")
    mentioned_in = Mention.objects.filter(account=account_id).values_list("message__conversation")
    return sorted(row[0] for row in member_of.union(spoken_in, reacted_in, mentioned_in))


@transaction.atomic
def _erase_in(account_id: int, conversation_id: UUID) -> None:
    conversation = lock_conversation(conversation_id, closed_too=True)
    reacted = Reaction.objects.filter(account=account_id, message__conversation=conversation_id)
    mentioned = Mention.objects.filter(account=account_id, message__conversation=conversation_id)
    messages = Message.objects.filter(conversation=conversation_id)
    own = messages.filter(sender=account_id)
    others = messages.filter(
        Q(pk__in=reacted.values("message")) | Q(pk__in=mentioned.values("message"))
    )
    changed = messages.filter(Q(sender=account_id) | Q(pk__in=others.values("pk")))
    _renumber(conversation, list(changed.values_list("pk", flat=True)))
    _count_as_read(account_id, conversation_id)
    _keep_texts(conversation, own)
    reacted.delete()
    mentioned.delete()
    Reaction.objects.filter(message__in=own).delete()
    Mention.objects.filter(message__in=own).delete()
    own.filter(deleted_at=None).update(deleted_at=timezone.now())
    own.update(**TOMBSTONE, client_id=None, sent_hash="", sender=None)
    if Membership.objects.filter(account=account_id, conversation=conversation_id).exists():
        end_membership(conversation, account_id)


def _keep_texts(conversation: Conversation, own: QuerySet[Message]) -> None:
    """Keep the account's messages for a report, as a deletion does."""
    now = timezone.now()
    readable = own.filter(deleted_at=None).iterator(chunk_size=KEPT_AT_ONCE)
    while messages := list(islice(readable, KEPT_AT_ONCE)):
        parts = readable_parts(messages) if conversation.encrypted else {}
        KeptText.objects.bulk_create(
            kept_text(
                "message",
                message.public_id,
                {"text": text} if text else {},
                account_id=message.sender_id,
                change=KeptText.DELETED,
                gone_at=message.hidden_at or now,
            )
            for message in messages
            for text in [
                parts.get(message.pk, "") if conversation.encrypted else message.shown_text
            ]
        )


def _count_as_read(account_id: int, conversation_id: UUID) -> None:
    """The account's messages, which are about to be deleted, are unread for nobody any more."""
    unread = (
        Message.objects.filter(
            ~NEVER_UNREAD,
            conversation=conversation_id,
            sender=account_id,
            seq__gt=OuterRef("last_read_seq"),
        )
        .order_by()
        .values("conversation")
        .values(count=Count("pk"))
    )
    others = Membership.objects.filter(conversation=conversation_id).exclude(account=account_id)
    others.update(own_unread=F("own_unread") + Coalesce(Subquery(unread), 0))


def _renumber(conversation: Conversation, message_ids: list[int]) -> None:
    """Give each of these messages a revision above all before, in the order of their numbers."""
    messages = Message.objects.filter(pk__in=message_ids)
    first, last = messages.aggregate(first=Min("seq"), last=Max("seq")).values()
    if first is None:
        return
    messages.update(revision=conversation.revision + 1 - first + F("seq"))
    conversation.revision += last - first + 1
    conversation.save(update_fields=["revision"])
