"""What one school may take of this process, and one person of what the school may take.

All of this is state of one process: four workers may have four times as many calls in flight. That
is enough, because it protects the threads of its own process, and needs no shared store.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from threading import BoundedSemaphore
from typing import Final, Literal, NamedTuple
from weakref import WeakValueDictionary

from upstream.circuit_breaker import CircuitBreaker, Clock
from upstream.config import UpstreamConfig
from upstream.errors import BulkheadFull
from upstream.person import current_person

# Beyond this many, the guard that was used longest ago is forgotten: strangers may name schools.
MAX_GUARDS: Final = 1024
# A person may always have this many requests, as many as a browser sends for one page.
REQUESTS_OF_A_PAGE: Final = 8


class _Share:
    """The threads and the calls in flight that a school, or one person of it, may have together.

    Who waits for its turn holds a thread, too: at most half as many wait as have their turn.
    """

    def __init__(self, threads: int, calls: int) -> None:
        self.queue = BoundedSemaphore(threads + max(1, threads // 2))
        self.threads = BoundedSemaphore(threads)
        self.calls = BoundedSemaphore(calls)


class _Scope(NamedTuple):
    """A request to a school, for one person. `in_slot`: a slot for its call is held already."""

    guard: "SchoolGuard"
    share: _Share
    in_slot: bool = False


_scope: ContextVar[_Scope | None] = ContextVar("upstream_request_scope", default=None)


class SchoolGuard:
    """One school's threads, calls in flight and circuit breaker. Safe to use from any thread.

    A request that calls the school holds a thread of the server. The requests of one school hold
    half of them; a quarter waits a second for their turn, and the next is refused at once. So a
    school that hangs leaves a quarter to the other schools.

    One person holds three quarters of the school's threads, and as many calls in flight as one
    request may have. So a school that hangs for one person serves the others. Who signs in is their
    network, and that may be the whole school: it waits for its turn, too.
    """

    def __init__(self, config: UpstreamConfig, clock: Clock) -> None:
        self.breaker = CircuitBreaker(clock)
        self._config = config
        threads = max(1, config.threads // 2)
        self._share = _Share(threads, config.max_in_flight)
        self._threads_of_a_person = max(threads * 3 // 4, REQUESTS_OF_A_PAGE)
        self._lock = threading.Lock()
        # A share is forgotten with the last request that uses it.
        self._shares: WeakValueDictionary[str, _Share] = WeakValueDictionary()

    @property
    def circuit_open(self) -> bool:
        """Whether the circuit is open or half-open."""
        return not self.breaker.closed

    @contextmanager
    def request_scope(self) -> Iterator[None]:
        """Hold a thread for the calls of one request; inside of another scope, nothing more.

        Raises: CircuitOpen, before any waiting; BulkheadFull.
        """
        if self._current_scope() is not None:
            yield
            return
        self.breaker.check(current_person())
        share = self._share_of(current_person())
        with self._hold("queue", share, 0), self._hold("threads", share, self._config.wait_seconds):
            token = _scope.set(_Scope(self, share))
            try:
                yield
            finally:
                _scope.reset(token)

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Hold a slot for one call and its retry, unless the current context has one already.

        Raises: CircuitOpen, BulkheadFull.
        """
        scope = self._current_scope()
        if scope is not None and scope.in_slot:
            yield
            return
        with self.request_scope(), self.acquire():
            yield

    def acquire(self, wait_seconds: float | None = None) -> ExitStack:
        """A slot for one call of the current request scope; close it, from any thread, to release
        it.

        Raises: CircuitOpen, before any waiting; BulkheadFull.
        """
        scope = self._current_scope()
        if scope is None:
            raise RuntimeError("a slot is acquired in a request scope")
        self.breaker.check(current_person())
        wait = self._config.wait_seconds if wait_seconds is None else wait_seconds
        return self._hold("calls", scope.share, wait)

    def use_slot(self) -> None:
        """Let the calls of the current context use a slot that was acquired for them."""
        scope = self._current_scope()
        if scope is not None:
            _scope.set(scope._replace(in_slot=True))

    def _current_scope(self) -> _Scope | None:
        scope = _scope.get()
        return scope if scope is not None and scope.guard is self else None

    def _share_of(self, person: str) -> _Share:
        with self._lock:
            share = self._shares.get(person)
            if share is None:
                share = _Share(self._threads_of_a_person, self._config.per_request)
                self._shares[person] = share
            return share

    def _hold(
        self, what: Literal["queue", "threads", "calls"], of_person: _Share, wait: float
    ) -> ExitStack:
        """One of what this person and the school may have, within `wait` seconds.

        Raises: BulkheadFull.
        """
        ends = time.monotonic() + wait
        with ExitStack() as held:
            for share, whose in ((of_person, "person"), (self._share, "school")):
                semaphore: BoundedSemaphore = getattr(share, what)
                if not semaphore.acquire(timeout=max(0.0, ends - time.monotonic())):
                    raise BulkheadFull(f"this {whose} has its share of the {what}", retry_after=1)
                held.callback(semaphore.release)
            return held.pop_all()


class SchoolGuards:
    """The guards of all schools, made at first use and bounded in number."""

    def __init__(self, config: UpstreamConfig, clock: Clock) -> None:
        self._config = config
        self._clock = clock
        self._lock = threading.Lock()
        self._guards: dict[str, SchoolGuard] = {}

    def of(self, school: str | None) -> SchoolGuard:
        """The guard of a school; None means the school list."""
        with self._lock:
            guard = self._guards.pop(school or "", None) or SchoolGuard(self._config, self._clock)
            self._guards[school or ""] = guard  # the one that was used last is the last
            if len(self._guards) > MAX_GUARDS:
                del self._guards[next(iter(self._guards))]
            return guard

    def any_circuit_open(self) -> bool:
        with self._lock:
            return any(guard.circuit_open for guard in self._guards.values())
