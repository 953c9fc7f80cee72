"""Telling people something: the one way in for the apps above."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from jobs.queue import enqueue_all
from notifications.limits import PUSHED_AGAIN_AFTER
from notifications.models import MutedConversation, Notification
from notifications.services.pushes import push_again, push_later, subscriptions_of
from notifications.services.settings import OFF, PUSH, deliveries_of
from notifications.signals import notifications_created

_PUSHED: Final = Q(push__in=("due", "done"))
# No request takes longer than this.
LONGEST_REQUEST: Final = timedelta(minutes=1)


def notify(
    account_id: int, kind: str, *, about: str = "", details: dict[str, Any] | None = None
) -> None:
    """Write a notification, in the current transaction, unless the person switched the kind off.

    `about` gathers events: while a notification about it is unread, there is no other. `details`
    are the values that the kind describes it with (JSON); they are stored sealed.
    """
    made = Notification(account_id=account_id, kind=kind, about=about)
    made.set_details(details or {})
    _write([made], kind)


def notify_each(kind: str, abouts: Sequence[tuple[int, str]]) -> None:
    """As `notify`, for several (account, about), in as many queries as for one."""
    made = [
        Notification(account_id=account_id, kind=kind, about=about) for account_id, about in abouts
    ]
    _write(made, kind)


def unread_about(kind: str, about: str) -> Exists:
    """Whether the `account` of a row has an unread notification of this kind about this."""
    # Not empty, in the words of the index: SQLite uses it only then.
    unread = Notification.objects.filter(about=about, kind=kind, read_at=None).exclude(about="")
    return Exists(unread.filter(account=OuterRef("account")))


def pushed_about(kind: str, about: str) -> Exists:
    """As `unread_about`, of notifications that were pushed and may be pushed again."""
    unread = Notification.objects.filter(about=about, kind=kind, read_at=None).exclude(about="")
    return Exists(unread.filter(_PUSHED, account=OuterRef("account")))


def tell_of_conversation(
    kind: str,
    account_ids: Collection[int],
    *,
    about: str,
    conversation_id: UUID,
    at: datetime,
    details: dict[str, Any] | None = None,
    even_muted: bool = False,
) -> list[Notification]:
    """Write a notification for each account that wants the kind, and have it pushed unless it has
    muted the conversation, or also then: where one about the same, that was read, was pushed less
    than two minutes ago, when those have passed. Returns them; the caller publishes them.

    The conversation is locked, and nobody of these has an unread one about it.
    """
    if not account_ids:
        return []
    deliveries = deliveries_of(account_ids, kind)
    muting = MutedConversation.objects.filter(
        account__in=account_ids, conversation_id=conversation_id
    )
    muted = set() if even_muted else set(muting.values_list("account_id", flat=True))
    devices = _devices(deliveries, muted)
    pushed = _pushed_lately(kind, account_ids, about=about) if even_muted else {}
    made = [
        Notification(
            account_id=account_id,
            kind=kind,
            about=about,
            created_at=at,
            pushed_at=pushed.get(account_id, at),
            push="due" if account_id in devices else "none",
        )
        for account_id in account_ids
        if deliveries[account_id] != OFF
    ]
    for notification in made:
        notification.set_details(details or {})
    Notification.objects.bulk_create(made)
    push_later(
        [notification for notification in made if notification.account_id not in pushed], devices
    )
    push_again_later(kind, pushed, about=about)
    return made


def _pushed_lately(kind: str, account_ids: Collection[int], *, about: str) -> dict[int, datetime]:
    """When those were last pushed of this that were so less than two minutes ago."""
    rows = Notification.objects.filter(
        _PUSHED,
        kind=kind,
        about=about,
        account__in=account_ids,
        pushed_at__gt=timezone.now() - PUSHED_AGAIN_AFTER,
    )
    return {row.account_id: row.pushed_at or row.created_at for row in rows.order_by("pushed_at")}


def _devices(deliveries: Mapping[int, str], muted: Collection[int] = ()) -> dict[int, list[UUID]]:
    """The subscriptions of those who want a push and have one."""
    wanting = {account_id for account_id, how in deliveries.items() if how == PUSH}
    return subscriptions_of(wanting - set(muted))


def push_again_later(kind: str, account_ids: Collection[int], *, about: str) -> None:
    """Something more happened of what these accounts have unread notifications about: have those
    that were pushed pushed again, two minutes after the last time, with what they say then.
    """
    now = timezone.now()
    pushed = Notification.objects.filter(
        _PUSHED, about=about, kind=kind, read_at=None, account__in=account_ids
    ).exclude(about="")
    # Those whose job is about to run are locked, too, so that it waits for this transaction.
    soon = now + LONGEST_REQUEST - PUSHED_AGAIN_AFTER
    rows = pushed.filter(Q(pushes_again=False) | Q(pushed_at__lt=soon))
    locked = list(rows.select_for_update(no_key=True).order_by("pk"))
    by_time: dict[datetime, list[UUID]] = defaultdict(list)
    for row in locked:
        if not row.pushes_again:
            last = row.pushed_at or row.created_at
            by_time[max(now, last + PUSHED_AGAIN_AFTER)].append(row.pk)
    for run_after, ids in by_time.items():
        Notification.objects.filter(pk__in=ids).update(pushes_again=True)
        enqueue_all(push_again.using(run_after=run_after), [(pk.hex,) for pk in ids])


@transaction.atomic
def _write(made: Sequence[Notification], kind: str) -> None:
    """Write those that are wanted and not there yet, publish them, and have them pushed."""
    deliveries = deliveries_of([notification.account_id for notification in made], kind)
    wanted = [notification for notification in made if deliveries[notification.account_id] != OFF]
    devices = _devices(deliveries)
    for notification in wanted:
        notification.push = "due" if notification.account_id in devices else "none"
    Notification.objects.bulk_create(wanted, ignore_conflicts=True)
    if any(notification.about for notification in wanted):
        rows = Notification.objects.filter(pk__in=[notification.pk for notification in wanted])
        written = set(rows.values_list("pk", flat=True))
        wanted = [notification for notification in wanted if notification.pk in written]
    if wanted:
        push_later(wanted, devices)
        notifications_created.send_robust(Notification, notifications=wanted)
