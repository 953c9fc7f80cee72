"""Deleting what is older than its retention.

Old messages are deleted without an event: a conversation simply starts later. Sequence numbers
never change.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Min, Q, QuerySet
from django.utils import timezone

from accounts.purging import MONTH, Purged, purge_rows
from accounts.services.kept_texts import kept_since
from social.limits import ANSWER_DAYS
from social.models import (
    Case,
    CaseAction,
    Conversation,
    Friendship,
    Invite,
    Membership,
    Mention,
    Message,
    PastMembership,
    Reaction,
    Report,
)
from social.models.messages import NEVER_UNREAD, TOMBSTONE

# After the last member left.
CLOSED_FOR = timedelta(days=30)
# Staff can show a hidden message again for this long.
HIDDEN_FOR = timedelta(days=30)
# After this, the end of a friendship has no effect.
CLOSED_FRIENDSHIP_FOR = timedelta(days=ANSWER_DAYS)
# How long staff see that there were earlier cases.
CASES_KEPT = 6 * MONTH


def purge_past_memberships(dry_run: bool = False) -> Purged:
    """Delete who was in a group until more than fourteen days ago."""
    expired = PastMembership.objects.filter(left_at__lte=kept_since())
    return purge_rows(expired, "past memberships", dry_run=dry_run)


def enforce_retention(dry_run: bool = False) -> list[Purged]:
    """Delete messages and answered invites after RETENTION_MONTHS, declined friend requests and
    ended friendships after 30 days, groups a month after their last member left, cases half a year
    after they were closed; empty hidden messages, and the evidence of cases EVIDENCE_DAYS after
    they were closed.

    In batches, each its own transaction. Safe to run twice and at the same time.
    """
    now = timezone.now()
    long_ago = now - settings.RETENTION_MONTHS * MONTH
    evidence_kept = timedelta(days=settings.EVIDENCE_DAYS)
    messages, cases = Message.objects.all(), Case.objects.all()
    answered = Invite.objects.exclude(status=Invite.PENDING).filter(updated_at__lt=long_ago)
    ended = Friendship.objects.filter(
        status__in=[Friendship.DECLINED, Friendship.ENDED],
        updated_at__lt=now - CLOSED_FRIENDSHIP_FOR,
    )
    closed_groups = Conversation.objects.filter(closed_at__lt=now - CLOSED_FOR)
    old_cases = cases.filter(closed_at__lt=now - max(CASES_KEPT, evidence_kept))
    hidden = messages.filter(hidden_at__lt=now - HIDDEN_FOR, deleted_at=None)
    with_evidence = cases.filter(closed_at__lt=now - evidence_kept, evidence_deleted_at=None)
    jobs: list[tuple[str, QuerySet[Any], str, Callable[[QuerySet[Any]], object]]] = [
        ("messages", messages.filter(created_at__lt=long_ago), "deleted", _delete_messages),
        ("closed groups", closed_groups, "deleted", QuerySet.delete),
        ("answered invites", answered, "deleted", QuerySet.delete),
        ("declined requests and ended friendships", ended, "deleted", QuerySet.delete),
        ("closed cases", old_cases, "deleted", QuerySet.delete),
        ("hidden messages", hidden, "emptied", _empty_messages),
        ("cases' evidence", with_evidence, "deleted", _delete_evidence),
    ]
    return [
        purge_rows(rows, noun, dry_run=dry_run, done=done, purge=purge)
        for noun, rows, done, purge in jobs
    ]


def _delete_messages(expired: QuerySet[Message]) -> None:
    """Delete these messages. What is no longer there counts as read, also between others: messages
    of an earlier version may be older than those before them."""
    for conversation_id in set(expired.values_list("conversation", flat=True)):
        with transaction.atomic():
            rows = Conversation.objects.select_for_update(no_key=True)
            conversation = rows.filter(pk=conversation_id).first()
            if conversation is None:
                continue
            mine = expired.filter(conversation=conversation)
            newest = mine.aggregate(seq=Max("seq"))["seq"] or 0
            mine.delete()
            left = Message.objects.filter(conversation=conversation)
            first = left.aggregate(seq=Min("seq"))["seq"] or conversation.last_seq + 1
            behind = Membership.objects.filter(conversation=conversation, last_read_seq__lt=newest)
            # Locked, because reading changes the same row without the conversation's lock.
            for membership in behind.order_by("pk").select_for_update(no_key=True):
                read = max(membership.last_read_seq, first - 1)
                unread = left.filter(seq__gt=read).exclude(
                    NEVER_UNREAD | Q(sender=membership.account_id)
                )
                membership.last_read_seq = read
                membership.own_unread = conversation.last_seq - read - unread.count()
                membership.save(update_fields=["last_read_seq", "own_unread"])


@transaction.atomic
def _empty_messages(hidden: QuerySet[Message]) -> None:
    Reaction.objects.filter(message__in=hidden).delete()
    Mention.objects.filter(message__in=hidden).delete()
    hidden.update(**TOMBSTONE, deleted_at=timezone.now())


@transaction.atomic
def _delete_evidence(cases: QuerySet[Case]) -> None:
    """Empty every sealed column of these cases, and the hashes of those who reported them."""
    Report.objects.filter(case__in=cases).update(
        **dict.fromkeys(Report.SEALED, ""), reporter_hash=""
    )
    CaseAction.objects.filter(case__in=cases).update(**dict.fromkeys(CaseAction.SEALED, ""))
    cases.update(**dict.fromkeys(Case.SEALED, ""), evidence_deleted_at=timezone.now())
