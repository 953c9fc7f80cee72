"""What keeps one bad school from taking the others, or this process, down with it.

Each school has a gate: a breaker (stop asking what does not answer), a bulkhead (so many calls at
once, so many threads) and a retry budget. The school list, which has no school, has a gate too.

All of this is state of one process. Several processes each learn on their own that a school is
down, and the limits are per process: with four workers four times as many calls can be in flight.
That is meant: the breaker protects the threads of its own process, and needs no store to do so.

The clock is `time.monotonic` unless a test passes another.
"""

import threading
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from upstream.breaker import Breaker, Clock, Outcome
from upstream.errors import BulkheadFull
from upstream.places import HELD, LANE, Lane, Place

# Less than a tenth of the calls, and one in hand so that a quiet school has its retry.
RETRIES_PER_CALL: Final = 0.08
RETRIES_IN_HAND: Final = 1.0
RETRIES_SAVED: Final = 10.0
# Gates of schools beyond this many are forgotten, oldest first, unless they are in use.
MAX_GATES: Final = 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of this process one school may hold."""

    in_flight: int = 64
    per_request: int = 40
    threads: int = 32
    # Seconds that a call waits for a place among the calls in flight.
    wait: float = 1.0


class Gate:
    """One school's breaker, bulkhead and retry budget."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._limits = limits
        self._clock = clock
        self._lock = threading.Lock()
        # First come, first served: a fan-out must not push past a single call.
        self._waiting: deque[Place] = deque()
        self._breaker = Breaker(clock)
        self._in_flight = 0
        self._threads = 0
        self._retries = RETRIES_IN_HAND

    @property
    def troubled(self) -> bool:
        """The breaker is open, or half open."""
        return not self._breaker.closed

    @property
    def idle(self) -> bool:
        """Nobody is inside, and nothing bad is remembered."""
        return not self._threads and not self._in_flight and self._breaker.closed

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold a place in the bulkhead for one call with its retry; see `take`."""
        if HELD.get() is self:
            yield
            return
        place = self.take()
        try:
            yield
        finally:
            place.leave()

    def take(self, wait: float | None = None) -> Place:
        """Take a place for one call, which whoever makes the call leaves.

        A call outside a lane holds a thread of the server, and is refused at once when the school
        already holds its share: one that waited would hold a thread more. The wait for a place
        among the calls in flight is bounded (seconds).

        Raises: CircuitOpen, BulkheadFull.
        """
        lane = LANE.get()
        place = Place(self, lane if lane is not None and lane.gate is self else None)
        with self._lock:
            self._breaker.check()
            if place.lane is None:
                self._take_thread()
            if self._has_room(place.lane):
                self._grant(place)
                return place
            self._waiting.append(place)
        try:
            granted = place.granted.acquire(timeout=self._limits.wait if wait is None else wait)
        except BaseException:
            if not self._give_up(place):
                place.leave()
            raise
        if not granted and self._give_up(place):
            raise BulkheadFull("too many calls to this school are in flight", retry_after=1)
        return place

    def leave(self, place: Place) -> None:
        """Give a place back; who has waited longest among those that may have it gets it."""
        with self._lock:
            self._in_flight -= 1
            if place.lane is not None:
                place.lane.in_flight -= 1
            else:
                self._threads -= 1
            for waiting in self._waiting:
                if self._has_room(waiting.lane):
                    self._waiting.remove(waiting)
                    self._grant(waiting)
                    break

    @contextmanager
    def request_scope(self) -> Iterator[None]:
        """Hold one thread for a whole fan-out; its calls share `per_request` places."""
        current = LANE.get()
        if current is not None and current.gate is self:
            yield
            return
        with self._lock:
            self._breaker.check()
            self._take_thread()
        token = LANE.set(Lane(self))
        try:
            yield
        finally:
            LANE.reset(token)
            with self._lock:
                self._threads -= 1

    def begin(self) -> int:
        """Ask the breaker for one attempt. Raises: CircuitOpen."""
        with self._lock:
            return self._breaker.admit()

    def end(self, era: int, outcome: Outcome) -> None:
        """Tell the breaker how the attempt went.

        All calls of a lane count as one failure: a single person whose forty things all fail
        must not close the school to everyone. A probe counts in any case.
        """
        lane = LANE.get()
        with self._lock:
            counts_once = lane is not None and lane.gate is self and self._breaker.closed
            if lane and counts_once and outcome is Outcome.FAILURE:
                outcome = Outcome.UNKNOWN if lane.failed else outcome
                lane.failed = True
            self._breaker.record(era, outcome)

    def cool(self, seconds: int) -> None:
        """They asked us to wait: nobody asks for so long."""
        with self._lock:
            self._breaker.open(seconds)

    def may_retry(self) -> bool:
        """Take one retry out of the budget, unless it is empty or the breaker has opened."""
        with self._lock:
            if self._retries < 1 or not self._breaker.closed:
                return False
            self._retries -= 1
            return True

    def _grant(self, place: Place) -> None:
        self._in_flight += 1
        self._retries = min(RETRIES_SAVED, self._retries + RETRIES_PER_CALL)
        if place.lane is not None:
            place.lane.in_flight += 1
        place.granted.release()

    def _give_up(self, place: Place) -> bool:
        """Stop waiting; False when the place came at the last moment."""
        with self._lock:
            if place not in self._waiting:
                return False
            self._waiting.remove(place)
            if place.lane is None:
                self._threads -= 1
            return True

    def _take_thread(self) -> None:
        if self._threads >= self._limits.threads:
            raise BulkheadFull("this school holds its share of the threads", retry_after=1)
        self._threads += 1

    def _has_room(self, lane: Lane | None) -> bool:
        if self._in_flight >= self._limits.in_flight:
            return False
        return lane is None or lane.in_flight < self._limits.per_request


class Gates:
    """The gates of all schools, made at first use. Unknown slugs cannot grow it without end."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._limits = limits
        self._clock = clock
        self._lock = threading.Lock()
        self._gates: OrderedDict[str, Gate] = OrderedDict()

    def of(self, school: str | None) -> Gate:
        """The gate of a school; of the school list for None."""
        key = school or ""
        with self._lock:
            gate = self._gates.get(key)
            if gate is None:
                self._forget_one()
                gate = self._gates[key] = Gate(self._limits, self._clock)
            else:
                self._gates.move_to_end(key)
            return gate

    def troubled(self) -> bool:
        """Whether this process has stopped asking at least one school."""
        with self._lock:
            return any(gate.troubled for gate in self._gates.values())

    def _forget_one(self) -> None:
        if len(self._gates) < MAX_GATES:
            return
        # Prefer one that loses nothing; where all are busy, the oldest goes all the same.
        key = next((key for key, gate in self._gates.items() if gate.idle), None)
        self._gates.pop(key) if key is not None else self._gates.popitem(last=False)
