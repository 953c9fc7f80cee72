"""`run_worker`: real processes on one queue."""

import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import connection
from django_tasks_db.models import DBTaskResult

from jobs.queue import enqueue_all
from tests.database_away import postgresql_away
from tests.jobs import worker_jobs
from tests.jobs.job_file import lines
from tests.jobs.workers import let_time_pass, running, start, wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def done(tmp_path: Path) -> Path:
    """The file that the jobs write to."""
    return tmp_path / "done"


def all_done() -> bool:
    return not DBTaskResult.objects.exclude(status="SUCCESSFUL").exists()


def test_three_workers_do_each_job_once(tmp_path: Path, done: Path) -> None:
    expected = [f"job-{number}" for number in range(200)]
    go = tmp_path / "go"
    with running(tmp_path, "--threads", "2", count=3) as workers:
        # One for each thread, so that nobody begins before all are there.
        enqueue_all(worker_jobs.wait_for_file, [(str(done), "ready", str(go))] * 6)
        wait_for(lambda: len(lines(done)) == 6)
        enqueue_all(worker_jobs.note, [(str(done), name) for name in expected])
        go.touch()
        wait_for(all_done)
        for worker in workers:
            worker.stop()
        assert [worker.wait() for worker in workers] == [0, 0, 0]
        assert [worker.log for worker in workers] == ["", "", ""]
    assert Counter(lines(done)[6:]) == Counter(expected) + Counter({"ready": 6})
    rows = DBTaskResult.objects.values_list("worker_ids", flat=True)
    assert {len(ids) for ids in rows} == {1}
    assert len({worker for [worker] in rows}) == 3


def test_it_checks_the_settings_and_loads_no_pages(tmp_path: Path, done: Path) -> None:
    worker_jobs.note_whether_pages_are_loaded.enqueue(str(done))
    with running(tmp_path):
        wait_for(all_done)
    assert lines(done) == ["False"]
    refused = start(tmp_path, changes={"DEBUG": "0", "SECRET_KEY": "short"})
    try:
        assert refused.wait() == 1
    finally:
        refused.kill()
    assert "SECRET_KEY is shorter than 32 characters." in refused.log


def test_a_signal_lets_the_running_job_end_and_starts_no_other(tmp_path: Path, done: Path) -> None:
    go = tmp_path / "go"
    with running(tmp_path, "--threads", "1") as (worker,):
        worker_jobs.wait_for_file.enqueue(str(done), "one", str(go))
        worker_jobs.note.enqueue(str(done), "two")
        wait_for(lambda: lines(done) == ["one-began"])
        worker.stop()
        go.touch()
        assert worker.wait() == 0
    assert lines(done) == ["one-began", "one"]
    states = DBTaskResult.objects.order_by("enqueued_at").values_list("status", flat=True)
    assert list(states) == ["SUCCESSFUL", "READY"]


def test_a_second_signal_ends_it_at_once_and_another_worker_does_the_job(
    tmp_path: Path, done: Path
) -> None:
    go = tmp_path / "go"
    with running(tmp_path) as (worker,):
        worker_jobs.wait_for_file.enqueue(str(done), "one", str(go))
        wait_for(lambda: lines(done) == ["one-began"])
        worker.stop(signal.SIGTERM)
        worker.stop(signal.SIGINT)
        assert worker.wait() in (128 + signal.SIGINT, 128 + signal.SIGTERM)
    assert DBTaskResult.objects.get().status == "RUNNING"
    let_time_pass()
    go.touch()
    with running(tmp_path):
        wait_for(all_done)
    assert lines(done) == ["one-began", "one-began", "one"]


def test_it_waits_for_the_database_and_logs_once(tmp_path: Path, done: Path) -> None:
    worker_jobs.note.enqueue(str(done), "before")
    with running(tmp_path) as (worker,):
        wait_for(all_done)
        with database_away():
            wait_for(lambda: worker.logged("cannot be used") == 1)
        worker_jobs.note.enqueue(str(done), "after")
        wait_for(all_done)
        assert worker.logged("cannot be used") == 1
        assert worker.logged("is back") == 1
        assert worker.logged("psycopg") == 0
        assert "Traceback" not in worker.log


def test_a_result_is_stored_when_the_database_is_back(tmp_path: Path, done: Path) -> None:
    go = tmp_path / "go"
    with running(tmp_path) as (worker,):
        worker_jobs.wait_for_file.enqueue(str(done), "one", str(go))
        wait_for(lambda: lines(done) == ["one-began"])
        with database_away():
            go.touch()
            wait_for(lambda: lines(done) == ["one-began", "one"])
            wait_for(lambda: worker.logged("cannot be used") == 1)
        wait_for(all_done)
    assert lines(done) == ["one-began", "one"]


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
