"""Pushes: which notifications are pushed where, and when."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django_tasks import task

from accounts.models import ServiceSession, not_suspended
from jobs.queue import enqueue_all
from notifications.models import MutedConversation, Notification, PushSubscription
from notifications.services.deliveries import push_notification, push_waiting
from notifications.services.settings import PUSH, delivery_of, settings_row


def push_later(
    notifications: Sequence[Notification], devices: Mapping[int, Sequence[UUID]]
) -> None:
    """Have workers push those that are due, to each subscription of the person (`devices`, as
    `subscriptions_of` returns them). In the transaction that wrote them."""
    pushes = [
        (notification.pk.hex, to.hex)
        for notification in notifications
        if notification.push == "due"
        for to in devices.get(notification.account_id, ())
    ]
    if pushes:
        enqueue_all(push_notification, pushes)


@task()
def push_again(notification_id: str) -> None:
    """Push a notification about a conversation once more, unless it was read, is gone, or is not
    to be pushed any more. Done twice, it pushes once."""
    with transaction.atomic():
        rows = Notification.objects.select_for_update(no_key=True)
        waiting = rows.filter(pk=notification_id, read_at=None, pushes_again=True)
        notification = waiting.exclude(push="held").first()
        if notification is None:
            return
        notification.pushes_again, notification.pushed_at = False, timezone.now()
        notification.push = "due" if _is_pushed(notification) else "none"
        notification.save(update_fields=["pushes_again", "pushed_at", "push"])
        push_later([notification], subscriptions_of([notification.account_id]))


def _is_pushed(notification: Notification) -> bool:
    """Whether the person still wants pushes of its kind and about its conversation. Of what is
    meant for them in it (`about` says what, after a colon) also where it is muted."""
    account_id = notification.account_id
    conversation, _, meant = notification.about.partition(":")
    muted = MutedConversation.objects.filter(
        account=account_id, conversation_id=UUID(hex=conversation)
    )
    wanted = delivery_of(account_id, notification.kind) == PUSH
    return wanted and (bool(meant) or not muted.exists())


def push_held() -> None:
    """One push that says how many wait, to each person whose quiet hours are over."""
    held = Notification.objects.filter(push="held")
    for account_id in list(held.order_by().values_list("account_id", flat=True).distinct()):
        if not settings_row(account_id).seconds_of_quiet(timezone.now()):
            _push_waiting(account_id)


@transaction.atomic
def _push_waiting(account_id: int) -> None:
    held = Notification.objects.filter(account_id=account_id, push="held")
    rows = list(held.select_for_update(no_key=True).order_by("pk"))
    counted = Notification.objects.filter(pk__in=[row.pk for row in rows])
    counted.update(push="done", pushed_at=timezone.now(), pushes_again=False)
    waiting = sum(row.read_at is None for row in rows)
    if waiting:
        subscriptions = subscriptions_of([account_id])[account_id]
        enqueue_all(
            push_waiting, [(subscription_id.hex, waiting) for subscription_id in subscriptions]
        )


def subscriptions_of(account_ids: Collection[int]) -> dict[int, list[UUID]]:
    """Where each person receives pushes; nowhere while they are suspended, and not where they are
    signed out."""
    login = ServiceSession.objects.filter(pk=OuterRef("session_key"))
    rows = PushSubscription.objects.filter(
        not_suspended("account__"), Exists(login), account__in=account_ids, ends_since=None
    )
    subscription_ids: dict[int, list[UUID]] = defaultdict(list)
    for account_id, subscription_id in rows.values_list("account_id", "pk"):
        subscription_ids[account_id].append(subscription_id)
    return subscription_ids
