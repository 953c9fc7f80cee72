"""Deleting what is older than its retention.

Old messages are deleted without an event: a conversation simply starts later. Sequence numbers
never change.
"""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from accounts.contribution_types import Progress, Purged
from social.models import Conversation, Friendship, Invite, Message, Reaction, Report
from social.models.messages import TOMBSTONE

BATCH = 1_000
MONTH = timedelta(days=365.25 / 12)
# After the last member left.
CLOSED_FOR = timedelta(days=30)
# Staff can show a hidden message again for this long.
HIDDEN_FOR = timedelta(days=30)
HANDLED_FOR = 6 * MONTH


def enforce_retention(
    *, dry_run: bool = False, progress: Progress = lambda _: None
) -> list[Purged]:
    """Delete messages and answered requests after RETENTION_MONTHS, groups a month after their
    last member left, reports half a year after they were handled; empty hidden messages.

    In batches, each its own transaction. Safe to run twice and at the same time.
    """
    now = timezone.now()
    long_ago = now - settings.RETENTION_MONTHS * MONTH
    answered = Invite.objects.exclude(status=Invite.PENDING).filter(updated_at__lt=long_ago)
    declined = Friendship.objects.filter(status=Friendship.DECLINED, updated_at__lt=long_ago)
    over: list[tuple[str, QuerySet[Any]]] = [
        ("messages", Message.objects.filter(created_at__lt=long_ago)),
        ("closed groups", Conversation.objects.filter(closed_at__lt=now - CLOSED_FOR)),
        ("answered invites", answered),
        ("declined requests", declined),
        ("handled reports", Report.objects.filter(handled_at__lt=now - HANDLED_FOR)),
    ]
    done = [_delete(noun, rows, dry_run, progress) for noun, rows in over]
    return [*done, _empty_hidden(now - HIDDEN_FOR, dry_run)]


def _delete(noun: str, rows: QuerySet[Any], dry_run: bool, progress: Progress) -> Purged:
    found = Purged(noun=noun, done="deleted")
    if dry_run:
        found.seen = found.expired = rows.count()
        return found
    while batch := list(rows.values_list("pk", flat=True)[:BATCH]):
        rows.model._default_manager.filter(pk__in=batch).delete()
        found.seen += len(batch)
        found.expired += len(batch)
        progress(found)
    return found


def _empty_hidden(before: datetime, dry_run: bool) -> Purged:
    rows = Message.objects.filter(hidden_at__lt=before, deleted_at=None)
    found = Purged(noun="hidden messages", done="emptied")
    if dry_run:
        found.seen = found.expired = rows.count()
        return found
    # Before the messages: once emptied they are no longer found by `rows`.
    Reaction.objects.filter(message__in=rows).delete()
    found.seen = found.expired = rows.update(**TOMBSTONE, deleted_at=timezone.now())
    return found
