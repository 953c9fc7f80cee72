"""A circuit breaker: sends nothing to a school that keeps failing, then probes it carefully."""

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
    """What a call says about the health of the school. A refusal (401, 404) is a SUCCESS."""

    SUCCESS = "success"
    FAILURE = "failure"
    UNKNOWN = "unknown"


class CircuitBreaker:
    """Closed, open for a while, then half-open with a few probes. Callers hold a lock around it.

    It opens after five failures in a row, or when at least half of the calls within ten seconds
    failed and there were twenty or more. While half-open, one success closes it and one failure
    opens it again.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        # Counts the changes of state.
        self._generation = 0
        self._open_until: float | None = None
        self._probes = 0
        self._failures_in_a_row = 0
        # second -> [calls, failures], at most WINDOW_SECONDS of them
        self._window: dict[int, list[int]] = {}

    @property
    def closed(self) -> bool:
        """Whether calls go through without limit: neither open nor half-open."""
        return self._open_until is None

    def check(self) -> None:
        """Raises: CircuitOpen, with the seconds to wait, if no call may begin now."""
        if self._open_until is None:
            return
        wait = self._open_until - self._clock()
        if wait > 0 or self._probes >= PROBES:
            raise CircuitOpen("this school does not answer", retry_after=math.ceil(max(wait, 1)))

    def begin(self) -> int:
        """Begin a call and return the current generation, which `record` needs.

        Raises: CircuitOpen.
        """
        self.check()
        if self._open_until is not None:
            self._probes += 1
        return self._generation

    def record(self, generation: int, outcome: Outcome) -> None:
        """Count how a call ended. Calls that began before the last change of state are ignored."""
        if generation != self._generation:
            return
        if self._open_until is not None:
            if outcome is Outcome.SUCCESS:
                self._generation += 1
                self._open_until = None
                self._failures_in_a_row = 0
                self._window.clear()
            elif outcome is Outcome.FAILURE:
                self.open_for(OPEN_SECONDS)
            else:
                self._probes -= 1
        elif outcome is not Outcome.UNKNOWN:
            self._count(failed=outcome is Outcome.FAILURE)

    def open_for(self, seconds: float) -> None:
        """Let no call begin for this long."""
        self._generation += 1
        self._open_until = self._clock() + seconds
        self._probes = 0

    def _count(self, *, failed: bool) -> None:
        second = int(self._clock())
        bucket = self._window.get(second)
        if bucket is None:
            for old in [past for past in self._window if past <= second - WINDOW_SECONDS]:
                del self._window[old]
            bucket = self._window[second] = [0, 0]
        bucket[0] += 1
        if not failed:
            self._failures_in_a_row = 0
            return
        bucket[1] += 1
        self._failures_in_a_row += 1
        calls = sum(counts[0] for counts in self._window.values())
        failures = sum(counts[1] for counts in self._window.values())
        if self._failures_in_a_row >= FAILURES_IN_A_ROW or (
            calls >= WINDOW_CALLS and failures * 2 >= calls
        ):
            self.open_for(OPEN_SECONDS)
