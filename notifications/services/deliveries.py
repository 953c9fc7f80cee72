"""Sending one push to one subscription, and what its push service's answer means.

A job that must be tried again raises `RetryLater`; the queue then runs it again. All tries have the
same topic, so that a later one replaces an earlier one at the push service and on the device.
"""

import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from django.db import InterfaceError, OperationalError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override
from django_tasks import TaskContext, task

from accounts.database import release_database_connection
from accounts.models import not_suspended
from jobs.running import RetryLater
from notifications.errors import PushEndpointRefused
from notifications.models import Notification, PushSubscription
from notifications.push import client
from notifications.push.encryption import encrypt
from notifications.push.endpoints import read_endpoint
from notifications.push.payload import Push, push_of, topic_of
from notifications.push.vapid import authorization
from notifications.services.settings import settings_row
from notifications.services.texts import describe
from upstream.circuit_breaker import CircuitBreaker
from upstream.errors import CircuitOpen

PUSHED_WITHIN: Final = timedelta(hours=24)
# 15 seconds, then twice as long each time, up to an hour: a day in all, with the runs of one job.
FIRST_PAUSE, LONGEST_PAUSE = 15, 3600
# Seconds without pushes for a push service that fails for several people, and seconds within which
# these failures mean that it is away.
HOST_PAUSE, HOST_WINDOW = 30, 60

# While the database is away, nothing is written after a push: a job that raises runs again, and
# would push again.
DATABASE_AWAY: Final = (OperationalError, InterfaceError)

# `last_used_at` is exact to a minute.
USED_AGAIN: Final = timedelta(minutes=1)


@task(takes_context=True)
def push_notification(context: TaskContext, notification_id: str, subscription_id: str) -> None:
    """Push a notification, unless it was read, is gone or too old. In quiet hours it is held."""
    notification = Notification.objects.filter(pk=notification_id, read_at=None).first()
    if notification is None:
        return
    since = notification.pushed_at or notification.created_at
    if since < timezone.now() - PUSHED_WITHIN or _is_superseded(notification, context):
        return
    subscription = _usable(subscription_id)
    if subscription is None:
        return
    chosen = settings_row(notification.account_id)
    if chosen.seconds_of_quiet(timezone.now()):
        # Not if `push_waiting` has counted it already.
        Notification.objects.filter(pk=notification_id, push="due").update(push="held")
        return
    with override(chosen.language or None):
        text = describe([notification], names=chosen.preview).get(notification.pk)
        if text is None:
            return
        push = push_of(notification, text, preview=chosen.preview)
    _deliver(subscription, push, attempt=context.attempt, since=since)


def _is_superseded(notification: Notification, context: TaskContext) -> bool:
    """Whether a later job pushes what this one would, or `push_waiting` has counted it."""
    enqueued_at = context.task_result.enqueued_at
    last_push = notification.pushed_at
    return notification.push == "done" or bool(
        last_push and enqueued_at and enqueued_at < last_push
    )


@task(takes_context=True)
def push_waiting(context: TaskContext, subscription_id: str, count: int) -> None:
    """After quiet hours: how many notifications wait."""
    subscription = _usable(subscription_id)
    if subscription is None:
        return
    with override(settings_row(subscription.account_id).language or None):
        title = ngettext(
            "%(count)d notification is waiting", "%(count)d notifications are waiting", count
        ) % {"count": count}
        push = _own_push(subscription, title, "waiting", "/notifications")
    _deliver(subscription, push, attempt=context.attempt)


@task(takes_context=True)
def push_test(context: TaskContext, subscription_id: str) -> None:
    """Push a test, also in quiet hours: somebody is waiting for it."""
    subscription = _usable(subscription_id)
    if subscription is None:
        return
    with override(settings_row(subscription.account_id).language or None):
        push = _own_push(subscription, _("It works"), "test", "/settings/notifications")
    push.data["kind"] = "test"
    _deliver(subscription, push, attempt=context.attempt)


@task(takes_context=True)
def push_goodbye(context: TaskContext, subscription_id: str) -> None:
    """The last push to a subscription whose login has ended, after quiet hours."""
    subscription = _usable(subscription_id, ended=True)
    if subscription is None:
        return
    chosen = settings_row(subscription.account_id)
    if seconds := chosen.seconds_of_quiet(timezone.now()):
        raise RetryLater(seconds)
    with override(chosen.language or None):
        push = _own_push(subscription, _("Please sign in again"), "account", "/login")
    _deliver(subscription, push, attempt=context.attempt, since=subscription.ends_since)
    with suppress(*DATABASE_AWAY):
        subscription.delete()  # else the purge does it


def _usable(subscription_id: str, *, ended: bool = False) -> PushSubscription | None:
    """The subscription, unless it is gone or its account is suspended. `ended`: one whose login has
    ended, and none else."""
    rows = PushSubscription.objects.filter(
        not_suspended("account__"), pk=subscription_id, ends_since__isnull=not ended
    )
    return rows.first()


def _own_push(subscription: PushSubscription, title: str, about: str, url: str) -> Push:
    return Push(
        title=title,
        body="",
        topic=topic_of(subscription.account_id, about),
        url=url,
        data={"kind": "account", "url": url},
        urgent=False,
    )


def _deliver(
    subscription: PushSubscription, push: Push, *, attempt: int, since: datetime | None = None
) -> None:
    """Send one push. Raises: RetryLater."""
    browser = subscription.read_browser()
    if browser is None:
        return
    try:
        host_breaker(subscription.host).begin(str(subscription.account_id))
    except CircuitOpen as away:
        raise RetryLater(max(away.retry_after, _retry_pause(attempt))) from None
    try:
        endpoint = read_endpoint(browser.endpoint)
        left = PUSHED_WITHIN - (timezone.now() - since if since else timedelta())
        release_database_connection()
        answer = client.post(
            endpoint,
            headers={
                "Authorization": authorization(endpoint.origin),
                "Content-Type": "application/octet-stream",
                "Content-Encoding": "aes128gcm",
                "TTL": str(max(0, int(left.total_seconds()))),
                "Topic": push.topic,
                "Urgency": "high" if push.urgent else "normal",
            },
            body=encrypt(push.to_bytes(), p256dh=browser.p256dh, auth=browser.auth),
        )
    except (PushEndpointRefused, client.AddressRefused):
        subscription.delete()  # no longer listed, or its address is inside our network
        return
    except client.NotSent:
        answer = client.Answer(0)
    _handle_answer(subscription, answer, attempt)


def _handle_answer(subscription: PushSubscription, answer: client.Answer, attempt: int) -> None:
    """Keep, mark or delete the subscription, as the answer says. Raises: RetryLater."""
    _count_for_host(subscription, answer)
    same = PushSubscription.objects.filter(pk=subscription.pk)
    now = timezone.now()
    if 200 <= answer.status < 300:
        last = subscription.last_used_at
        if subscription.failing_since is not None or last is None or now - last > USED_AGAIN:
            with suppress(*DATABASE_AWAY):
                same.update(last_used_at=now, **PushSubscription.NO_FAILURES)
    elif answer.status in (403, 404, 410):
        subscription.end()  # it is gone, or belongs to another key
    else:
        subscription.count_failure()
        if answer.status in (0, 408, 429) or answer.status >= 500:
            raise RetryLater(max(_retry_pause(attempt), answer.retry_after))


def _retry_pause(attempt: int) -> float:
    """Seconds; up to a fifth longer, so that not everything is tried again at once."""
    pause: float = min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE)
    return pause * (1 + secrets.randbelow(200) / 1000)


@lru_cache(maxsize=256)
def host_breaker(host: str) -> CircuitBreaker:  # noqa: ARG001  (one for each host)
    """Refuses pushes to a push service that fails for several people, in this worker."""
    return CircuitBreaker(
        lambda: timezone.now().timestamp(), window_seconds=HOST_WINDOW, open_seconds=HOST_PAUSE
    )


def _count_for_host(subscription: PushSubscription, answer: client.Answer) -> None:
    """Count what an answer says about the push service, and not about one subscription: a 429, and
    whatever it asks for, is only about the subscription."""
    breaker = host_breaker(subscription.host)
    person = str(subscription.account_id)
    if answer.status == 0 or answer.status >= 500:
        breaker.failed(person, wait_seconds=min(answer.retry_after, LONGEST_PAUSE))
    elif answer.status != 429:
        breaker.succeeded(person)
