"""Makes many calls to one school at once and returns their results in order.

The calling thread acquires a slot for each call before it submits the call to the client's pool.
So a pool thread never waits for a slot, and a school that hangs occupies no more pool threads than
it may have calls in flight: a quarter of the pool.
"""

import threading
import time
from collections.abc import Callable, Sequence
from contextvars import copy_context
from typing import Final, Generic, TypeVar

from upstream.client import UpstreamClient
from upstream.errors import (
    BulkheadFull,
    CircuitOpen,
    NotForThisRole,
    SessionDead,
    UpstreamError,
    UpstreamNotFound,
    UpstreamTimeout,
)
from upstream.resilience.bulkhead import Slot
from upstream.resilience.school_guard import SchoolGuard

T = TypeVar("T")

# Seconds after the deadline, for calls that end at the last moment.
_GRACE: Final = 0.3


def gather(
    client: UpstreamClient, school: str, calls: Sequence[Callable[[], T]]
) -> list[T | UpstreamError]:
    """Make all calls at once, in one request scope, and return their results in order.

    The result of a failed call is its UpstreamError: BulkheadFull if it got no slot,
    UpstreamTimeout if it did not end by the deadline. The calls run in other threads with the
    context of this one, and must not touch the database.

    Raises: SessionDead as soon as one call raises it, and any other exception of a call that is
    not an UpstreamError; the calls not sent by then are dropped. CircuitOpen and BulkheadFull if
    the request scope cannot be opened.
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


def value_or_raise(result: T | UpstreamError) -> T:
    """The value of a result of `gather`. Raises: the error that stands there instead."""
    if isinstance(result, UpstreamError):
        raise result
    return result


def value_or_empty(result: T | UpstreamError, empty: T) -> T:
    """The same, or `empty` where upstream has none or refuses it. Raises: any other error."""
    if isinstance(result, NotForThisRole | UpstreamNotFound):
        return empty
    return value_or_raise(result)


class _Batch(Generic[T]):
    """The calls of one fan-out, their results, and how many are in flight."""

    def __init__(self, count: int, deadline: float) -> None:
        self._deadline = deadline
        self._changed = threading.Condition(threading.Lock())
        # The results of calls that were never sent, and of calls that did not end in time.
        self._not_sent: UpstreamError = UpstreamTimeout("no time was left to send")
        self._timed_out = UpstreamTimeout("the exchange took too long")
        self._results: dict[int, T | UpstreamError] = {}
        self._count = count
        self._at_limit = False
        self._fatal: BaseException | None = None
        self._done = 0
        self.sent = 0

    def acquire_slot(self, guard: SchoolGuard, per_request: int) -> Slot | None:
        """A slot for the next call; None if no further call can or need be sent."""
        with self._changed:
            self._at_limit = self.sent - self._done >= per_request
            self._changed.wait_for(
                lambda: self._fatal is not None or self.sent - self._done < per_request,
                max(0.0, self._deadline - time.monotonic()),
            )
            self._at_limit = False
            if self._fatal is not None:
                return None
            in_flight = self.sent - self._done
        # While this batch has calls in flight, their slots will become free: wait for them.
        left = max(0.0, self._deadline - time.monotonic())
        try:
            return guard.acquire(left if in_flight else None)
        except (CircuitOpen, BulkheadFull) as error:
            self._not_sent = error
            return None

    def make(self, number: int, call: Callable[[], T], slot: Slot) -> None:
        """Make one call, in a thread of the pool."""
        slot.use_in_this_context()
        fatal: BaseException | None = None
        try:
            if self._fatal is None:
                self._results[number] = call()
        except SessionDead as dead:
            fatal = dead
        except UpstreamError as error:
            self._results[number] = error
        except BaseException as error:  # noqa: BLE001, it is raised in the calling thread
            fatal = error
        finally:
            slot.release()
        with self._changed:
            self._fatal = self._fatal or fatal
            self._done += 1
            if self._fatal is not None or self._at_limit or self._done >= self.sent:
                self._changed.notify()

    def wait(self) -> list[T | UpstreamError]:
        """The results, once all calls have ended. Raises: what ended the batch early."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._fatal is not None or self._done == self.sent,
                max(0.0, self._deadline - time.monotonic()) + _GRACE,
            )
            if self._fatal is not None:
                raise self._fatal
            if self._done < self.sent:
                # Calls still queued in the pool must not be sent any more.
                self._fatal = self._timed_out
            return [
                self._results.get(number, self._timed_out if number < self.sent else self._not_sent)
                for number in range(self._count)
            ]
