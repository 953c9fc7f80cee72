"""Putting jobs into the queue, taking them from it, and deleting those that are done."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks.base import Task
from django_tasks.utils import normalize_json
from django_tasks_db.models import DBTaskResult, get_date_max

from accounts.purging import Purged, purge_rows

INSERTED_AT_ONCE = 500
DONE_KEPT = timedelta(days=1)
# Long enough to be looked at after a weekend.
FAILED_KEPT = timedelta(days=7)


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


def claim_jobs(worker_id: str, count: int) -> list[DBTaskResult[..., Any]]:
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


def purge_jobs(dry_run: bool = False) -> Purged:
    """Delete the jobs that were done more than a day ago, or failed more than a week ago."""
    now = timezone.now()
    done = Q(status=TaskResultStatus.SUCCESSFUL, finished_at__lt=now - DONE_KEPT)
    failed = Q(status=TaskResultStatus.FAILED, finished_at__lt=now - FAILED_KEPT)
    old = DBTaskResult.objects.filter(done | failed).order_by()
    return purge_rows(old, "old jobs", dry_run=dry_run)
