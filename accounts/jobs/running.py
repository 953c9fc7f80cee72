"""Running one job that was claimed, and storing what came of it."""

import logging
import time
from collections.abc import Iterator
from contextvars import Context
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from traceback import walk_tb
from types import TracebackType
from typing import Any, Literal

from django.conf import settings
from django.utils import timezone
from django_tasks import TaskContext, TaskResultStatus
from django_tasks_db.models import DBTaskResult

from accounts.jobs.retries import OUTAGES, RetryLater, pause_after

logger = logging.getLogger(__name__)

OUTAGE_LOG_SECONDS = 60
_outages_logged: dict[type[BaseException], float] = {}


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a job: `again` will be run in `pause` seconds."""

    state: Literal["done", "again", "failed"]
    error: BaseException | None = None
    pause: float = 0


def run_job(job: DBTaskResult[..., Any]) -> Result:
    """Run a claimed job, and log what it raises.

    Each job has an empty context: no language, time zone or deadline of the one before.
    """
    try:
        Context().run(_call, job)
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is the job's
        pause = pause_after(error, len(job.worker_ids))
        result = Result("failed" if pause is None else "again", error, pause or 0)
        _log(job, result)
        return result
    return Result("done")


def _call(job: DBTaskResult[..., Any]) -> None:
    # Raises ImportError for a job of another version of the service.
    task, arguments = job.task, job.args_kwargs
    own: Any = job.task_result
    first = [TaskContext(task_result=own)] if task.takes_context else []
    task.call(*first, *arguments["args"], **arguments["kwargs"])


def store_result(job: DBTaskResult[..., Any], result: Result) -> None:
    """Note what came of it. Does nothing if the job was given to another worker meanwhile, because
    this one seemed to be dead."""
    now = timezone.now()
    columns: dict[str, Any] = {"status": TaskResultStatus.SUCCESSFUL, "finished_at": now}
    if result.state == "again":
        columns = {
            "status": TaskResultStatus.READY,
            "started_at": None,
            "run_after": now + timedelta(seconds=result.pause),
        }
    elif result.error is not None:
        columns = failed(result.error)
    still_ours = DBTaskResult.objects.filter(
        pk=job.pk, status=TaskResultStatus.RUNNING, started_at=job.started_at
    )
    still_ours.update(**columns)


def failed(error: BaseException) -> dict[str, Any]:
    """The columns of a failed job. The text of an exception can hold a secret, and so can a line
    of a traceback: only the class and the lines of our own code are stored."""
    return {
        "status": TaskResultStatus.FAILED,
        "finished_at": timezone.now(),
        "exception_class_path": class_path(error),
        "traceback": "\n".join(our_frames(error.__traceback__)),
    }


def class_path(error: BaseException) -> str:
    return f"{type(error).__module__}.{type(error).__qualname__}"


def described(error: BaseException) -> str:
    """The class of an error, and the last line of our code that it passed, for the log."""
    return ", ".join([class_path(error), *list(our_frames(error.__traceback__))[-1:]])


def our_frames(traceback: TracebackType | None) -> Iterator[str]:
    """`file:line in function` of each call in our own code."""
    for frame, line in walk_tb(traceback):
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(settings.BASE_DIR) and "site-packages" not in path.parts:
            yield f"{path.relative_to(settings.BASE_DIR)}:{line} in {frame.f_code.co_name}"


def _log(job: DBTaskResult[..., Any], result: Result) -> None:
    error = result.error
    if error is None or (isinstance(error, RetryLater) and result.state == "again"):
        return
    what = described(error)
    if result.state == "failed":
        logger.error("job %s failed: %s", job.task_path, what)
    elif not isinstance(error, OUTAGES) or _first_of_outage(error):
        logger.warning("job %s runs again in %d s: %s", job.task_path, result.pause, what)


def _first_of_outage(error: BaseException) -> bool:
    """Whether the last such error is a while ago: an outage stops hundreds of jobs."""
    last, now = _outages_logged.get(type(error)), time.monotonic()
    if last is not None and now - last < OUTAGE_LOG_SECONDS:
        return False
    _outages_logged[type(error)] = now
    return True
