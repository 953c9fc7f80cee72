"""`manage.py run_worker`: does the jobs of the queue, and the recurring jobs."""

import logging
import os
import signal
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, InterfaceError

from accounts.jobs.worker import Worker

logger = logging.getLogger(__name__)

MOST_THREADS = 64


class Command(BaseCommand):
    help = (
        "Do what must not happen in a request: pushes, the recurring jobs, and whatever else is in "
        "the queue. Run one or more, on any machine; each job is done by one of them. SIGTERM or "
        "Ctrl-C lets the running jobs end; a second one ends at once, and another worker does the "
        "rest. It needs no terminal, and waits while the database cannot be reached."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--threads", type=int, default=4, help="How many jobs it does at the same time (4)."
        )
        parser.add_argument(
            "--once", action="store_true", help="Do what is due now, print a summary, and end."
        )

    def handle(self, *args: Any, threads: int, once: bool, **options: Any) -> None:
        if not 1 <= threads <= MOST_THREADS:
            raise CommandError(f"--threads is a number from 1 to {MOST_THREADS}.")
        worker = Worker(threads=threads)
        _end_on_signals(worker)
        logger.info("worker %s runs jobs in %d threads", worker.id, threads)
        try:
            worker.run(once=once)
        except (DatabaseError, InterfaceError) as error:
            raise CommandError(f"The database cannot be used: {type(error).__name__}.") from None
        if once:
            counts = worker.counts
            self.stdout.write(
                f"{counts['done']} jobs done, {counts['again']} to be run again, "
                f"{counts['failed']} failed, {counts['recurring']} recurring jobs run."
            )
        logger.info("worker %s has ended", worker.id)


def _end_on_signals(worker: Worker) -> None:
    """The first signal lets the running jobs end; the second ends the process."""
    signalled = False

    def end(number: int, _frame: FrameType | None) -> None:
        nonlocal signalled
        if signalled:
            os._exit(128 + number)
        signalled = True
        worker.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
