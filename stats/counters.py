"""Count facts in memory; a background thread writes them to the database every two seconds.

README.md says what is lost or counted twice when a process or the database dies.
"""

import atexit
import logging
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from django.conf import settings
from django.db import connection

from stats import limits
from stats.facts import FACTS, BucketKey, Fact, buckets_for
from stats.totals import BucketDelta, add_to_totals

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Pending:
    """Counts that are not written yet. Not thread-safe."""

    totals: Counter[Fact] = field(default_factory=Counter)
    buckets: defaultdict[BucketKey, BucketDelta] = field(
        default_factory=lambda: defaultdict(BucketDelta)
    )

    def put_back(self, earlier: "Pending") -> None:
        self.totals.update(earlier.totals)
        for key, delta in earlier.buckets.items():
            self.buckets[key].add(delta.value, delta.accounts)


class Counters:
    """The counts of this process and the thread that writes them.

    The thread starts with the first count, so after a server has forked its workers.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()  # protects the fields, held for microseconds
        self._flush_lock = threading.Lock()  # one flush at a time
        self._thread: threading.Thread | None = None
        self.reset()

    def reset(self) -> None:
        """Drop what is not written yet. For tests."""
        self._pending = Pending()
        self._failing = False

    def add(self, name: Fact, account: int | None, school: str | None, times: int) -> None:
        if name not in FACTS:
            raise ValueError(f"{name} is not counted")
        keys = buckets_for(name, school)
        accounts = set() if account is None else {account}
        with self._lock:
            self._pending.totals[name] += times
            for key in keys:
                self._pending.buckets[key].add(times, accounts)
            if self._thread is None:
                self._start_thread()

    def _start_thread(self) -> None:
        seconds = getattr(settings, "STATS_FLUSH_SECONDS", limits.FLUSH_SECONDS)
        if seconds > 0:
            thread = threading.Thread(
                target=self._flush_forever, args=(seconds,), name="stats", daemon=True
            )
            thread.start()
            self._thread = thread

    def _flush_forever(self, seconds: float) -> None:
        while True:
            time.sleep(seconds)
            self.flush()
            try:
                connection.close()
            except Exception as error:  # noqa: BLE001 - the thread has to go on
                logger.warning("statistics lost a connection: %s", type(error).__name__)

    def flush_before_exit(self) -> None:
        """Flush if this process has a thread for it. A second call has nothing to do."""
        if self._thread is not None:
            self.flush(wait_seconds=limits.EXIT_SECONDS)

    def flush(self, wait_seconds: float = -1) -> bool:
        """Write what is pending, in this thread, on its connection. False: it stays pending."""
        if not self._flush_lock.acquire(timeout=wait_seconds):
            return False
        try:
            with self._lock:
                pending, self._pending = self._pending, Pending()
            return self._write(pending)
        finally:
            self._flush_lock.release()

    def _write(self, pending: Pending) -> bool:
        if not pending.totals:
            return True
        try:
            add_to_totals(pending.totals, pending.buckets)
        except Exception as error:  # noqa: BLE001 - whatever failed, the counts are kept
            with self._lock:
                self._pending.put_back(pending)
            if not self._failing:  # one line an outage, not one every two seconds
                logger.warning("statistics wait for the database: %s", type(error).__name__)
            self._failing = True
            return False
        self._failing = False
        return True


_counters = Counters()


def count(
    name: Fact, *, account: int | None = None, school: str | None = None, times: int = 1
) -> None:
    """Count one more `name`. Takes microseconds; never blocks, raises or queries.

    `account` and `school` (a slug) matter for the facts with histograms, "login" and "message":
    a bucket becomes public with its tenth account.
    """
    try:
        _counters.add(name, account, school, times)
    except Exception as error:  # noqa: BLE001 - counting never fails a request
        logger.warning("statistics could not count: %s", type(error).__name__)


flush = _counters.flush
# Python calls it at exit, but not in a process that ends by a signal. The socket worker ends so:
# its shutdown calls it.
flush_before_exit = atexit.register(_counters.flush_before_exit)
