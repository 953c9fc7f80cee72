"""`run_worker`: real processes on one queue."""

import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from accounts.jobs import heartbeats
from accounts.jobs.queue import claim_jobs, enqueue_all
from accounts.models import Account, JobWorker, OutboxCall
from tests.accounts import worker_jobs
from tests.accounts.job_file import lines
from tests.accounts.workers import running, start
from tests.concurrency import wait_until
from tests.database_away import postgresql_away

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def done(tmp_path: Path) -> Path:
    """The file that the jobs write to."""
    return tmp_path / "done"


def all_done() -> bool:
    return not DBTaskResult.objects.exclude(status="SUCCESSFUL").exists()


def test_three_workers_do_each_job_once(tmp_path: Path, done: Path) -> None:
    expected = [f"job-{number}" for number in range(200)]
    with running(tmp_path, count=3) as workers:
        enqueue_all(worker_jobs.note, [(str(done), name) for name in expected])
        wait_until(all_done)
        for worker in workers:
            worker.stop()
        assert [worker.wait() for worker in workers] == [0, 0, 0]
        assert [worker.log for worker in workers] == ["", "", ""]
    assert Counter(lines(done)) == Counter(expected)
    assert {len(job.worker_ids) for job in DBTaskResult.objects.all()} == {1}
    assert not JobWorker.objects.exists()


def test_it_runs_several_jobs_at_the_same_time(tmp_path: Path, done: Path) -> None:
    go = tmp_path / "go"
    with running(tmp_path, "--threads", "3"):
        names = [f"job-{number}" for number in range(4)]
        enqueue_all(worker_jobs.wait_for_file, [(str(done), name, str(go)) for name in names])
        wait_until(lambda: len(lines(done)) == 3)
        assert DBTaskResult.objects.running().count() == 3
        go.touch()
        wait_until(all_done)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_lets_the_running_job_end_and_starts_no_other(
    tmp_path: Path, done: Path, number: signal.Signals
) -> None:
    go = tmp_path / "go"
    with running(tmp_path, "--threads", "1") as (worker,):
        worker_jobs.wait_for_file.enqueue(str(done), "one", str(go))
        worker_jobs.note.enqueue(str(done), "two")
        wait_until(lambda: lines(done) == ["one-began"])
        worker.stop(number)
        time.sleep(0.5)  # it has no way to say that it heard
        go.touch()
        assert worker.wait() == 0
    assert lines(done) == ["one-began", "one"]
    states = DBTaskResult.objects.order_by("enqueued_at").values_list("status", flat=True)
    assert list(states) == ["SUCCESSFUL", "READY"]
    assert not JobWorker.objects.exists()


def test_a_second_signal_ends_it_at_once_and_another_worker_does_the_job(
    tmp_path: Path, done: Path
) -> None:
    go = tmp_path / "go"
    with running(tmp_path) as (worker,):
        worker_jobs.wait_for_file.enqueue(str(done), "one", str(go))
        wait_until(lambda: lines(done) == ["one-began"])
        worker.stop()
        time.sleep(0.5)
        worker.stop()
        assert worker.wait() == 128 + signal.SIGTERM
    assert DBTaskResult.objects.get().status == "RUNNING"
    go.touch()
    with running(tmp_path):
        wait_until(all_done)
    assert lines(done) == ["one-began", "one-began", "one"]


def test_once_does_what_is_due_and_what_that_enqueues(tmp_path: Path, done: Path) -> None:
    enqueue_all(worker_jobs.note, [(str(done), "x")] * 3)
    later = timezone.now() + timedelta(hours=1)
    enqueue_all(worker_jobs.note.using(run_after=later), [(str(done), "later")])
    worker_jobs.fail.enqueue("canary-in-a-text")
    worker_jobs.enqueue_another.enqueue(str(done))
    worker = start(tmp_path, "--once")
    assert worker.wait() == 0
    assert "5 jobs done, 1 to be run again, 0 failed" in worker.log
    assert Counter(lines(done)) == {"x": 3, "another": 1}
    assert "canary" not in worker.log


def test_once_says_when_there_is_no_database(tmp_path: Path) -> None:
    with database_away():
        worker = start(tmp_path, "--once")
        assert worker.wait() == 1
    assert "The database cannot be used: " in worker.log
    assert "Traceback" not in worker.log


def test_it_waits_for_the_database_and_logs_once(tmp_path: Path, done: Path) -> None:
    with running(tmp_path) as (worker,):
        with database_away():
            wait_until(lambda: worker.logged("cannot be used") == 1)
            time.sleep(3)  # several tries
        worker_jobs.note.enqueue(str(done), "after")
        wait_until(all_done)
        assert worker.logged("cannot be used") == 1
        assert worker.logged("is back") == 1
        assert worker.logged("psycopg") == 0
        assert "Traceback" not in worker.log


def test_a_result_is_stored_when_the_database_is_back(tmp_path: Path, done: Path) -> None:
    go = tmp_path / "go"
    with running(tmp_path) as (worker,):
        worker_jobs.wait_for_file.enqueue(str(done), "one", str(go))
        wait_until(lambda: lines(done) == ["one-began"])
        with database_away():
            go.touch()
            wait_until(lambda: lines(done) == ["one-began", "one"])
            wait_until(lambda: worker.logged("cannot be used") == 1)
        wait_until(all_done)
    assert lines(done) == ["one-began", "one"]


def test_a_worker_that_only_seemed_dead_writes_itself_down_again(tmp_path: Path) -> None:
    with running(tmp_path) as (worker,):
        JobWorker.objects.all().delete()
        wait_until(lambda: JobWorker.objects.filter(pid=worker.pid).exists())


def test_a_worker_that_was_not_seen_for_a_while_loses_its_jobs(tmp_path: Path, done: Path) -> None:
    """It ran on another machine."""
    worker_jobs.note.enqueue(str(done), "x")
    ago = timezone.now() - heartbeats.DEAD_AFTER - timedelta(seconds=1)
    JobWorker.objects.create(
        id="elsewhere", host="other", pid=1, threads=1, started_at=ago, seen_at=ago
    )
    DBTaskResult.objects.update(status="RUNNING", started_at=ago, worker_ids=["elsewhere"])
    with running(tmp_path) as (worker,):
        wait_until(all_done)
        assert worker.logged("have lost run again: 1") == 1
    assert not JobWorker.objects.filter(pk="elsewhere").exists()


def test_a_worker_elsewhere_keeps_its_jobs_while_it_is_seen() -> None:
    now = timezone.now()
    worker_jobs.note.enqueue("x", "y")
    JobWorker.objects.create(
        id="elsewhere", host="other", pid=1, threads=1, started_at=now, seen_at=now
    )
    DBTaskResult.objects.update(status="RUNNING", started_at=now, worker_ids=["elsewhere"])
    assert heartbeats.reclaim_lost_jobs() == 0
    JobWorker.objects.update(seen_at=now - heartbeats.DEAD_AFTER * 2)
    # After an outage nobody was seen.
    assert heartbeats.reclaim_lost_jobs(unseen_too=False) == 0
    assert heartbeats.reclaim_lost_jobs() == 1


def test_a_worker_takes_up_what_it_claimed_and_never_began() -> None:
    """It lost the connection after the claim, and before it heard of it."""
    heartbeats.beat("this", threads=4, started_at=timezone.now())
    enqueue_all(worker_jobs.note, [("x", "y")] * 2)
    begun, _ = claim_jobs("this", 2)
    assert heartbeats.reclaim_lost_jobs() == 0
    assert heartbeats.reclaim_lost_jobs(own_id="this", at_work_on={begun.pk}) == 1
    assert DBTaskResult.objects.get(status="RUNNING") == begun


def test_without_redis_a_worker_is_not_the_server(tmp_path: Path) -> None:
    """What it changes reaches the memory of the server through the outbox."""
    account = Account.objects.create(school="bjorkdalen", upstream_user_id=1, username="x.y")
    worker_jobs.suspend.enqueue(account.pk)
    assert start(tmp_path, "--once", changes={"REDIS_URL": ""}).wait() == 0
    account.refresh_from_db()
    assert account.suspended_at is not None
    assert OutboxCall.objects.exists()


@contextmanager
def database_away() -> Iterator[None]:
    """Other processes cannot use the database: it ends their connections and accepts none, or, with
    SQLite, a table is missing."""
    away = postgresql_away if connection.vendor == "postgresql" else _table_away
    with away():
        yield


@contextmanager
def _table_away() -> Iterator[None]:
    table = DBTaskResult._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} RENAME TO {table}_away")
        try:
            yield
        finally:
            cursor.execute(f"ALTER TABLE {table}_away RENAME TO {table}")
