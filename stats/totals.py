"""Reading the public numbers: two queries, then a few seconds from memory."""

import threading
import time
from typing import Any

from stats.facts import HISTOGRAMS, OTHER, TOTALS
from stats.limits import ANSWER_SECONDS
from stats.models import Bucket, Counter


def read_totals() -> dict[str, Any]:
    """All fields of the public answer: field -> number, histogram -> {bucket: number}.

    A bucket that fewer than ten accounts contributed to is in "other" of its histogram, so no
    bar says anything about a handful of people.
    """
    values = dict(Counter.objects.values_list("name", "value"))
    histograms: dict[str, dict[str, int]] = {name: {} for name in HISTOGRAMS}
    rows = Bucket.objects.values_list("histogram", "bucket", "value", "enough")
    for histogram, bucket, value, enough in rows.order_by("histogram", "bucket"):
        bars = histograms[histogram]
        key = bucket if enough else OTHER
        bars[key] = bars.get(key, 0) + value
    return {field: values.get(fact, 0) for field, fact in TOTALS.items()} | histograms


class _Memory:
    """The last answer of this process; one thread renews it, the others wait for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._good_until = 0.0
        self._totals: dict[str, Any] = {}

    def totals(self) -> dict[str, Any]:
        with self._lock:
            if time.monotonic() >= self._good_until:
                self._totals = read_totals()
                self._good_until = time.monotonic() + ANSWER_SECONDS
            return self._totals

    def forget(self) -> None:
        with self._lock:
            self._good_until = 0.0


_memory = _Memory()


def cached_totals() -> dict[str, Any]:
    """`read_totals()`, at most five seconds old."""
    return _memory.totals()


def clear_cached_totals() -> None:
    """Read again the next time: after a flush in this process."""
    _memory.forget()
