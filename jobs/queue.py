"""Putting jobs into the queue, taking them from it, and how far behind the workers are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Case, Count, F, Min, Q, QuerySet, When
from django.db.models.fields import DateTimeField
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks.base import Task
from django_tasks.utils import normalize_json
from django_tasks_db.models import DBTaskResult, get_date_max

INSERTED_AT_ONCE = 500
# The visibility timeout: whoever runs a job for so long has died, and it is due again. A worker
# looks for such jobs every `worker.LOST_JOBS_SECONDS`, so that they run within five minutes.
LOST_AFTER = timedelta(minutes=4, seconds=30)
DONE_KEPT = timedelta(days=1)
# Long enough to be looked at after a weekend.
FAILED_KEPT = timedelta(days=7)
FAILED_WITHIN = timedelta(days=1)

Job = DBTaskResult[..., Any]


def enqueue_all(job: Task[..., Any], argument_lists: Iterable[Sequence[Any]]) -> None:
    """Enqueue a job for each list of arguments, in the current transaction, with one statement for
    hundreds of them. The same as `job.enqueue(*arguments)` for each."""
    DBTaskResult.objects.bulk_create(
        [
            DBTaskResult(
                args_kwargs=normalize_json({"args": list(arguments), "kwargs": {}}),
                priority=job.priority,
                task_path=job.module_path,
                queue_name=job.queue_name,
                backend_name=job.backend,
                # `bulk_create` sends no signal, and the backend's sets this one.
                run_after=job.run_after or get_date_max(),
            )
            for arguments in argument_lists
        ],
        batch_size=INSERTED_AT_ONCE,
    )


def claim_jobs(worker_id: str, count: int) -> list[Job]:
    """Mark at most `count` due jobs as run by this worker. No other worker gets them.

    While nothing is due this is one SELECT: on SQLite, a transaction would lock out all writers.
    """
    ready = DBTaskResult.objects.ready()
    if not ready.exists():
        return []
    with transaction.atomic():
        # Does not wait for rows that another worker claims. SQLite has one writer at a time.
        rows = list(ready.select_for_update(skip_locked=True)[:count])
        for row in rows:
            row.claim(worker_id)
    return rows


def return_lost_jobs() -> int:
    """Make the jobs due again whose worker has died; returns how many."""
    lost = DBTaskResult.objects.running().filter(started_at__lt=timezone.now() - LOST_AFTER)
    return lost.update(status=TaskResultStatus.READY, started_at=None)


def old_jobs() -> QuerySet[Job]:
    """The jobs that were done more than a day ago, or failed more than a week ago."""
    now = timezone.now()
    done = Q(status=TaskResultStatus.SUCCESSFUL, finished_at__lt=now - DONE_KEPT)
    failed = Q(status=TaskResultStatus.FAILED, finished_at__lt=now - FAILED_KEPT)
    return DBTaskResult.objects.filter(done | failed).order_by()


@dataclass(frozen=True, slots=True)
class QueueState:
    """`lag` is the age in seconds of the oldest job that is due and that nobody runs; `later` are
    the jobs that are not due yet; `failed` those of the last day."""

    lag: float
    waiting: int
    later: int
    running: int
    failed: int


def read_queue_state() -> QueueState:
    """The queue of all machines together. Raises: DatabaseError."""
    now = timezone.now()
    ready, running = Q(status=TaskResultStatus.READY), Q(status=TaskResultStatus.RUNNING)
    lost = running & Q(started_at__lt=now - LOST_AFTER)
    due = ready & (Q(run_after=get_date_max()) | Q(run_after__lte=now)) | lost
    failed = Q(status=TaskResultStatus.FAILED, finished_at__gte=now - FAILED_WITHIN)
    due_since = Case(
        When(run_after=get_date_max(), then=F("enqueued_at")),
        default=F("run_after"),
        output_field=DateTimeField(),
    )
    state = DBTaskResult.objects.order_by().aggregate(
        oldest=Min(due_since, filter=due),
        waiting=Count("pk", filter=due),
        later=Count("pk", filter=ready & ~due),
        running=Count("pk", filter=running & ~lost),
        failed=Count("pk", filter=failed),
    )
    oldest = state.pop("oldest") or now
    return QueueState(lag=max(0.0, (now - oldest).total_seconds()), **state)
