"""A circuit breaker: sends nothing to a system that fails for several people, then probes it.

It counts people and not calls. One person whose data a school cannot serve, or whose browser gave
us a useless address for pushes, may fail a thousand times: nobody else is stopped.
"""

import math
import threading
from collections.abc import Callable
from typing import Final, NamedTuple

from upstream.errors import CircuitOpen

Clock = Callable[[], float]

PEOPLE: Final = 3
WINDOW_SECONDS: Final = 10.0
# Longer than a call may take: what began before it opened has ended when it is probed.
OPEN_SECONDS: Final = 10.0


class _Failure(NamedTuple):
    """When a call failed, and for how many seconds upstream asked to be left alone."""

    at: float
    wait: float


class CircuitBreaker:
    """Closed, open for a while, then half-open. Safe to use from any thread.

    It opens when calls of three different people fail within the window, unless more others were
    served since the first of these failures: pupils of one class whose assignment upstream cannot
    show are no outage.

    While it is half-open, three people may call: a success of any of them closes it, failures of
    all of them open it again. So one person's failures cannot keep it open either.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        window_seconds: float = WINDOW_SECONDS,
        open_seconds: float = OPEN_SECONDS,
    ) -> None:
        self._clock = clock
        self._window_seconds = window_seconds
        self._open_seconds = open_seconds
        self._lock = threading.Lock()
        # None: closed. In the past: half-open.
        self._open_until: float | None = None
        # The last failure of each person within the window, and when others were served since.
        self._failed: dict[str, _Failure] = {}
        self._served: dict[str, float] = {}
        # Who called while it was half-open, and when.
        self._probing: dict[str, float] = {}

    @property
    def closed(self) -> bool:
        """Whether calls go through without limit: neither open nor half-open."""
        return self._open_until is None

    def check(self, person: str) -> None:
        """Raises: CircuitOpen, with the seconds to wait, if this person may not call now."""
        with self._lock:
            self._check(person)

    def begin(self, person: str) -> None:
        """Begin a call of this person. Raises: CircuitOpen."""
        with self._lock:
            self._check(person)
            if self._open_until is not None:
                self._probing[person] = self._clock()

    def succeeded(self, person: str) -> None:
        """Count a call that upstream answered, be it with a refusal such as 401 or 404."""
        with self._lock:
            now = self._clock()
            if self._open_until is not None and now >= self._open_until:
                self._change(open_until=None)
            elif self._open_until is None and self._failed:
                self._served[person] = now
                self._forget_before(now - self._window_seconds)

    def failed(self, person: str, *, wait_seconds: float = 0.0) -> None:
        """Count a failed call; `wait_seconds` is for how long upstream asked to be left alone."""
        with self._lock:
            now = self._clock()
            if self._open_until is not None and now < self._open_until:
                return
            self._forget_before(now - self._window_seconds)
            self._failed[person] = _Failure(now, wait_seconds)
            others_served = self._served.keys() - self._failed.keys()
            if len(self._failed) >= max(PEOPLE, len(others_served)):
                wait = min(failure.wait for failure in self._failed.values())
                self._change(open_until=now + max(self._open_seconds, wait))

    def _check(self, person: str) -> None:
        if self._open_until is None:
            return
        now = self._clock()
        wait = self._open_until - now
        if wait <= 0:
            self._forget_before(now - self._window_seconds)
            if person in self._probing or len(self._probing) < PEOPLE:
                return
        raise CircuitOpen("it fails for several people", retry_after=math.ceil(max(wait, 1)))

    def _forget_before(self, moment: float) -> None:
        self._failed = {who: last for who, last in self._failed.items() if last.at > moment}
        served = self._served.items() if self._failed else ()
        self._served = {who: at for who, at in served if at > moment}
        self._probing = {who: at for who, at in self._probing.items() if at > moment}

    def _change(self, *, open_until: float | None) -> None:
        self._open_until = open_until
        self._failed, self._served, self._probing = {}, {}, {}
