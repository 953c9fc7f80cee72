"""What one process has counted and not yet written."""

from collections import Counter
from dataclasses import dataclass, field

from stats.facts import Fact, Histogram
from stats.limits import MAX_PENDING_KEYS, MIN_ACCOUNTS


@dataclass(slots=True)
class BucketDelta:
    """An addition to one bucket; `accounts` are at most ten of those that contributed."""

    value: int = 0
    accounts: set[int] = field(default_factory=set)

    def add(self, value: int, accounts: set[int]) -> None:
        self.value += value
        for account in accounts:
            if len(self.accounts) >= MIN_ACCOUNTS:
                return
            self.accounts.add(account)


@dataclass(slots=True)
class Pending:
    """Additions by key. Not thread-safe: the owner holds a lock.

    Bounded: one number a fact, one `BucketDelta` a bucket, at most `MAX_PENDING_KEYS` buckets.
    """

    totals: Counter[Fact] = field(default_factory=Counter)
    buckets: dict[tuple[Histogram, str], BucketDelta] = field(default_factory=dict)
    dropped: int = 0

    def __bool__(self) -> bool:
        return bool(self.totals or self.buckets)

    def add_to_bucket(self, key: tuple[Histogram, str], value: int, accounts: set[int]) -> None:
        delta = self.buckets.get(key)
        if delta is None:
            if len(self.buckets) >= MAX_PENDING_KEYS:
                self.dropped += value
                return
            delta = self.buckets[key] = BucketDelta()
        delta.add(value, accounts)

    def put_back(self, earlier: "Pending") -> None:
        """Take in what could not be written."""
        self.totals.update(earlier.totals)
        for key, delta in earlier.buckets.items():
            self.add_to_bucket(key, delta.value, delta.accounts)
        self.dropped += earlier.dropped
