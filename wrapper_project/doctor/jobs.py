"""Checks that workers do the jobs, and in time."""

from collections.abc import Iterator

from django.db import connection

from accounts.jobs.queue_state import QueueState, read_queue_state
from accounts.models import JobWorker
from wrapper_project.doctor import database
from wrapper_project.doctor.findings import Finding, fail, ok, warn

LATE_SECONDS = 60.0
START = "Start `manage.py run_worker`; it must run all the time."


def check() -> Iterator[Finding]:
    """A worker lives, no job is late, and none has failed."""
    try:
        with database.own_connection() as own:
            there = JobWorker._meta.db_table in own.introspection.table_names()
    except database.Unavailable:
        yield warn("the jobs could not be checked: the database is unavailable.")
        return
    if there:
        try:
            state = read_queue_state()
        finally:
            connection.close()
        yield from judge(state)


def judge(state: QueueState) -> Iterator[Finding]:
    late = state.lag > LATE_SECONDS
    if not state.workers:
        text = f"no worker runs; {state.waiting} jobs wait."
        yield fail(text, START) if late else warn(text, START)
    elif late:
        hint = "Run more workers, or with more --threads; see their log."
        yield fail(f"a job has waited for {state.lag:.0f} s, and {state.waiting} wait.", hint)
    else:
        yield ok(f"{state.workers} workers run, {state.waiting} jobs wait.")
    if state.failed:
        hint = "The log of the workers says which, and why."
        yield warn(f"{state.failed} jobs have failed within a day.", hint)
