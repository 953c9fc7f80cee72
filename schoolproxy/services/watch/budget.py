"""The requests that looks may send to the upstream host in a minute, of all processes together.

A look counts what it may need before it asks anything, and gives back what it did not use. What a
process that dies has counted is lost until the minute ends.
"""

import threading
import time
from contextlib import suppress
from urllib.parse import urlsplit

from django.conf import settings

import store
from schoolproxy import limits
from store import StoreUnavailable
from upstream.errors import QuotaSpent

_LEASE_SECONDS = 5.0


class Reservation:
    """Requests that a look may send. `take` is for `upstream.request_quota`; thread-safe."""

    def __init__(self, requests: int, counter: str) -> None:
        self._left = requests
        self._counter = counter
        self._lock = threading.Lock()
        self._ends = time.monotonic() + limits.WATCH_LOOK_SECONDS

    def take(self) -> None:
        """Count a request that is sent now. Raises: QuotaSpent."""
        with self._lock:
            if not self._left or time.monotonic() >= self._ends:
                raise QuotaSpent("a look has sent its share of requests", retry_after=60)
            self._left -= 1

    def give_back(self) -> None:
        """End the look: what it did not use is free again for the rest of its minute."""
        with self._lock:
            unused, self._left = self._left, 0
        _refund(self._counter, unused)


def reserve(requests: int) -> Reservation | None:
    """A reservation of so many requests (at most the whole budget); None if not all of them are
    free now, or the store cannot be reached."""
    budget, counter = settings.WATCH_REQUESTS_PER_MINUTE, _counter()
    wanted = min(requests, budget)
    try:
        # Without the lock, two looks at once could count half of what they want, and both give up.
        with store.lock(counter, lease=_LEASE_SECONDS, wait=_LEASE_SECONDS) as is_held:
            is_free = is_held and _count(counter, wanted, budget)
    except StoreUnavailable:
        return None
    return Reservation(wanted, counter) if is_free and wanted else None


def _count(counter: str, wanted: int, budget: int) -> bool:
    """Count so many requests, or none; returns whether they are counted."""
    for number in range(wanted):
        if store.count(counter, limits.WATCH_BUDGET_SECONDS, most=budget).number > budget:
            _refund(counter, number)
            return False
    return True


def requests_left() -> int:
    """How many requests may be sent now. Raises: StoreUnavailable."""
    return max(0, settings.WATCH_REQUESTS_PER_MINUTE - store.counted(_counter()))


def _refund(counter: str, requests: int) -> None:
    for _ in range(requests):
        with suppress(StoreUnavailable):  # they are lost until the minute ends
            store.refund(counter)


def _counter() -> str:
    """The counter of this host and this minute of the clock."""
    minute = int(time.time() // limits.WATCH_BUDGET_SECONDS)
    return f"watch:{urlsplit(settings.UPSTREAM_URL).netloc}:{minute}"
