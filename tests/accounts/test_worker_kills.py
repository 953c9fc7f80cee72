"""Workers that are killed lose no job."""

import random
import time
from pathlib import Path

import pytest
from django_tasks_db.models import DBTaskResult

from accounts.jobs.queue import enqueue_all
from accounts.jobs.retries import MOST_ATTEMPTS
from tests.accounts import worker_jobs
from tests.accounts.job_file import lines
from tests.accounts.workers import long_form, running, start
from tests.concurrency import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def unfinished() -> bool:
    return DBTaskResult.objects.exclude(status="SUCCESSFUL").exists()


def test_a_worker_that_dies_in_a_job_leaves_it_to_another(tmp_path: Path) -> None:
    done = tmp_path / "done"
    with running(tmp_path, count=2) as workers:
        worker_jobs.kill_own_worker.enqueue(str(done))
        wait_until(lambda: not unfinished())
        assert sorted(worker.process.poll() is None for worker in workers) == [False, True]
        logged = [worker.logged("have lost run again: 1") for worker in workers]
        assert sum(logged) == 1
    assert lines(done) == ["began", "began", "done"]


def test_a_job_that_kills_every_worker_fails_in_the_end(tmp_path: Path) -> None:
    worker_jobs.kill_own_worker.enqueue(str(tmp_path / "done"))
    DBTaskResult.objects.update(status="RUNNING", worker_ids=["dead"] * MOST_ATTEMPTS)
    worker = start(tmp_path, "--once")
    assert worker.wait() == 0
    job = DBTaskResult.objects.get()
    assert (job.status, job.exception_class_path) == (
        "FAILED",
        "accounts.jobs.retries.WorkerLost",
    )


@pytest.mark.soak
def test_nothing_is_lost_however_often_workers_are_killed(tmp_path: Path) -> None:
    done, kills = tmp_path / "done", 50 if long_form() else 5
    chance = random.Random(kills)
    expected: set[str] = set()
    workers = [start(tmp_path) for _ in range(2)]
    try:
        for number in range(kills):
            names = [f"job-{number}-{each}" for each in range(40)]
            expected.update(names)
            enqueue_all(worker_jobs.take_a_while, [(str(done), name, 0.01) for name in names])
            wait_until(lambda names=names: any(name in lines(done) for name in names))  # type: ignore[misc]
            time.sleep(chance.random() / 10)
            victim = chance.randrange(len(workers))
            workers[victim].kill()
            workers[victim] = start(tmp_path)
        wait_until(lambda: not unfinished(), seconds=120)
    finally:
        for worker in workers:
            worker.kill()
    assert expected <= set(lines(done))
    # Only a job that was cut off ran twice.
    assert len(lines(done)) < 2 * len(expected) + kills * 16
