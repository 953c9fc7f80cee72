"""What the tests see of pushes and of the jobs that send them."""

from datetime import datetime, timedelta
from typing import Any

import orjson
from django.db.models import F
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from notifications.models import Notification, PushSubscription
from notifications.services.deliveries import host_breaker
from tests.jobs.run_jobs import run_jobs
from tests.notifications.push_service import PushService


def shown(service: PushService, number: int = 0) -> dict[str, Any]:
    """What the push with this number says."""
    push = service.received[number]
    service.verify_vapid(push)
    message = orjson.loads(service.decrypt(push))
    assert message["web_push"] == 8030
    notification: dict[str, Any] = message["notification"]
    return notification


def tonight() -> datetime:
    """Half past ten in Stockholm, within a day."""
    now = timezone.localtime()
    then = now.replace(hour=22, minute=30)
    return then if then > now else then + timedelta(days=1)


def waiting_jobs() -> int:
    """After `run_jobs`, those that are left wait for their time."""
    return DBTaskResult.objects.filter(status="READY").count()


def pass_time(**time: float) -> None:
    """As if so much time had passed since everything that happened to notifications and
    subscriptions: a clock that is moved would end the logins of the test."""
    passed = timedelta(**time)
    columns = {
        Notification: ("created_at", "pushed_at"),
        PushSubscription: ("failing_since", "failed_at", "gone_at"),
        DBTaskResult: ("run_after", "enqueued_at"),
    }
    for model, names in columns.items():
        model._default_manager.update(**{name: F(name) - passed for name in names})


def run_waiting_jobs() -> None:
    """As if their time had come."""
    host_breaker.cache_clear()
    DBTaskResult.objects.filter(status="READY").update(run_after=timezone.now())
    run_jobs()
