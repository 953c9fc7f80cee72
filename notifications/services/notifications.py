"""The list of notifications: reading it, marking as read, deleting."""

from collections import defaultdict
from collections.abc import Collection
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from accounts.cursors import after_cursor, write_cursor
from accounts.errors import NotFound
from accounts.notification_types import NotificationText
from accounts.purging import Purged
from accounts.timestamps import from_milliseconds, milliseconds
from notifications.limits import KEPT_DAYS, MAX_NOTIFICATIONS, PUSHED_AGAIN_AFTER
from notifications.models import Notification
from notifications.services.texts import describe
from notifications.signals import notifications_read


def list_notifications(account_id: int, *, limit: int, cursor: str = "") -> dict[str, Any]:
    """A page of the account's notifications, the newest first, in the current language, with where
    the next page begins (None: that was all) and how many of all pages are unread.

    Those beyond the newest 500, and those whose conversation, friendship or invite is gone, are
    deleted on the way. Raises: InvalidInput for a malformed cursor.
    """
    _delete_beyond_limit(account_id)
    after = after_cursor(cursor, moment="created_at")
    rows = list(kept_of(account_id).filter(after)[: limit + 1])
    page = rows[:limit]
    texts = describe(page)
    _delete_gone([pk for pk, text in texts.items() if text is None])
    last = page[-1] if len(rows) > limit else None
    return {
        "notifications": [
            render_notification(notification, text)
            for notification in page
            if (text := texts.get(notification.pk))
        ],
        "next": write_cursor(last.created_at, last.pk) if last else None,
        "unread": count_unread(account_id),
    }


def _delete_gone(ids: Collection[UUID]) -> None:
    """Delete notifications whose thing is gone. One that was pushed less than two minutes ago is
    marked as read, and deleted later: it holds back the next push about the same, so that nobody
    pushes without end by sending, deleting and sending again."""
    if not ids:
        return
    rows = Notification.objects.filter(pk__in=ids)
    lately = Q(pushed_at__gt=timezone.now() - PUSHED_AGAIN_AFTER)
    rows.filter(lately, read_at=None).update(read_at=timezone.now())
    rows.exclude(lately).delete()


def kept_of(account_id: int) -> QuerySet[Notification]:
    """The account's notifications of the last 30 days, the newest first."""
    own = Notification.objects.filter(
        account_id=account_id, created_at__gt=timezone.now() - timedelta(days=KEPT_DAYS)
    )
    return own.order_by("-created_at", "-pk")


def count_unread(account_id: int) -> int:
    return kept_of(account_id).filter(read_at=None).count()


def render_notification(notification: Notification, text: NotificationText) -> dict[str, Any]:
    return {
        "id": notification.pk.hex,
        "kind": notification.kind,
        "createdAt": milliseconds(notification.created_at),
        "readAt": milliseconds(notification.read_at) if notification.read_at else None,
        "title": text.title,
        "body": text.body,
        "url": text.url,
        "data": dict(text.data),
    }


def mark_read(account_id: int, *, only: UUID | None = None, up_to: int | None = None) -> int:
    """Mark one notification as read, or those up to a time (Unix milliseconds), or all. Returns how
    many are unread then. Raises: NotFound for an id that is not the account's."""
    own = Notification.objects.filter(account_id=account_id)
    if only is not None:
        own = own.filter(pk=only)
        if not own.exists():
            raise NotFound
    elif up_to is not None:
        own = own.filter(created_at__lt=from_milliseconds(up_to + 1))
    return mark_rows_read(account_id, own)


def mark_rows_read(account_id: int, rows: QuerySet[Notification]) -> int:
    """Mark these notifications of one account as read, and publish it. Returns how many of the
    account's are unread then."""
    ids = _mark(rows)
    return _publish_read(account_id, ids) if ids else count_unread(account_id)


def end_notifications(
    account_id: int, *, gone: QuerySet[Notification], read: QuerySet[Notification]
) -> None:
    """Delete some notifications of one account, mark others as read, and publish both at once."""
    ids = [*gone.values_list("pk", flat=True)]
    Notification.objects.filter(pk__in=ids).delete()
    ids += _mark(read)
    if ids:
        _publish_read(account_id, ids)


def end_about(kind: str, abouts: Collection[tuple[int, str]]) -> None:
    """Delete the notifications of this kind about what is over, of several (account, about), and
    publish it to each account."""
    account_ids, things = {account_id for account_id, _ in abouts}, {about for _, about in abouts}
    rows = Notification.objects.filter(account__in=account_ids, kind=kind, about__in=things)
    ended: dict[int, list[UUID]] = defaultdict(list)
    for account_id, about, pk in rows.values_list("account_id", "about", "pk"):
        if (account_id, about) in abouts:
            ended[account_id].append(pk)
    for account_id, ids in ended.items():
        Notification.objects.filter(pk__in=ids).delete()
        _publish_read(account_id, ids)


def _mark(rows: QuerySet[Notification]) -> list[UUID]:
    """Mark the unread ones of these as read; returns which."""
    ids = list(rows.filter(read_at=None).values_list("pk", flat=True))
    if ids:
        Notification.objects.filter(pk__in=ids, read_at=None).update(read_at=timezone.now())
    return ids


def _publish_read(account_id: int, ids: list[UUID]) -> int:
    """Publish that these were read or deleted. Returns how many of the account's are unread."""
    unread = count_unread(account_id)
    notifications_read.send_robust(Notification, account_id=account_id, ids=ids, unread=unread)
    return unread


def remove_notification(account_id: int, notification_id: UUID) -> None:
    """Delete one. Raises: NotFound."""
    own = Notification.objects.filter(account_id=account_id, pk=notification_id)
    if not own.delete()[0]:
        raise NotFound
    _publish_read(account_id, [notification_id])


def purge_notifications(dry_run: bool = False) -> Purged:
    """Delete notifications after 30 days, and an account's oldest beyond 500."""
    oldest = timezone.now() - timedelta(days=KEPT_DAYS)
    old = Notification.objects.filter(created_at__lte=oldest)
    purged = Purged(noun="notifications", done="deleted", seen=Notification.objects.count())
    purged.expired = old.count() if dry_run else old.delete()[0]
    counts = Notification.objects.values("account_id").annotate(count=Count("pk")).order_by()
    for row in list(counts.filter(count__gt=MAX_NOTIFICATIONS)):
        purged.expired += row["count"] - MAX_NOTIFICATIONS
        if not dry_run:
            _delete_beyond_limit(row["account_id"])
    return purged


def _delete_beyond_limit(account_id: int) -> None:
    rows = Notification.objects.filter(account_id=account_id).order_by("-created_at", "-pk")
    oldest = list(rows.values_list("pk", flat=True)[MAX_NOTIFICATIONS:])
    if oldest:
        Notification.objects.filter(pk__in=oldest).delete()
