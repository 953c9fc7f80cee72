"""`manage.py run_worker`: does the jobs of the queue."""

import os
import signal
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from jobs.worker import Worker

MOST_THREADS = 64


class Command(BaseCommand):
    help = (
        "Do what must not happen in a request, such as pushes. Run one or more, on any machine; "
        "each job is done by one of them. SIGTERM or Ctrl-C lets the running jobs end; a second "
        "one ends at once, and another worker does the rest within five minutes. It waits while "
        "the database cannot be reached."
    )
    # All checks would load the pages and their schemas, a third of the memory of a worker.
    requires_system_checks = ("deployment_safety",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--threads", type=int, default=4, help="How many jobs it does at the same time (4)."
        )

    def handle(self, *args: Any, threads: int, **options: Any) -> None:
        if not 1 <= threads <= MOST_THREADS:
            raise CommandError(f"--threads is a number from 1 to {MOST_THREADS}.")
        worker = Worker(threads=threads)
        _end_on_signals(worker)
        worker.run()


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
