"""The store of short-lived data: in Redis when `REDIS_URL` is set, else in this process.

Django's cache is not enough: one round trip has to return the session, the count of the rate limit
and the cached answer, and of several requests only one may take a login attempt.
"""

from functools import lru_cache
from typing import TypeAlias

from django.conf import settings

from accounts.stores.local import LocalStore, RequestLookup
from accounts.stores.redis import RedisStore

__all__ = ["LocalStore", "RequestLookup", "Store", "fallback", "store"]

# They have the same methods. Those in Redis raise `StoreUnavailable` when it cannot be reached.
Store: TypeAlias = LocalStore | RedisStore
_MIB = 1024 * 1024


@lru_cache(maxsize=2)
def _open(url: str) -> Store:
    return RedisStore(url) if url else LocalStore(max_cached_bytes=settings.LOCAL_CACHE_MIB * _MIB)


def store() -> Store:
    """The store, opened at first use, and so after the server has forked its workers."""
    return _open(settings.REDIS_URL)


@lru_cache(maxsize=1)
def fallback() -> LocalStore:
    """A store in this process, for the limits that must hold while Redis cannot be reached."""
    return LocalStore(max_cached_bytes=0)
