"""The recurring jobs of all apps: each on one of all workers at a time."""

import logging
from collections.abc import Collection, Hashable
from contextvars import Context
from datetime import timedelta

from django.utils import timezone

from accounts.contribution_types import RecurringJob
from accounts.jobs.heartbeats import live_workers
from accounts.jobs.running import described
from accounts.models import RecurringRun
from accounts.registry import recurring_jobs

logger = logging.getLogger(__name__)


def claim_recurring_job(
    worker_id: str, *, at_work_on: Collection[Hashable] = ()
) -> RecurringJob | None:
    """A recurring job that is due, for this worker alone, or None.

    It is due when its last run began `seconds` ago. While another living worker is at it, or this
    one, it is not.
    """
    runs = RecurringRun.objects.in_bulk()
    for job in recurring_jobs():
        run = runs.get(job.name) or RecurringRun.objects.get_or_create(name=job.name)[0]
        if job.name in at_work_on or not _is_due(job, run):
            continue
        alive = live_workers() - {worker_id}
        if run.worker not in alive and _claim(run, worker_id):
            return job
    return None


def _is_due(job: RecurringJob, run: RecurringRun) -> bool:
    interval = timedelta(seconds=job.seconds)
    return run.started_at is None or run.started_at <= timezone.now() - interval


def _claim(run: RecurringRun, worker_id: str) -> bool:
    """Whether this worker was the first: the row is as it was read."""
    same = RecurringRun.objects.filter(pk=run.pk, started_at=run.started_at, worker=run.worker)
    return bool(same.update(started_at=timezone.now(), worker=worker_id))


def run_recurring_job(job: RecurringJob) -> bool:
    """Run it; one that raises is logged, and runs again when it is due. Returns whether it ended
    well."""
    try:
        Context().run(job.run)
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is the job's
        logger.error("recurring job %s failed: %s", job.name, described(error))
        return False
    return True


def release_recurring_job(job: RecurringJob, worker_id: str) -> None:
    """This worker has ended its run."""
    RecurringRun.objects.filter(pk=job.name, worker=worker_id).update(worker="")
