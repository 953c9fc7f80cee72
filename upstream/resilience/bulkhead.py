"""A bulkhead: limits the server threads and the calls in flight that one school may occupy.

A call outside a request scope occupies a thread of the server. One school may occupy half of them
while other schools have traffic, else nine tenths: the rest is for requests without such calls.
Beyond that, and for a slot among the calls in flight, a call waits, but only for a bounded time.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from upstream.config import UpstreamConfig
from upstream.errors import BulkheadFull


@dataclass(slots=True, eq=False)
class RequestScope:
    """The calls of one request that fans out: together they occupy one server thread."""

    bulkhead: "Bulkhead"
    in_flight: int = 0
    # One of its calls has counted against the school (see `SchoolGuard.end_attempt`).
    failed: bool = False


class Slot:
    """One call's slot among those in flight. It may be released from any thread, once."""

    __slots__ = ("bulkhead", "granted", "scope")

    def __init__(self, bulkhead: "Bulkhead", scope: RequestScope | None) -> None:
        self.bulkhead = bulkhead
        self.scope = scope
        # Locked until the slot is granted: a waiting call waits for this lock.
        self.granted = threading.Lock()
        self.granted.acquire()

    def use_in_this_context(self) -> None:
        """Make the calls of the current context use this slot instead of acquiring their own."""
        _HELD.set(self.bulkhead)

    def release(self) -> None:
        self.bulkhead.release(self)


_SCOPE: ContextVar[RequestScope | None] = ContextVar("upstream_request_scope", default=None)
_HELD: ContextVar["Bulkhead | None"] = ContextVar("upstream_held_slot", default=None)


class Bulkhead:
    """The slots and threads of one school. Safe to use from any thread.

    `alone` says whether no other school has traffic.
    """

    def __init__(self, config: UpstreamConfig, alone: Callable[[], bool] = lambda: False) -> None:
        self._config = config
        # The threads that it may occupy while others have traffic, and while none has.
        self._share = max(1, config.threads // 2)
        self._share_alone = max(1, config.threads * 9 // 10)
        self._alone = alone
        self._lock = threading.Lock()
        self._thread_is_free = threading.Condition(self._lock)
        # First come, first served: a fan-out must not overtake a single call.
        self._waiting: deque[Slot] = deque()
        self._in_flight = 0
        self._threads = 0
        self._waiting_for_thread = 0

    @property
    def idle(self) -> bool:
        return not self._threads and not self._in_flight

    @property
    def holds_slot(self) -> bool:
        """Whether the current context has a slot already (`Slot.use_in_this_context`)."""
        return _HELD.get() is self

    def current_scope(self) -> RequestScope | None:
        scope = _SCOPE.get()
        return scope if scope is not None and scope.bulkhead is self else None

    @contextmanager
    def request_scope(self) -> Iterator[None]:
        """Occupy one thread for a whole fan-out, with at most `per_request` calls in flight.

        Raises: BulkheadFull when no thread becomes free in time.
        """
        if self.current_scope() is not None:
            yield
            return
        with self._lock:
            self._take_thread(self._config.wait_seconds)
        token = _SCOPE.set(RequestScope(self))
        try:
            yield
        finally:
            _SCOPE.reset(token)
            with self._lock:
                self._return_thread()

    def acquire(self, wait_seconds: float | None = None) -> Slot:
        """A slot for one call, which the caller releases.

        Raises: BulkheadFull when no thread or no slot becomes free in time.
        """
        slot = Slot(self, self.current_scope())
        wait = self._config.wait_seconds if wait_seconds is None else wait_seconds
        deadline = time.monotonic() + wait
        with self._lock:
            if slot.scope is None:
                self._take_thread(wait)
            if self._has_free_slot(slot.scope):
                self._grant(slot)
                return slot
            self._waiting.append(slot)
        try:
            granted = slot.granted.acquire(timeout=max(0.0, deadline - time.monotonic()))
        except BaseException:
            if not self._give_up(slot):
                slot.release()
            raise
        if not granted and self._give_up(slot):
            raise BulkheadFull("too many calls to this school are in flight", retry_after=1)
        return slot

    def release(self, slot: Slot) -> None:
        """Take a slot back and grant it to the call that has waited longest and may have it."""
        with self._lock:
            self._in_flight -= 1
            if slot.scope is not None:
                slot.scope.in_flight -= 1
            else:
                self._return_thread()
            for waiting in self._waiting:
                if self._has_free_slot(waiting.scope):
                    self._waiting.remove(waiting)
                    self._grant(waiting)
                    break

    def _grant(self, slot: Slot) -> None:
        self._in_flight += 1
        if slot.scope is not None:
            slot.scope.in_flight += 1
        slot.granted.release()

    def _give_up(self, slot: Slot) -> bool:
        """Stop waiting; False when the slot was granted at the last moment."""
        with self._lock:
            if slot not in self._waiting:
                return False
            self._waiting.remove(slot)
            if slot.scope is None:
                self._return_thread()
            return True

    def _take_thread(self, wait_seconds: float) -> None:
        if not self._has_free_thread():
            self._wait_for_thread(wait_seconds)
        self._threads += 1

    def _wait_for_thread(self, wait_seconds: float) -> None:
        occupied = self._threads + self._waiting_for_thread
        if occupied >= self._share_alone and not self._alone():
            # Waiting occupies a thread too: the others must find some.
            raise BulkheadFull("this school holds its share of the threads", retry_after=1)
        self._waiting_for_thread += 1
        try:
            if not self._thread_is_free.wait_for(self._has_free_thread, wait_seconds):
                raise BulkheadFull("no thread became free for this school", retry_after=1)
        finally:
            self._waiting_for_thread -= 1

    def _return_thread(self) -> None:
        self._threads -= 1
        self._thread_is_free.notify()

    def _has_free_thread(self) -> bool:
        return self._threads < self._share or (self._threads < self._share_alone and self._alone())

    def _has_free_slot(self, scope: RequestScope | None) -> bool:
        if self._in_flight >= self._config.max_in_flight:
            return False
        return scope is None or scope.in_flight < self._config.per_request
