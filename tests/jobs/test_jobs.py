"""One job: when it is due, what is stored of it, and when it runs again."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core import serializers
from django.db import transaction
from django.utils import timezone, translation
from django_tasks_db.models import DBTaskResult
from pytest_django import DjangoAssertNumQueries

from accounts.purging import purge_jobs
from jobs.queue import (
    LOST_AFTER,
    QueueState,
    claim_jobs,
    enqueue_all,
    read_queue_state,
    return_lost_jobs,
)
from jobs.running import MOST_ATTEMPTS, PAUSES, run_job, store_result
from tests.jobs import worker_jobs
from tests.jobs.job_file import lines
from tests.jobs.run_jobs import run_jobs
from tests.jobs.worker_jobs import SECRET
from wrapper_project.observability.log_config import facts

Job = DBTaskResult[..., Any]

pytestmark = pytest.mark.django_db


def run_one() -> Job:
    """Run the only job that is due; returns its row."""
    (job,) = claim_jobs("this", 10)
    store_result(job, run_job(job))
    return DBTaskResult.objects.get(pk=job.pk)


def make_due(job: Job) -> None:
    DBTaskResult.objects.filter(pk=job.pk).update(run_after=timezone.now())


def pause_of(job: Job) -> int:
    """Seconds from now."""
    seconds: float = (job.run_after - timezone.now()).total_seconds()
    return round(seconds)


def test_many_jobs_are_enqueued_with_one_statement(
    tmp_path: Path, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    path = str(tmp_path / "done")
    with django_assert_num_queries(1):
        enqueue_all(worker_jobs.note, [(path, str(number)) for number in range(50)])
    run_jobs()
    assert sorted(lines(tmp_path / "done"), key=int) == [str(number) for number in range(50)]


def test_it_enqueues_the_same_as_the_queue_itself(tmp_path: Path) -> None:
    worker_jobs.note.enqueue("x", "y")
    enqueue_all(worker_jobs.note, [("x", "y")])
    rows = json.loads(serializers.serialize("json", DBTaskResult.objects.all()))
    one, other = [row["fields"] | {"enqueued_at": ""} for row in rows]
    assert one == other


def test_a_job_for_later_is_not_due(tmp_path: Path) -> None:
    soon = timezone.now() + timedelta(minutes=1)
    enqueue_all(worker_jobs.note.using(run_after=soon), [(str(tmp_path / "done"), "x")])
    run_jobs()
    assert lines(tmp_path / "done") == []
    make_due(DBTaskResult.objects.get())
    run_jobs()
    assert lines(tmp_path / "done") == ["x"]


def test_a_rolled_back_change_leaves_no_job() -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        enqueue_all(worker_jobs.note, [("x", "y")])
        raise ZeroDivisionError
    assert not DBTaskResult.objects.exists()


def test_looking_for_jobs_is_one_query_without_a_transaction(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    with django_assert_num_queries(1) as queries:
        assert claim_jobs("this", 4) == []
    assert queries.captured_queries[0]["sql"].startswith("SELECT")


def test_it_claims_no_more_than_it_can_run() -> None:
    enqueue_all(worker_jobs.note, [("x", "y")] * 5)
    assert [len(claim_jobs("this", 3)) for _ in range(3)] == [3, 2, 0]


def test_what_a_job_returns_is_not_stored(tmp_path: Path) -> None:
    worker_jobs.note.enqueue(str(tmp_path / "done"), "x")
    job = run_one()
    assert (job.status, job.return_value) == ("SUCCESSFUL", None)
    assert job.finished_at is not None


def test_a_job_that_raises_runs_again_after_growing_pauses_and_then_fails() -> None:
    worker_jobs.fail.enqueue("x")
    pauses = []
    while (job := run_one()).status == "READY":
        pauses.append(pause_of(job))
        make_due(job)
    assert tuple(pauses) == PAUSES
    assert job.status == "FAILED"
    assert len(job.worker_ids) == len(PAUSES) + 1


def test_a_job_outlasts_a_database_that_is_away_however_often_it_has_run() -> None:
    worker_jobs.read_a_database_that_is_away.enqueue()
    DBTaskResult.objects.update(worker_ids=["earlier"] * (len(PAUSES) + 1))
    job = run_one()
    assert (job.status, pause_of(job)) == ("READY", PAUSES[0])
    DBTaskResult.objects.update(worker_ids=["earlier"] * (MOST_ATTEMPTS - 1))
    make_due(job)
    assert run_one().status == "FAILED"


def test_only_the_class_and_the_lines_of_code_are_stored_and_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    worker_jobs.fail.enqueue(SECRET)
    DBTaskResult.objects.update(worker_ids=["earlier"] * len(PAUSES))
    job = run_one()
    assert job.exception_class_path == "builtins.ValueError"
    assert "tests/jobs/worker_jobs.py" in job.traceback
    assert job.traceback.endswith(" in fail\n    raise ValueError(text)\n")
    stored = job.exception_class_path + job.traceback
    logged = "".join(str(facts(record)) for record in caplog.records)
    assert SECRET not in stored + logged
    assert "job tests.jobs.worker_jobs.fail failed: builtins.ValueError" in caplog.text


def test_a_job_that_ends_the_process_only_fails() -> None:
    worker_jobs.leave.enqueue()
    assert run_one().status == "READY"


def test_a_job_of_another_version_is_tried_later_and_then_fails(
    caplog: pytest.LogCaptureFixture,
) -> None:
    worker_jobs.fail.enqueue("x")
    DBTaskResult.objects.update(task_path="tests.jobs.worker_jobs.gone_since")
    job = run_one()
    assert (job.status, pause_of(job)) == ("READY", PAUSES[0])
    DBTaskResult.objects.update(worker_ids=["earlier"] * len(PAUSES))
    make_due(job)
    assert run_one().status == "FAILED"
    assert "gone_since failed" in caplog.text


def test_something_else_under_the_name_of_a_job_is_not_run() -> None:
    worker_jobs.fail.enqueue("x")
    DBTaskResult.objects.update(task_path="os.getcwd")
    assert run_one().status == "READY"


def test_a_job_can_ask_for_a_later_run_but_not_for_ever(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    worker_jobs.ask_for_later.enqueue(str(tmp_path / "done"))
    for _ in range(2):
        job = run_one()
        assert (job.status, pause_of(job)) == ("READY", 60)
        make_due(job)
    assert not caplog.records
    DBTaskResult.objects.update(worker_ids=["earlier"] * (MOST_ATTEMPTS - 1))
    assert run_one().status == "FAILED"
    assert lines(tmp_path / "done") == ["1", "2", str(MOST_ATTEMPTS)]


def lose(job: Job) -> None:
    """Its worker claimed it so long ago that it must have died."""
    rows = DBTaskResult.objects.running().filter(pk=job.pk)
    rows.update(started_at=timezone.now() - LOST_AFTER - timedelta(seconds=1))


def test_a_job_is_due_again_when_its_worker_has_not_ended_it_in_time(tmp_path: Path) -> None:
    enqueue_all(worker_jobs.note, [(str(tmp_path / "done"), name) for name in ("one", "two")])
    lost, kept = claim_jobs("dead", 2)
    assert return_lost_jobs() == 0
    lose(lost)
    state = read_queue_state()
    assert (state.waiting, state.running) == (1, 1)
    assert return_lost_jobs() == 1
    run_jobs()
    assert lines(tmp_path / "done") == [lost.args_kwargs["args"][1]]
    assert [job.pk for job in DBTaskResult.objects.running()] == [kept.pk]


def test_a_job_that_kills_every_worker_fails_in_the_end(tmp_path: Path) -> None:
    worker_jobs.note.enqueue(str(tmp_path / "done"), "x")
    DBTaskResult.objects.update(worker_ids=["dead"] * MOST_ATTEMPTS)
    job = run_one()
    assert (job.status, job.exception_class_path) == ("FAILED", "jobs.running.WorkerLost")
    assert lines(tmp_path / "done") == []


def test_each_job_has_the_default_language_and_time_zone(tmp_path: Path) -> None:
    enqueue_all(worker_jobs.leave_a_language, [(str(tmp_path / "done"),)] * 2)
    with translation.override("sv"):
        run_jobs()
        assert translation.get_language() == "sv"
    assert lines(tmp_path / "done") == ["en,Europe/Stockholm"] * 2


def test_a_result_is_not_stored_over_that_of_another_worker() -> None:
    worker_jobs.fail.enqueue("x")
    (job,) = claim_jobs("this", 1)
    lose(job)
    return_lost_jobs()
    claim_jobs("other", 1)
    store_result(job, run_job(job))
    assert DBTaskResult.objects.get().status == "RUNNING"


def test_the_jobs_of_a_test_are_done_as_by_a_worker(tmp_path: Path) -> None:
    worker_jobs.ask_for_later.enqueue(str(tmp_path / "done"))
    run_jobs()
    assert DBTaskResult.objects.get().status == "READY"
    worker_jobs.fail.enqueue("x")
    with pytest.raises(ValueError, match="x"):
        run_jobs()


def test_done_jobs_are_deleted_after_a_day_and_failed_ones_after_a_week(tmp_path: Path) -> None:
    now = timezone.now()
    for status, age in [
        ("SUCCESSFUL", timedelta(hours=23)),
        ("SUCCESSFUL", timedelta(hours=25)),
        ("FAILED", timedelta(days=6)),
        ("FAILED", timedelta(days=8)),
        ("READY", timedelta(days=30)),
    ]:
        job = worker_jobs.note.enqueue("x", f"{status} {age.days}")
        DBTaskResult.objects.filter(pk=job.id).update(status=status, finished_at=now - age)
    assert purge_jobs(dry_run=True).expired == 2
    assert purge_jobs().expired == 2
    kept = {job.args_kwargs["args"][1] for job in DBTaskResult.objects.all()}
    assert kept == {"SUCCESSFUL 0", "FAILED 6", "READY 30"}


def test_the_lag_is_the_age_of_the_oldest_due_job() -> None:
    assert read_queue_state() == QueueState(0, 0, 0, 0, 0)
    now = timezone.now()
    enqueue_all(worker_jobs.note.using(run_after=now + timedelta(hours=1)), [("x", "y")])
    worker_jobs.note.enqueue("x", "y")
    DBTaskResult.objects.update(enqueued_at=now - timedelta(minutes=2))
    state = read_queue_state()
    assert (state.waiting, state.later, 120 <= state.lag < 180) == (1, 1, True)
    claim_jobs("this", 1)
    state = read_queue_state()
    assert (state.lag, state.waiting, state.running) == (0, 0, 1)
    DBTaskResult.objects.running().update(status="FAILED", finished_at=now - timedelta(days=2))
    assert read_queue_state().failed == 0
    DBTaskResult.objects.failed().update(finished_at=now)
    assert read_queue_state().failed == 1
