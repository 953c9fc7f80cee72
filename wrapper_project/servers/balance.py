"""Several workers of one server share the cores and the connections.

In each worker one thread runs at a time, but the kernel moves its threads between the cores; and a
burst of connections may all be accepted by the worker that happens to be awake, which then has the
work of all as long as they are kept alive. So each worker stays on one core, and leaves a new
connection for a moment to a worker that has fewer. `benchmarks --only two-workers` has the figures.
"""

import multiprocessing
import os
import time
from typing import Any

# A worker that has more connections than another leaves a new one to it for so long.
LEAVE_SECONDS = 0.002
# The count of a slot without a worker.
_NOBODY = 2**31 - 1


class Balance:
    """How many connections each worker has, in memory that they share. Made before the fork."""

    def __init__(self, workers: int) -> None:
        # During a reload there are the old and the new ones. One worker has nobody to share with.
        slots = 2 * workers if workers > 1 else 0
        self.connections = multiprocessing.RawArray("i", [_NOBODY] * slots)
        self.cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []

    def before_fork(self, server: Any, worker: Any) -> None:
        """gunicorn's `pre_fork`."""
        taken = {other.slot for other in server.WORKERS.values()}
        free = [slot for slot in range(len(self.connections)) if slot not in taken]
        if free:
            worker.balance, worker.slot = self, free[0]

    def after_fork(self, _server: Any, worker: Any) -> None:
        """gunicorn's `post_fork`."""
        if worker.balance is not None and self.cores:
            os.sched_setaffinity(0, {self.cores[worker.slot % len(self.cores)]})

    def after_exit(self, worker: Any) -> None:
        """After a worker has ended, however it ended."""
        if worker.balance is not None:
            self.connections[worker.slot] = _NOBODY


class BalancedAccept:
    """Part of a gunicorn worker: accepts connections when it is its turn."""

    balance: Balance | None = None
    slot: int | None = None
    nr_conns: int  # gunicorn's
    _accepts_at = 0.0
    _has_waited = False

    def accept(self, listener: Any) -> None:
        if self._is_ahead() and not self._has_waited:
            self._has_waited = True
            self._accepts_at = time.monotonic() + LEAVE_SECONDS
            self.set_accept_enabled(False)
            return
        self._has_waited = False
        super().accept(listener)  # type: ignore[misc]

    def set_accept_enabled(self, enabled: bool) -> None:
        if not enabled or time.monotonic() >= self._accepts_at:
            super().set_accept_enabled(enabled)  # type: ignore[misc]

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        left = self._accepts_at - time.monotonic()
        super().wait_for_and_dispatch_events(left if 0 < left < timeout else timeout)  # type: ignore[misc]
        if self.balance is not None:
            self.balance.connections[self.slot] = self.nr_conns

    def _is_ahead(self) -> bool:
        return self.balance is not None and self.nr_conns > min(self.balance.connections)
