"""The loop of `run_worker`: one thread claims jobs, others run them."""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any
from uuid import uuid4

from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from accounts.contribution_types import RecurringJob
from accounts.database import release_database_connection
from accounts.jobs import heartbeats
from accounts.jobs.queue import claim_jobs
from accounts.jobs.recurring import claim_recurring_job, release_recurring_job, run_recurring_job
from accounts.jobs.running import run_job, store_result

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.4
RECURRING_SECONDS = 1.0
LONGEST_PAUSE = 5.0
# A result that cannot be stored while the worker is to end: then another does the job again.
STORE_SECONDS = 10.0
DATABASE_ERRORS = (DatabaseError, InterfaceError)


class Worker:
    """Runs jobs in `threads` threads, until `stop` is called; then ends those that run."""

    def __init__(self, *, threads: int) -> None:
        self.id = str(uuid4())
        # How many jobs came to each end (`Result.state`), and "recurring" ones that ran.
        self.counts: Counter[str] = Counter()
        self._counts_lock = threading.Lock()
        self._threads = threads
        self._started_at = timezone.now()
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="job")
        # The key of a job, or the name of a recurring one.
        self._running: dict[Future[None], Hashable] = {}
        # Plain, not an Event: a signal handler sets it, and could wait for a lock for ever.
        self._stopping = False
        self._job_ended = threading.Event()
        self._next_beat = self._next_recurring = 0.0
        self._away_since: float | None = None
        self._back_since: float | None = None

    def stop(self) -> None:
        """Claim nothing more. `run` returns when the running jobs have ended."""
        self._stopping = True

    def run(self, *, once: bool = False) -> None:
        """Run jobs. `once` returns when nothing is due and nothing runs.

        Raises: DatabaseError, with `once`; otherwise it waits until the database is back.
        """
        pause = POLL_SECONDS
        while not self._stopping:
            try:
                took = self._take_turn()
                self._database_is_back()
                pause = POLL_SECONDS
            except DATABASE_ERRORS as error:
                connection.close()
                if once:
                    raise
                self._database_is_away(error)
                took, pause = False, min(max(2 * pause, 1.0), LONGEST_PAUSE)
            if once and not took and not self._running:
                break
            if not took:
                self._wait(pause)
        self._drain()

    def _take_turn(self) -> bool:
        """Claim what is due, as far as threads are free. Returns whether there was something."""
        self._forget_ended()
        self._beat()
        took = self._take_recurring()
        free = self._threads - len(self._running)
        if free > 0:
            jobs = claim_jobs(self.id, free)
            took = took or bool(jobs)
            for job in jobs:
                self._start(self._do_job, job, job.pk)
        release_database_connection()
        return took and len(self._running) < self._threads

    def _beat(self) -> None:
        now = time.monotonic()
        if now < self._next_beat:
            return
        heartbeats.beat(self.id, threads=self._threads, started_at=self._started_at)
        # The others could not be seen either while the database was away.
        dead_after = heartbeats.DEAD_AFTER.total_seconds()
        settled = self._back_since is None or now - self._back_since > dead_after
        if not self._stopping:
            heartbeats.reclaim_lost_jobs(
                unseen_too=settled and self._away_since is None,
                own_id=self.id,
                at_work_on=set(self._running.values()),
            )
        self._next_beat = now + heartbeats.BEAT_SECONDS

    def _take_recurring(self) -> bool:
        now = time.monotonic()
        if now < self._next_recurring or len(self._running) >= self._threads:
            return False
        job = claim_recurring_job(self.id, at_work_on=set(self._running.values()))
        if job is None:
            self._next_recurring = now + RECURRING_SECONDS
            return False
        self._start(self._do_recurring, job, job.name)
        return True

    def _start(self, work: Callable[[Any], None], job: Any, key: Hashable) -> None:
        future = self._pool.submit(work, job)
        self._running[future] = key
        future.add_done_callback(lambda _: self._job_ended.set())

    def _forget_ended(self) -> None:
        # Before the look, so that a job which ends during it is not overlooked.
        self._job_ended.clear()
        self._running = {job: key for job, key in self._running.items() if not job.done()}

    def _do_job(self, job: DBTaskResult[..., Any]) -> None:
        result = run_job(job)
        self._count(result.state)
        self._write_when_possible(lambda: store_result(job, result))

    def _do_recurring(self, job: RecurringJob) -> None:
        self._count("recurring" if run_recurring_job(job) else "failed")
        self._write_when_possible(lambda: release_recurring_job(job, self.id))

    def _count(self, name: str) -> None:
        with self._counts_lock:
            self.counts[name] += 1

    def _write_when_possible(self, write: Callable[[], None]) -> None:
        """Write, and try again while the database is away. The loop logs that it is."""
        began = time.monotonic()
        while True:
            try:
                write()
                release_database_connection()
                return
            except DATABASE_ERRORS:
                connection.close()
            if self._stopping and time.monotonic() - began > STORE_SECONDS:
                return
            time.sleep(1)

    def _drain(self) -> None:
        """Wait for the running jobs, and go on to say that this worker lives."""
        while self._running:
            self._forget_ended()
            if self._running:
                self._wait(POLL_SECONDS)
            try:
                self._beat()
                release_database_connection()
            except DATABASE_ERRORS:
                connection.close()
                self._next_beat = time.monotonic() + heartbeats.BEAT_SECONDS
        self._pool.shutdown()
        try:
            heartbeats.leave(self.id)
        except DATABASE_ERRORS as error:
            logger.warning("this worker stays in the table: %s", type(error).__name__)
        release_database_connection()

    def _wait(self, seconds: float) -> None:
        """Wait until a job has ended, or the time is over."""
        end = time.monotonic() + seconds
        while not self._stopping or self._running:
            rest = min(end - time.monotonic(), POLL_SECONDS)
            if rest <= 0 or self._job_ended.wait(rest):
                return

    def _database_is_away(self, error: Exception) -> None:
        if self._away_since is None:  # once for each outage
            logger.warning("the database cannot be used: %s", type(error).__name__)
            self._away_since = time.monotonic()
        self._next_beat = 0.0

    def _database_is_back(self) -> None:
        if self._away_since is not None:
            logger.warning("the database is back after %d s", time.monotonic() - self._away_since)
            self._away_since, self._back_since = None, time.monotonic()
