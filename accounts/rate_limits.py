"""Rate limits: what one is, and counting against it.

Each app declares its own in its `limits.py`. Windows are fixed. They start with the first hit;
those of reads and writes are numbered by the clock (`window_counter`). Counts are in the store:
exact across processes with Redis, and in the one process that may run without. When the store is
down, a limit that `fails_open` lets callers pass; any other is counted in this process.
"""

import time
from dataclasses import dataclass, replace
from types import ModuleType

from django.conf import settings

from accounts.errors import StoreUnavailable, TooManyRequests
from accounts.stores import fallback, store


@dataclass(frozen=True, slots=True)
class RateLimit:
    """`count` in `seconds`. `fails_open`: whether callers pass while the store is down."""

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
    try:
        count, left = store().hit(f"{limit.name}:{key}", limit.seconds, most=limit.count)
    except StoreUnavailable:
        if limit.fails_open:
            return
        count, left = fallback().hit(f"{limit.name}:{key}", limit.seconds, most=limit.count)
    if count > limit.count:
        raise TooManyRequests(left)


def refund(limit: RateLimit, key: str) -> None:
    if not settings.RATE_LIMITS:
        return
    try:
        store().refund(f"{limit.name}:{key}")
    except StoreUnavailable:
        fallback().refund(f"{limit.name}:{key}")


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


def window_counter(limit: RateLimit, account_id: int) -> str | None:
    """The counter of the current window, numbered; None when limits are off. `limit` is
    effective."""
    if not settings.RATE_LIMITS:
        return None
    return f"{limit.name}:{account_id}:{int(time.time()) // limit.seconds}"
