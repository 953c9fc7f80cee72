"""The loop of `run_worker`: it claims jobs, and threads run them.

The `db_worker` of django-tasks-db runs one job at a time, and runs nothing again: not what failed,
nor what a killed worker had begun (docs/adr/0013-job-queue.md).
"""

import logging
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from uuid import uuid4

from django.db import DatabaseError, InterfaceError, close_old_connections

from jobs.queue import Job, claim_jobs, return_lost_jobs
from jobs.running import run_job, store_result

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.4
LOST_JOBS_SECONDS = 20.0
OUTAGE_POLL_SECONDS = 2.0
DATABASE_ERRORS = (DatabaseError, InterfaceError)


class Worker:
    """Runs jobs in `threads` threads until `stop` is called, and then lets those end that run."""

    def __init__(self, *, threads: int) -> None:
        self.id = str(uuid4())
        self._threads = threads
        # Plain, not an Event: a signal handler sets it, and could wait for a lock for ever.
        self._stopping = False
        self._job_ended = threading.Event()
        self._next_look_for_lost = 0.0
        self._is_database_away = False

    def stop(self) -> None:
        """Claim nothing more. `run` returns when the running jobs have ended."""
        self._stopping = True

    def run(self) -> None:
        running: set[Future[None]] = set()
        with ThreadPoolExecutor(self._threads, thread_name_prefix="job") as pool:
            while not self._stopping:
                # Before the look, so that a job which ends during it is not overlooked.
                self._job_ended.clear()
                running = {future for future in running if not future.done()}
                free = self._threads - len(running)
                jobs = self._claim(free) if free else []
                for job in jobs:
                    future = pool.submit(self._do_job, job)
                    future.add_done_callback(lambda _: self._job_ended.set())
                    running.add(future)
                if len(jobs) < free or not free:
                    away = self._is_database_away
                    self._job_ended.wait(OUTAGE_POLL_SECONDS if away else POLL_SECONDS)

    def _claim(self, count: int) -> list[Job]:
        """At most `count` jobs; none while the database is away, which is logged once."""
        try:
            self._return_lost_jobs()
            jobs = claim_jobs(self.id, count)
        except DATABASE_ERRORS as error:
            if not self._is_database_away:
                logger.warning("the database cannot be used: %s", type(error).__name__)
            self._is_database_away = True
            return []
        finally:
            close_old_connections()
        if self._is_database_away:
            logger.warning("the database is back")
        self._is_database_away = False
        return jobs

    def _return_lost_jobs(self) -> None:
        if time.monotonic() < self._next_look_for_lost:
            return
        if lost := return_lost_jobs():
            logger.warning("jobs whose workers have died run again: %d", lost)
        self._next_look_for_lost = time.monotonic() + LOST_JOBS_SECONDS

    def _do_job(self, job: Job) -> None:
        result = run_job(job)
        while True:
            try:
                store_result(job, result)
                return
            except DATABASE_ERRORS:
                if self._stopping:
                    return  # another worker does it again
                time.sleep(OUTAGE_POLL_SECONDS)
            finally:
                close_old_connections()
