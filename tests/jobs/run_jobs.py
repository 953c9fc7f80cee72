"""The jobs of the queue, done in the test's own thread as `run_worker` does them."""

from django_tasks_db.models import DBTaskResult

from jobs.queue import claim_jobs
from jobs.running import RetryLater, run_job, store_result


def run_jobs() -> None:
    """Do what is due, and what that enqueues. A job that fails fails the test; one that asked for
    a later run stays."""
    while jobs := claim_jobs("test", 1):
        result = run_job(jobs[0])
        store_result(jobs[0], result)
        if result.error is not None and not isinstance(result.error, RetryLater):
            raise result.error
    assert not DBTaskResult.objects.failed().exists()
