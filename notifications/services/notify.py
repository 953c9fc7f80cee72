"""Notifying people: what the apps above call."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from jobs.queue import enqueue_all
from notifications.limits import PUSHED_AGAIN_AFTER
from notifications.models import MutedConversation, Notification
from notifications.services.pushes import push_again, push_later, subscriptions_of
from notifications.services.settings import OFF, PUSH, deliveries_of
from notifications.signals import notifications_created

_PUSHED: Final = ("due", "done")
# No request takes longer than this.
LONGEST_REQUEST: Final = timedelta(minutes=1)


def notify(
    account_id: int, kind: str, *, about: str = "", details: dict[str, Any] | None = None
) -> None:
    """Write a notification, in the current transaction, unless the person switched the kind off.

    `about` names the thing: while there is an unread notification of this kind about it, no second
    one is written. `details` are the values for the text of the kind (JSON); they are stored
    encrypted.
    """
    notification = Notification(account_id=account_id, kind=kind, about=about)
    notification.set_details(details or {})
    _write([notification], kind)


def notify_all(kind: str, recipients: Sequence[tuple[int, str]]) -> None:
    """`notify` for several (account, about), in as many queries as for a single one."""
    notifications = [
        Notification(account_id=account_id, kind=kind, about=about)
        for account_id, about in recipients
    ]
    _write(notifications, kind)


def unread_about(kind: str, about: str) -> dict[int, bool]:
    """The accounts that have an unread notification of this kind about this, and whether it was
    pushed, or will be."""
    # The index has only rows whose `about` is not empty; SQLite uses it when the query says so.
    unread = Notification.objects.filter(about=about, kind=kind, read_at=None).exclude(about="")
    return {
        account_id: push in _PUSHED for account_id, push in unread.values_list("account", "push")
    }


def notify_of_conversation(
    kind: str,
    account_ids: Collection[int],
    *,
    about: str,
    conversation_id: UUID,
    at: datetime,
    details: dict[str, Any] | None = None,
    even_muted: bool = False,
) -> list[Notification]:
    """Write a notification for each of the accounts that wants the kind, and have it pushed.
    Returns the notifications; the caller publishes them.

    It is not pushed to who has muted the conversation. With `even_muted` it is, and then at most
    once in two minutes, also where the one before was read meanwhile. The conversation is locked,
    and none of the accounts has an unread notification of the kind about it.
    """
    if not account_ids:
        return []
    deliveries = deliveries_of(account_ids, kind)
    muting = MutedConversation.objects.filter(
        account__in=account_ids, conversation_id=conversation_id
    )
    muted = set() if even_muted else set(muting.values_list("account_id", flat=True))
    devices = _devices(deliveries, muted)
    last_pushes = _last_pushes(kind, account_ids, about=about) if even_muted else {}
    notifications = [
        Notification(
            account_id=account_id,
            kind=kind,
            about=about,
            created_at=at,
            pushed_at=last_pushes.get(account_id, at),
            push="due" if account_id in devices else "none",
        )
        for account_id in account_ids
        if deliveries[account_id] != OFF
    ]
    for notification in notifications:
        notification.set_details(details or {})
    Notification.objects.bulk_create(notifications)
    push_later([row for row in notifications if row.account_id not in last_pushes], devices)
    push_again_later(kind, last_pushes, about=about)
    return notifications


def _last_pushes(kind: str, account_ids: Collection[int], *, about: str) -> dict[int, datetime]:
    """When something about this was last pushed to an account, if within the last two minutes."""
    rows = Notification.objects.filter(
        push__in=_PUSHED,
        kind=kind,
        about=about,
        account__in=account_ids,
        pushed_at__gt=timezone.now() - PUSHED_AGAIN_AFTER,
    )
    return {row.account_id: row.pushed_at or row.created_at for row in rows.order_by("pushed_at")}


def _devices(deliveries: Mapping[int, str], muted: Collection[int] = ()) -> dict[int, list[UUID]]:
    """The push subscriptions, by account, of those who want pushes and have not muted it."""
    recipients = {account_id for account_id, delivery in deliveries.items() if delivery == PUSH}
    return subscriptions_of(recipients - set(muted))


def push_again_later(kind: str, account_ids: Collection[int], *, about: str) -> None:
    """Have the unread notifications of these accounts about this pushed again, because something
    more happened: two minutes after their last push, with the text that they have then. Those that
    were never pushed stay so."""
    now = timezone.now()
    pushed = Notification.objects.filter(
        push__in=_PUSHED, about=about, kind=kind, read_at=None, account__in=account_ids
    ).exclude(about="")
    # Where a job is about to run, its row is locked too, so that it waits for this transaction.
    job_runs_soon = Q(pushed_at__lt=now + LONGEST_REQUEST - PUSHED_AGAIN_AFTER)
    rows = pushed.filter(Q(pushes_again=False) | job_runs_soon)
    locked = list(rows.select_for_update(no_key=True).order_by("pk"))
    by_time: dict[datetime, list[UUID]] = defaultdict(list)
    for row in locked:
        if not row.pushes_again:
            last_push = row.pushed_at or row.created_at
            by_time[max(now, last_push + PUSHED_AGAIN_AFTER)].append(row.pk)
    for run_after, ids in by_time.items():
        Notification.objects.filter(pk__in=ids).update(pushes_again=True)
        enqueue_all(push_again.using(run_after=run_after), [(pk.hex,) for pk in ids])


@transaction.atomic
def _write(notifications: Sequence[Notification], kind: str) -> None:
    """Write the notifications that are wanted and not there yet, publish them, and have them
    pushed."""
    deliveries = deliveries_of([row.account_id for row in notifications], kind)
    created = [row for row in notifications if deliveries[row.account_id] != OFF]
    devices = _devices(deliveries)
    for notification in created:
        notification.push = "due" if notification.account_id in devices else "none"
    Notification.objects.bulk_create(created, ignore_conflicts=True)
    if any(notification.about for notification in created):
        stored = Notification.objects.filter(pk__in=[row.pk for row in created])
        stored_ids = set(stored.values_list("pk", flat=True))
        created = [row for row in created if row.pk in stored_ids]
    if created:
        push_later(created, devices)
        notifications_created.send_robust(Notification, notifications=created)
