"""Where short-lived things are kept: in this process, or in Redis when `REDIS_URL` is set.

Not Django's cache: a request must learn who is calling, whether a limit is reached and whether
an answer is already there in one round trip, and a login attempt must be taken by exactly one.

`base.py` says what a store does, `local.py` and `redis.py` do it.
"""

from functools import lru_cache

from django.conf import settings

from accounts.stores.base import RequestLookup, Store
from accounts.stores.local import LocalStore
from accounts.stores.redis import RedisStore

__all__ = ["RequestLookup", "Store", "fallback", "store"]


@lru_cache(maxsize=2)
def _open(url: str) -> Store:
    return RedisStore(url) if url else LocalStore()


def store() -> Store:
    """The store of this process, opened at first use (so after a fork)."""
    return _open(settings.REDIS_URL)


@lru_cache(maxsize=1)
def fallback() -> LocalStore:
    """A store of this process alone, for the limits that must hold while Redis is away."""
    return LocalStore()
