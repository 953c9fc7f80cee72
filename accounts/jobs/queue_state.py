"""How far behind the workers are, for those who watch the service."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Case, Count, F, Min, Q, When
from django.db.models.fields import DateTimeField
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult, get_date_max

from accounts.jobs.heartbeats import DEAD_AFTER
from accounts.models import JobWorker

FAILED_WITHIN = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class QueueState:
    """`lag` is the age in seconds of the oldest job that is due and that nobody runs; `later` are
    the jobs that are not due yet; `failed` those of the last day."""

    lag: float
    waiting: int
    later: int
    running: int
    failed: int
    workers: int


def read_queue_state() -> QueueState:
    """The queue and the workers of all machines together. Raises: DatabaseError."""
    now = timezone.now()
    ready = Q(status=TaskResultStatus.READY)
    due = ready & (Q(run_after=get_date_max()) | Q(run_after__lte=now))
    since = Case(
        When(run_after=get_date_max(), then=F("enqueued_at")),
        default=F("run_after"),
        output_field=DateTimeField(),
    )
    found = DBTaskResult.objects.order_by().aggregate(
        oldest=Min(since, filter=due),
        waiting=Count("pk", filter=due),
        ready=Count("pk", filter=ready),
        running=Count("pk", filter=Q(status=TaskResultStatus.RUNNING)),
        failed=Count(
            "pk",
            filter=Q(status=TaskResultStatus.FAILED, finished_at__gte=now - FAILED_WITHIN),
        ),
    )
    oldest = found["oldest"] or now
    return QueueState(
        lag=max(0.0, (now - oldest).total_seconds()),
        waiting=found["waiting"],
        later=found["ready"] - found["waiting"],
        running=found["running"],
        failed=found["failed"],
        workers=JobWorker.objects.filter(seen_at__gte=now - DEAD_AFTER).count(),
    )
