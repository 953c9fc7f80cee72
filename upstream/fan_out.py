"""Many calls to one school at once, and their answers in order.

The calling thread takes each call's place in the school's guard before it hands the call to a
thread of the pool. So a pool thread never waits for a slot, and a school that hangs holds no more
of the pool than it may have in flight, which is a quarter of it.
"""

import threading
import time
from collections.abc import Callable, Sequence
from contextvars import copy_context
from typing import Final, Generic, TypeVar

from upstream.client import UpstreamClient
from upstream.errors import BulkheadFull, CircuitOpen, SessionDead, UpstreamError, UpstreamTimeout
from upstream.resilience.bulkhead import Slot
from upstream.resilience.school_guard import SchoolGuard

T = TypeVar("T")

# Seconds for an answer of the last moment to arrive.
_GRACE: Final = 0.3


def gather(
    client: UpstreamClient, school: str, calls: Sequence[Callable[[], T]]
) -> list[T | UpstreamError]:
    """Make all calls at once, within the bounds of one request; results in the order of the calls.

    A call that fails upstream is an error in the list, one that found no slot a BulkheadFull,
    and one that has not ended with the lane a UpstreamTimeout. The calls run in other threads,
    with the context of this one, and must not touch the database.

    Raises: SessionDead as soon as one call meets it, and what a call raises that is no
    UpstreamError; what was not sent yet is not sent. CircuitOpen and BulkheadFull when there was
    no lane to open.
    """
    if not calls:
        return []
    with client.request_scope(school) as guard:
        batch = _Batch[T](len(calls), client.deadline())
        for number, call in enumerate(calls):
            slot = batch.acquire_slot(guard, client.config.per_request)
            if slot is None:
                break
            try:
                client.pool.submit(copy_context().run, batch.make, number, call, slot)
            except BaseException:
                slot.release()
                raise
            batch.sent += 1
        return batch.wait()


class _Batch(Generic[T]):
    """The calls of one fan-out: what came of them, and how many are still out."""

    def __init__(self, count: int, deadline: float) -> None:
        self._deadline = deadline
        self._changed = threading.Condition(threading.Lock())
        # What was never sent keeps the first of these, what never ended the second.
        self._refused: UpstreamError = UpstreamTimeout("no time was left to ask")
        self._late = UpstreamTimeout("the exchange took too long")
        self._results: dict[int, T | UpstreamError] = {}
        self._count = count
        self._full = False
        self._stop: BaseException | None = None
        self._ended = 0
        self.sent = 0

    def acquire_slot(self, guard: SchoolGuard, per_request: int) -> Slot | None:
        """A slot for the next call; None when there is none to be had, or no need for it."""
        with self._changed:
            self._full = self.sent - self._ended >= per_request
            self._changed.wait_for(
                lambda: self._stop is not None or self.sent - self._ended < per_request,
                max(0.0, self._deadline - time.monotonic()),
            )
            self._full = False
            if self._stop is not None:
                return None
            own = self.sent - self._ended
        # While calls of our own are out their places will come free: that is worth the wait.
        left = max(0.0, self._deadline - time.monotonic())
        try:
            return guard.acquire(left if own else None)
        except (CircuitOpen, BulkheadFull) as error:
            self._refused = error
            return None

    def make(self, number: int, call: Callable[[], T], slot: Slot) -> None:
        """Make one call, in a thread of the pool."""
        slot.use_in_this_context()
        stop: BaseException | None = None
        try:
            if self._stop is None:
                self._results[number] = call()
        except SessionDead as dead:
            stop = dead
        except UpstreamError as error:
            self._results[number] = error
        except BaseException as error:  # noqa: BLE001, it is raised in the calling thread
            stop = error
        finally:
            slot.release()
        with self._changed:
            self._stop = self._stop or stop
            self._ended += 1
            if self._stop is not None or self._full or self._ended >= self.sent:
                self._changed.notify()

    def wait(self) -> list[T | UpstreamError]:
        """What came of each call, once all have ended or one of them stopped us."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._stop is not None or self._ended == self.sent,
                max(0.0, self._deadline - time.monotonic()) + _GRACE,
            )
            if self._stop is not None:
                raise self._stop
            if self._ended < self.sent:
                # What still waits in the pool must not be sent after we have gone.
                self._stop = self._late
            return [
                self._results.get(number, self._late if number < self.sent else self._refused)
                for number in range(self._count)
            ]
