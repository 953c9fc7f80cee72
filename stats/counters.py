"""Counting that never blocks, never raises and never touches the database where it is called.

`count` adds to numbers in memory; a thread of the process writes them every two seconds. When
the database is away the numbers stay and are tried again. A process that is killed loses what it
had not written; a connection that is lost in the middle of a commit may add once too often.
"""

import atexit
import logging
import os
import threading
import time

from django.conf import settings
from django.db import connection

from stats import limits
from stats.facts import FACTS, Fact, buckets_for, time_buckets
from stats.pending import Pending
from stats.totals import clear_cached_totals
from stats.writing import write

logger = logging.getLogger(__name__)


class Counters:
    """The counts of one process, and the thread that writes them."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Start from nothing, locks too: in a forked child their holders do not exist."""
        self._lock = threading.Lock()  # guards the memory, held for microseconds
        self._writing = threading.Lock()  # one flush at a time
        self._pending = Pending()
        self._thread: threading.Thread | None = None
        self._epoch_hour = -1
        self._times = ("", "", "")
        self._failing = False

    def add(self, name: Fact, account: int | None, school: str | None, times: int) -> None:
        if name not in FACTS:
            raise ValueError(f"{name} is not counted")
        epoch_hour = int(time.time()) // 3600
        with self._lock:
            if epoch_hour != self._epoch_hour:
                self._times, self._epoch_hour = time_buckets(epoch_hour), epoch_hour
            keys = buckets_for(name, self._times, school)
            self._pending.totals[name] += times
            for key in keys:
                self._pending.add_to_bucket(key, times, set() if account is None else {account})
            if self._thread is None:
                self._start()

    def _start(self) -> None:
        seconds = getattr(settings, "STATS_FLUSH_SECONDS", limits.FLUSH_SECONDS)
        if seconds > 0:
            thread = threading.Thread(target=self._run, args=(seconds,), name="stats", daemon=True)
            thread.start()
            self._thread = thread

    def _run(self, seconds: float) -> None:
        while True:
            time.sleep(seconds)
            self.flush()
            try:
                connection.close()
            except Exception as error:  # noqa: BLE001 - the thread must live on
                logger.warning("statistics lost a connection: %s", type(error).__name__)

    def flush_before_exit(self) -> None:
        """Only where a thread writes at all: elsewhere nothing is written unasked."""
        if self._thread is not None:
            self.flush(wait_seconds=limits.EXIT_SECONDS)

    def flush(self, wait_seconds: float = -1) -> bool:
        """Write what is pending. False: it could not be written and is kept for the next time."""
        if not self._writing.acquire(timeout=wait_seconds):
            return False
        try:
            with self._lock:
                pending, self._pending = self._pending, Pending()
            return self._write(pending)
        finally:
            self._writing.release()

    def _write(self, pending: Pending) -> bool:
        if pending.dropped:
            logger.warning("statistics dropped %d additions to new buckets", pending.dropped)
            pending.dropped = 0
        if not pending:
            return True
        try:
            write(pending)
        except Exception as error:  # noqa: BLE001 - whatever it was, the numbers are kept
            with self._lock:
                self._pending.put_back(pending)
            if not self._failing:  # once an outage, not every two seconds
                logger.warning("statistics wait for the database: %s", type(error).__name__)
            self._failing = True
            return False
        self._failing = False
        clear_cached_totals()
        return True


_counters = Counters()


def count(
    name: Fact, *, account: int | None = None, school: str | None = None, times: int = 1
) -> None:
    """Count one more `name`. Takes microseconds, never blocks, never raises.

    `account` and `school` (a slug) matter where a fact has histograms ("login", "message"):
    hour, day and date follow from the time, Europe/Stockholm, and ten different accounts make a
    bucket public.
    """
    try:
        _counters.add(name, account, school, times)
    except Exception as error:  # noqa: BLE001 - counting never fails a request
        logger.warning("statistics could not count: %s", type(error).__name__)


def flush() -> bool:
    """Write now, in this thread, with its own connection. False: kept for the next time."""
    return _counters.flush()


@atexit.register
def flush_before_exit() -> None:
    """Write what is left when a process stops; a second call finds nothing to do.

    Python calls it, except in a process that ends by a signal (the socket worker): the server's
    shutdown has to.
    """
    _counters.flush_before_exit()


# The parent writes what it has counted itself.
os.register_at_fork(after_in_child=_counters.reset)
