"""Workers that are killed lose no job."""

import random
import time
from pathlib import Path

import pytest
from django_tasks_db.models import DBTaskResult

from jobs.queue import enqueue_all
from tests.jobs import worker_jobs
from tests.jobs.job_file import lines
from tests.jobs.workers import let_time_pass, long_form, running, start, wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def unfinished() -> bool:
    return DBTaskResult.objects.exclude(status="SUCCESSFUL").exists()


def test_another_worker_does_the_job_of_one_that_died_when_the_timeout_is_over(
    tmp_path: Path,
) -> None:
    done = tmp_path / "done"
    killer = worker_jobs.kill_own_worker.enqueue(str(done))
    with running(tmp_path) as (worker,):
        assert worker.wait() == -9
    other = worker_jobs.note.enqueue(str(done), "other")
    with running(tmp_path):
        wait_for(lambda: DBTaskResult.objects.get(pk=other.id).status == "SUCCESSFUL")
        assert DBTaskResult.objects.get(pk=killer.id).status == "RUNNING"
    let_time_pass()
    with running(tmp_path) as (worker,):
        wait_for(lambda: not unfinished())
        assert worker.logged("jobs whose workers have died run again: 1") == 1
    assert lines(done) == ["began", "other", "began", "done"]


@pytest.mark.soak
def test_nothing_is_lost_however_often_workers_are_killed(tmp_path: Path) -> None:
    done, kills = tmp_path / "done", 50 if long_form() else 3
    chance = random.Random(kills)
    expected: set[str] = set()
    workers = [start(tmp_path) for _ in range(2)]
    try:
        for number in range(kills):
            names = [f"job-{number}-{each}" for each in range(40)]
            expected.update(names)
            enqueue_all(worker_jobs.take_a_while, [(str(done), name, 0.01) for name in names])
            wait_for(lambda names=names: any(name in lines(done) for name in names))  # type: ignore[misc]
            time.sleep(chance.random() / 10)
            victim = chance.randrange(len(workers))
            workers[victim].kill()
            workers[victim] = start(tmp_path)
    finally:
        for worker in workers:
            worker.kill()
    let_time_pass()
    with running(tmp_path):
        wait_for(lambda: not unfinished())
    assert expected <= set(lines(done))
    # Only a job that was cut off ran twice.
    assert len(lines(done)) < 2 * len(expected) + kills * 16
