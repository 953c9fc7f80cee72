"""Worker processes on the database and Redis of the test."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from jobs.queue import LOST_AFTER
from tests.concurrency import wait_until
from tests.service_process import ROOT, environment

NO_CHANGES: Mapping[str, str] = {}


class WorkerProcess:
    """A running worker. `log` is what it has written."""

    def __init__(self, process: "subprocess.Popen[bytes]", log: Path) -> None:
        self.process = process
        self._log = log

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def log(self) -> str:
        return self._log.read_text()

    def logged(self, pattern: str) -> int:
        """How many of its lines have this."""
        return len(re.findall(pattern, self.log))

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        self.process.send_signal(number)

    def kill(self) -> None:
        """End it like a power cut."""
        self.process.kill()
        self.process.wait()

    def wait(self) -> int:
        return self.process.wait(60)


def start(data_dir: Path, *words: str, changes: Mapping[str, str] = NO_CHANGES) -> WorkerProcess:
    """`changes` are further environment variables."""
    log = data_dir / f"worker-{len(list(data_dir.glob('worker-*')))}.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "run_worker", *words],
            cwd=ROOT,
            env=environment(data_dir, "http://127.0.0.1:9", LOG_LEVEL="WARNING", **changes),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
        )
    return WorkerProcess(process, log)


@contextmanager
def running(data_dir: Path, *words: str, count: int = 1) -> Iterator[list[WorkerProcess]]:
    """So many workers, killed at the end."""
    workers = [start(data_dir, *words) for _ in range(count)]
    try:
        yield workers
    finally:
        for worker in workers:
            worker.kill()


def let_time_pass() -> None:
    """As if the visibility timeout of all running jobs were over."""
    long_ago = timezone.now() - LOST_AFTER - timedelta(seconds=1)
    DBTaskResult.objects.running().update(started_at=long_ago)


def wait_for(happened: Callable[[], bool]) -> None:
    """Wait long enough for workers that start on a busy machine. Raises: TimeoutError."""
    wait_until(happened, 120)


def long_form() -> bool:
    return bool(os.environ.get("SOAK"))
