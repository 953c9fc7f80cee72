"""Recurring jobs: on one worker at a time, and not earlier than they are due."""

from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from django.utils import timezone

from accounts.jobs.recurring import _claim
from accounts.models import JobWorker, RecurringRun
from tests.accounts.job_file import lines
from tests.accounts.workers import running, start
from tests.concurrency import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

COMMAND = ("-m", "tests.accounts.recurring_worker")


def test_three_workers_run_each_job_once_in_its_interval(tmp_path: Path) -> None:
    done = tmp_path / "done"
    with running(tmp_path, str(done), count=3, command=COMMAND):
        wait_until(lambda: sum("often-ended" in line for line in lines(done)) >= 4)
    written = lines(done)
    assert written.count("rarely") == 1
    often = [line.split("-") for line in written if line.startswith("often")]
    # A run that was killed at the end may have no line about its end.
    assert [kind for _, kind, _ in often[:8]] == ["began", "ended"] * 4
    began = [float(at) for _, kind, at in often if kind == "began"]
    assert all(later - earlier >= 1 for earlier, later in pairwise(began))


def test_one_that_raises_stops_no_other_and_runs_again(tmp_path: Path) -> None:
    done = tmp_path / "done"
    with running(tmp_path, str(done), command=COMMAND) as (worker,):
        wait_until(lambda: lines(done).count("fail") == 2)
        wait_until(lambda: worker.logged("recurring job fail failed: builtins.ValueError") == 2)
        assert "canary" not in worker.log
    assert "rarely" in lines(done)


def test_one_that_kills_its_worker_runs_again_on_another(tmp_path: Path) -> None:
    done = tmp_path / "done"
    first, second = (start(tmp_path, str(done), "kill", command=COMMAND) for _ in range(2))
    try:
        wait_until(lambda: lines(done).count("kill") == 2)
        # Its status is asked only here: until then it was dead and still had a process id.
        assert sorted(worker.process.poll() is None for worker in (first, second)) == [False, True]
    finally:
        first.kill()
        second.kill()


def test_once_runs_what_is_due(tmp_path: Path) -> None:
    done = tmp_path / "done"
    now = timezone.now()
    RecurringRun.objects.create(name="rarely", started_at=now - timedelta(minutes=59))
    worker = start(tmp_path, str(done), "once", command=COMMAND)
    assert worker.wait() == 0
    assert "rarely" not in lines(done)
    assert "fail" in lines(done)
    assert "recurring jobs run." in worker.log
    assert set(RecurringRun.objects.values_list("worker", flat=True)) == {""}


def test_it_is_left_to_the_worker_that_is_at_it(tmp_path: Path) -> None:
    now = timezone.now()
    JobWorker.objects.create(
        id="elsewhere", host="other", pid=1, threads=1, started_at=now, seen_at=now
    )
    long_ago = now - timedelta(days=1)
    RecurringRun.objects.create(name="rarely", started_at=long_ago, worker="elsewhere")
    done = tmp_path / "done"
    assert start(tmp_path, str(done), "once", command=COMMAND).wait() == 0
    assert "rarely" not in lines(done)
    JobWorker.objects.all().delete()  # now it is dead
    assert start(tmp_path, str(done), "once", command=COMMAND).wait() == 0
    assert "rarely" in lines(done)


def test_of_two_workers_that_look_at_once_one_runs_it() -> None:
    RecurringRun.objects.create(name="rarely")
    first, second = RecurringRun.objects.get(), RecurringRun.objects.get()
    assert _claim(first, "one")
    assert not _claim(second, "two")
    assert RecurringRun.objects.get().worker == "one"
