"""Jobs for the tests of the worker. What they did is in a file, a line for each run."""

import os
import sys
import time
from pathlib import Path

from django.db import OperationalError
from django.utils import timezone, translation
from django_tasks import TaskContext, task

from jobs.running import RetryLater
from tests.jobs.job_file import lines, write

SECRET = "canary-in-a-text"


@task()
def note(path: str, line: str) -> str:
    write(path, line)
    return SECRET


@task()
def note_whether_pages_are_loaded(path: str) -> None:
    write(path, "wrapper_project.urls" in sys.modules)


@task()
def take_a_while(path: str, line: str, seconds: float) -> None:
    write(path, f"{line}-began")
    time.sleep(seconds)
    write(path, line)


@task()
def wait_for_file(path: str, line: str, awaited: str) -> None:
    write(path, f"{line}-began")
    while not Path(awaited).exists():
        time.sleep(0.01)
    write(path, line)


@task()
def kill_own_worker(path: str) -> None:
    write(path, "began")
    if len(lines(Path(path))) == 1:
        os.kill(os.getpid(), 9)
    write(path, "done")


@task()
def fail(text: str) -> None:
    raise ValueError(text)


@task()
def read_a_database_that_is_away() -> None:
    raise OperationalError


@task()
def leave() -> None:
    raise SystemExit(3)


@task(takes_context=True)
def ask_for_later(context: TaskContext, path: str) -> None:
    write(path, context.attempt)
    raise RetryLater(60)


@task()
def leave_a_language(path: str) -> None:
    write(path, f"{translation.get_language()},{timezone.get_current_timezone_name()}")
    translation.activate("sv")
    timezone.activate("Asia/Tokyo")


@task()
def enqueue_another(path: str) -> None:
    note.enqueue(path, "another")
