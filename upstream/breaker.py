"""The breaker: stop asking a school that does not answer, and try again carefully.

State of one process, of one school; `resilience.py` holds one per school, and its lock.
"""

import math
from collections.abc import Callable
from enum import Enum
from typing import Final

from upstream.errors import CircuitOpen

Clock = Callable[[], float]

FAILURES_IN_A_ROW: Final = 5
WINDOW_SECONDS: Final = 10
WINDOW_CALLS: Final = 20
OPEN_SECONDS: Final = 10.0
PROBES: Final = 3


class Outcome(Enum):
    """What a call says about the health of the school. A refusal (401, 404) is health."""

    SUCCESS = "success"
    FAILURE = "failure"
    UNKNOWN = "unknown"


class Breaker:
    """Closed, open for a while, then half open with a few probes. Guarded by its gate's lock.

    It opens after five failures in a row, or when half of at least twenty calls within ten
    seconds failed. In the half-open state one success closes it, one failure opens it again.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._era = 0
        self._open_until: float | None = None
        self._probes = 0
        self._in_a_row = 0
        # second -> [calls, failures], at most WINDOW_SECONDS of them
        self._window: dict[int, list[int]] = {}

    @property
    def closed(self) -> bool:
        return self._open_until is None

    def check(self) -> None:
        """Raises: CircuitOpen, with the seconds to wait."""
        if self._open_until is None:
            return
        wait = self._open_until - self._clock()
        if wait > 0 or self._probes >= PROBES:
            raise CircuitOpen("this school does not answer", retry_after=math.ceil(max(wait, 1)))

    def admit(self) -> int:
        """Let a call through. The number says in which era it began: see `record`.

        Raises: CircuitOpen.
        """
        self.check()
        if self._open_until is not None:
            self._probes += 1
        return self._era

    def record(self, era: int, outcome: Outcome) -> None:
        """Note how a call went. One that began before the last change of state says nothing."""
        if era != self._era:
            return
        if self._open_until is not None:
            if outcome is Outcome.SUCCESS:
                self._close()
            elif outcome is Outcome.FAILURE:
                self.open(OPEN_SECONDS)
            else:
                self._probes -= 1
        elif outcome is not Outcome.UNKNOWN:
            self._count(failed=outcome is Outcome.FAILURE)

    def open(self, seconds: float) -> None:
        """Stop asking for so long."""
        self._era += 1
        self._open_until = self._clock() + seconds
        self._probes = 0

    def _close(self) -> None:
        self._era += 1
        self._open_until = None
        self._in_a_row = 0
        self._window.clear()

    def _count(self, *, failed: bool) -> None:
        second = int(self._clock())
        bucket = self._window.get(second)
        if bucket is None:
            for old in [past for past in self._window if past <= second - WINDOW_SECONDS]:
                del self._window[old]
            bucket = self._window[second] = [0, 0]
        bucket[0] += 1
        if not failed:
            self._in_a_row = 0
            return
        bucket[1] += 1
        self._in_a_row += 1
        calls = sum(counts[0] for counts in self._window.values())
        failures = sum(counts[1] for counts in self._window.values())
        if self._in_a_row >= FAILURES_IN_A_ROW or (calls >= WINDOW_CALLS and failures * 2 >= calls):
            self.open(OPEN_SECONDS)
