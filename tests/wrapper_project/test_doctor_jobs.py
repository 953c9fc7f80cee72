"""The doctor finds out that nobody does the jobs, or not in time."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from accounts.jobs import heartbeats
from accounts.models import JobWorker
from tests.accounts import worker_jobs
from tests.wrapper_project.test_doctor import told
from wrapper_project.doctor import jobs

# The doctor has a connection of its own, which sees only what is committed.
pytestmark = pytest.mark.django_db(transaction=True)


def enqueue_late() -> None:
    worker_jobs.note.enqueue("x", "y")
    DBTaskResult.objects.update(enqueued_at=timezone.now() - timedelta(seconds=90))


def begin_worker() -> None:
    heartbeats.beat("one", threads=4, started_at=timezone.now())


def test_it_warns_when_no_worker_runs() -> None:
    assert "no worker runs; 0 jobs wait" in told(jobs.check(), "warn")
    begin_worker()
    assert "1 workers run, 0 jobs wait" in told(jobs.check(), "ok")
    JobWorker.objects.update(seen_at=timezone.now() - timedelta(minutes=1))
    assert "no worker runs" in told(jobs.check(), "warn")


def test_it_fails_when_jobs_wait_for_a_worker() -> None:
    enqueue_late()
    assert "no worker runs; 1 jobs wait" in told(jobs.check(), "fail")


def test_it_fails_when_the_workers_are_behind() -> None:
    begin_worker()
    enqueue_late()
    assert "a job has waited for 9" in told(jobs.check(), "fail")


def test_it_warns_of_failed_jobs() -> None:
    begin_worker()
    enqueue_late()
    DBTaskResult.objects.update(status="FAILED", finished_at=timezone.now())
    assert "1 jobs have failed within a day" in told(jobs.check(), "warn")
