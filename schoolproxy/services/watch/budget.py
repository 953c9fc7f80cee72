"""The requests that looks may send to the upstream host in a minute, of all processes together.

A look counts what it may need before it asks anything, and takes back what it did not use. What a
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


class Reservation:
    """Requests that a look may send. `take` is for `upstream.request_quota`; thread-safe."""

    def __init__(self, requests: int, window_ends: float) -> None:
        self._left = requests
        self._window_ends = window_ends
        self._lock = threading.Lock()
        self._ends = time.monotonic() + limits.WATCH_LOOK_SECONDS

    def take(self) -> None:
        """Count a request that is sent now. Raises: QuotaSpent."""
        with self._lock:
            if not self._left or time.monotonic() >= self._ends:
                raise QuotaSpent("a look has sent its share of requests", retry_after=60)
            self._left -= 1

    def give_back(self) -> None:
        """End the look: what it did not use is free, unless another minute has begun."""
        with self._lock:
            unused, self._left = self._left, 0
        if time.time() < self._window_ends:
            _refund(unused)


def reserve(requests: int) -> Reservation | None:
    """So many requests (at most the whole budget); None if not all of them are free now, or nobody
    can say so without the store."""
    most = settings.WATCH_REQUESTS_PER_MINUTE
    wanted = min(requests, most)
    window_ends = 0.0
    for number in range(wanted):
        try:
            counted = store.count(_counter(), limits.WATCH_BUDGET_SECONDS, most=most)
        except StoreUnavailable:
            return None
        if counted.number > most:
            _refund(number)
            return None
        window_ends = time.time() + counted.seconds_left
    return Reservation(wanted, window_ends) if wanted else None


def requests_left() -> int:
    """How many requests may be sent now. Raises: StoreUnavailable."""
    return max(0, settings.WATCH_REQUESTS_PER_MINUTE - store.counted(_counter()))


def _refund(requests: int) -> None:
    for _ in range(requests):
        with suppress(StoreUnavailable):  # they are lost until the minute ends
            store.refund(_counter())


def _counter() -> str:
    return f"watch:{urlsplit(settings.UPSTREAM_URL).netloc}"
