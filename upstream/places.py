"""Who holds a place in a school's gate: one call, or one request that fans out in a lane."""

import threading
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from upstream.resilience import Gate


class Lane:
    """One request's share of a school's gate, while it fans out over several threads."""

    def __init__(self, gate: "Gate") -> None:
        self.gate = gate
        self.in_flight = 0
        # One of its calls has counted against the school.
        self.failed = False


class Place:
    """One call's place among those in flight. It may be left from any thread, once."""

    __slots__ = ("gate", "granted", "lane")

    def __init__(self, gate: "Gate", lane: Lane | None) -> None:
        self.gate = gate
        self.lane = lane
        # Held until the place is ours; who waits for the place waits for this lock.
        self.granted = threading.Lock()
        self.granted.acquire()

    def use(self) -> None:
        """Say that the calls of this context have their place already, and need no other."""
        HELD.set(self.gate)

    def leave(self) -> None:
        """Let the next one in."""
        self.gate.leave(self)


LANE: ContextVar[Lane | None] = ContextVar("upstream_lane", default=None)
HELD: ContextVar["Gate | None"] = ContextVar("upstream_held", default=None)
