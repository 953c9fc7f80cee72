"""One school's circuit breaker, bulkhead and retry budget, and the table of all schools."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Final

from upstream.config import UpstreamConfig
from upstream.resilience.bulkhead import Bulkhead, Slot
from upstream.resilience.circuit_breaker import CircuitBreaker, Clock, Outcome

# Beyond this many, the guard that was used longest ago is forgotten, if possible an idle one.
MAX_GUARDS: Final = 1024
# A school has traffic while it was called less than so many seconds ago.
TRAFFIC_SECONDS: Final = 10.0
# The retry budget: retries stay below a tenth of the calls, so they cannot double an overload. One
# to begin with, so that a quiet school can retry too.
RETRIES_PER_CALL: Final = 0.08
INITIAL_RETRIES: Final = 1.0
MAX_RETRIES: Final = 10.0


class SchoolGuard:
    """Decides whether one school may be called now. Safe to use from any thread."""

    def __init__(
        self, config: UpstreamConfig, clock: Clock, alone: Callable[[], bool] = lambda: False
    ) -> None:
        self._bulkhead = Bulkhead(config, alone)
        # Guards the breaker and the retries; the bulkhead has a lock of its own.
        self._lock = threading.Lock()
        self._breaker = CircuitBreaker(clock)
        self._retries = INITIAL_RETRIES

    @property
    def circuit_open(self) -> bool:
        """Whether the circuit is open or half-open."""
        return not self._breaker.closed

    @property
    def idle(self) -> bool:
        return self._bulkhead.idle and self._breaker.closed

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Hold a slot for one call and its retry, unless the current context has one already.

        Raises: CircuitOpen, BulkheadFull.
        """
        if self._bulkhead.holds_slot:
            yield
            return
        slot = self.acquire()
        try:
            yield
        finally:
            slot.release()

    def acquire(self, wait_seconds: float | None = None) -> Slot:
        """See `Bulkhead.acquire`. Raises: CircuitOpen, before any waiting; BulkheadFull."""
        with self._lock:
            self._breaker.check()
        slot = self._bulkhead.acquire(wait_seconds)
        with self._lock:
            self._retries = min(MAX_RETRIES, self._retries + RETRIES_PER_CALL)
        return slot

    def request_scope(self) -> AbstractContextManager[None]:
        """See `Bulkhead.request_scope`. Raises: CircuitOpen, BulkheadFull."""
        if self._bulkhead.current_scope() is None:
            with self._lock:
                self._breaker.check()
        return self._bulkhead.request_scope()

    def begin_attempt(self) -> int:
        """Begin an attempt and return the number that `end_attempt` needs. Raises: CircuitOpen."""
        with self._lock:
            return self._breaker.begin()

    def end_attempt(self, generation: int, outcome: Outcome) -> None:
        """Record how an attempt ended.

        All calls of a request scope count as one failure: one person with forty failing calls
        must not open the circuit for everyone. A probe always counts.
        """
        scope = self._bulkhead.current_scope()
        with self._lock:
            if scope is not None and outcome is Outcome.FAILURE and self._breaker.closed:
                outcome = Outcome.UNKNOWN if scope.failed else outcome
                scope.failed = True
            self._breaker.record(generation, outcome)

    def pause(self, seconds: int) -> None:
        """Open the circuit for as long as the school asked us to wait."""
        with self._lock:
            self._breaker.open_for(seconds)

    def may_retry(self) -> bool:
        """Take one retry from the budget; False if it is empty or the circuit has opened."""
        with self._lock:
            if not self._breaker.closed or self._retries < 1:
                return False
            self._retries -= 1
            return True


class SchoolGuards:
    """The guards of all schools, made at first use and bounded in number."""

    def __init__(self, config: UpstreamConfig, clock: Clock) -> None:
        self._config = config
        self._clock = clock
        self._lock = threading.Lock()
        self._guards: OrderedDict[str, SchoolGuard] = OrderedDict()
        self._used_at: dict[str, float] = {}

    def of(self, school: str | None) -> SchoolGuard:
        """The guard of a school; None means the school list."""
        key = school or ""
        with self._lock:
            guard = self._guards.get(key)
            if guard is None:
                if len(self._guards) >= MAX_GUARDS:
                    idle = (key for key, guard in self._guards.items() if guard.idle)
                    forgotten = next(idle, next(iter(self._guards)))
                    del self._guards[forgotten], self._used_at[forgotten]
                alone = partial(self._is_alone, key)
                guard = self._guards[key] = SchoolGuard(self._config, self._clock, alone)
            else:
                self._guards.move_to_end(key)
            self._used_at[key] = self._clock()
            return guard

    def _is_alone(self, key: str) -> bool:
        """Whether no other school was called lately. The school list is no school."""
        since = self._clock() - TRAFFIC_SECONDS
        with self._lock:
            return all(at < since for other, at in self._used_at.items() if other not in (key, ""))

    def any_circuit_open(self) -> bool:
        with self._lock:
            return any(guard.circuit_open for guard in self._guards.values())
