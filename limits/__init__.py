"""Rate limits: what one is, and counting against it.

Each app declares its own in its `limits.py`. Windows are fixed and begin with the first. Counts are
in the store, exact across processes. While the store is away, a limit that `fails_open` lets
callers pass; any other is counted in this process.
"""

from dataclasses import dataclass, replace
from types import ModuleType

from django.conf import settings

import store
from store import StoreUnavailable


class TooManyRequests(Exception):
    """A limit is reached. `retry_after` is in whole seconds, at least 1."""

    def __init__(self, retry_after: float) -> None:
        super().__init__()
        self.retry_after = max(1, round(retry_after))


@dataclass(frozen=True, slots=True)
class RateLimit:
    """`count` in `seconds`. `fails_open`: whether callers pass while the store is away."""

    name: str
    count: int
    seconds: int
    fails_open: bool = True

    def effective(self) -> "RateLimit":
        """The limit with the operator's override (`LIMITS`: `name=count/seconds`)."""
        override = settings.LIMITS.get(self.name)
        if not override:
            return self
        count, _, seconds = override.partition("/")
        return replace(self, count=int(count), seconds=int(seconds or self.seconds))


def limits_in(module: ModuleType) -> list[RateLimit]:
    return [value for value in vars(module).values() if isinstance(value, RateLimit)]


def spend(limit: RateLimit, key: str) -> None:
    """Count one against a limit. Raises `TooManyRequests` when it is reached; what is refused is
    not counted."""
    if not settings.RATE_LIMITS:
        return
    limit = limit.effective()
    counter = f"{limit.name}:{key}"
    try:
        counted = store.count(counter, limit.seconds, most=limit.count)
    except StoreUnavailable:
        if limit.fails_open:
            return
        counted = store.count(counter, limit.seconds, most=limit.count, shared=False)
    if counted.number > limit.count:
        raise TooManyRequests(counted.seconds_left)


def refund(limit: RateLimit, key: str) -> None:
    """Take back one that was counted."""
    if not settings.RATE_LIMITS:
        return
    counter = f"{limit.name}:{key}"
    try:
        store.refund(counter)
    except StoreUnavailable:
        store.refund(counter, shared=False)


def spend_many(limit: RateLimit, key: str, count: int) -> None:
    """Count several against a limit, or none of them. Raises `TooManyRequests` when not all fit."""
    for counted in range(count):
        try:
            spend(limit, key)
        except TooManyRequests:
            refund_many(limit, key, counted)
            raise


def refund_many(limit: RateLimit, key: str, count: int) -> None:
    for _ in range(count):
        refund(limit, key)
