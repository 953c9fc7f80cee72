"""Running one job that was claimed, storing what came of it, and when it runs again."""

import logging
from contextvars import Context
from datetime import timedelta
from traceback import format_tb
from typing import Any, NamedTuple

from django.db import InterfaceError, OperationalError
from django.utils import timezone
from django_tasks import TaskContext, TaskResultStatus
from django_tasks_db.models import DBTaskResult

from jobs.queue import Job

logger = logging.getLogger(__name__)

# Seconds after the first run, the second, …: a job that raises after all of them has failed.
PAUSES = (10, 60, 300, 1800)
# Of any job, so that one that asks for another run, or kills its worker, does not do it for ever.
MOST_ATTEMPTS = 30


class RetryLater(Exception):
    """Raised by a job that is to run again in so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"again in {seconds:g} seconds")
        self.seconds = seconds


class WorkerLost(Exception):
    """The workers that ran a job died, again and again."""


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
        result = Result(error, _pause_after(error, len(job.worker_ids)))
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


def _pause_after(error: BaseException, attempts: int) -> float | None:
    """The seconds until the next run of a job that raised this in so many runs, or None."""
    if isinstance(error, RetryLater):
        return error.seconds if attempts < MOST_ATTEMPTS else None
    if isinstance(error, OperationalError | InterfaceError):  # the database is away
        return PAUSES[0] if attempts < MOST_ATTEMPTS else None
    return PAUSES[attempts - 1] if attempts <= len(PAUSES) else None


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
    elif not isinstance(error, RetryLater):
        logger.warning("job %s runs again in %d s", job.task_path, pause, exc_info=error)
