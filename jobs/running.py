"""Running one job that was claimed, and storing what came of it."""

import logging
from contextvars import Context
from datetime import timedelta
from traceback import format_tb
from typing import Any, NamedTuple

from django.utils import timezone
from django_tasks import TaskContext, TaskResultStatus
from django_tasks_db.models import DBTaskResult

from jobs.queue import Job
from jobs.retries import MOST_ATTEMPTS, OUTAGES, RetryLater, WorkerLost, pause_after

logger = logging.getLogger(__name__)


class Result(NamedTuple):
    """What came of a job: the error that it raised, and the seconds until its next run. Without a
    pause, a job with an error has failed."""

    error: BaseException | None = None
    pause: float | None = None


def run_job(job: Job) -> Result:
    """Run a claimed job, and log what it raises.

    Each job has an empty context: no language, time zone or deadline of the one before.
    """
    try:
        Context().run(_call, job)
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is the job's
        result = Result(error, pause_after(error, len(job.worker_ids)))
        _log(job, error, result.pause)
        return result
    return Result()


def _call(job: Job) -> None:
    if len(job.worker_ids) > MOST_ATTEMPTS:
        raise WorkerLost
    # Raises ImportError for a job of another version of the service.
    task, arguments = job.task, job.args_kwargs
    own: Any = job.task_result
    first = [TaskContext(task_result=own)] if task.takes_context else []
    task.call(*first, *arguments["args"], **arguments["kwargs"])


def store_result(job: Job, result: Result) -> None:
    """Note what came of it. Does nothing if the job is another worker's by now, because this one
    took longer than `queue.LOST_AFTER`."""
    now = timezone.now()
    columns: dict[str, Any] = {"status": TaskResultStatus.SUCCESSFUL, "finished_at": now}
    if result.pause is not None:
        run_after = now + timedelta(seconds=result.pause)
        columns = {"status": TaskResultStatus.READY, "started_at": None, "run_after": run_after}
    elif result.error is not None:
        columns["status"] = TaskResultStatus.FAILED
        columns["exception_class_path"] = _class_path(result.error)
        # The lines of code. The text of an exception can hold a secret.
        columns["traceback"] = "".join(format_tb(result.error.__traceback__))
    still_ours = DBTaskResult.objects.running().filter(pk=job.pk, started_at=job.started_at)
    still_ours.update(**columns)


def _class_path(error: BaseException) -> str:
    return f"{type(error).__module__}.{type(error).__qualname__}"


def _log(job: Job, error: BaseException, pause: float | None) -> None:
    if pause is None:
        logger.error("job %s failed: %s", job.task_path, _class_path(error), exc_info=error)
    elif isinstance(error, OUTAGES):
        logger.info("job %s runs again in %d s: %s", job.task_path, pause, _class_path(error))
    elif not isinstance(error, RetryLater):
        logger.warning("job %s runs again in %d s", job.task_path, pause, exc_info=error)
