"""Short-lived data that every process shares: sessions, limits, locks, cached answers.

It is Django's cache: Redis, or without `REDIS_URL`, on a developer's machine, the memory of the
process. Values are bytes, times are seconds. Only Django's atomic operations are used for what
several callers do at once: `add`, `incr`, and `delete`, which tells one of them that it deleted the
key.

Every function raises `StoreUnavailable` when Redis cannot be reached.
"""

import math
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import NamedTuple, cast

from django.conf import settings
from django.core.cache import BaseCache, caches
from redis.exceptions import RedisError

# After a failure no command is sent for so long: a Redis that hangs costs one time-out, and not one
# for each command of each request.
PAUSE_SECONDS = 1.0
LOCK_POLL_SECONDS = 0.02
# As long as a command may take, with its repetition.
RELEASE_SECONDS = 2.0
# A counter lives longer than its window, so that it does not expire between two commands.
SLACK_SECONDS = 60
# Longer than what is sealed with an epoch is kept.
EPOCH_SECONDS = 24 * 3600

_paused_until = 0.0


class StoreUnavailable(Exception):
    """Redis cannot be reached."""


class BytesSerializer:
    """For Django's Redis cache, in place of pickle, which runs code when it is read."""

    def dumps(self, value: bytes | int) -> bytes | int:
        return value

    def loads(self, value: bytes) -> bytes:
        return value


@lru_cache
def _cache(alias: str) -> BaseCache:
    # `caches[alias]` makes one for each thread, with a pool of connections of its own.
    return caches.create_connection(alias)


@contextmanager
def _shared() -> Iterator[BaseCache]:
    """The cache that all processes share."""
    global _paused_until  # noqa: PLW0603
    if time.monotonic() < _paused_until:
        raise StoreUnavailable
    try:
        yield _cache("default")
    except RedisError:
        _paused_until = time.monotonic() + PAUSE_SECONDS
        raise StoreUnavailable from None


def get(key: str) -> bytes | None:
    with _shared() as cache:
        return cast("bytes | None", cache.get(key))


def get_many(keys: Sequence[str]) -> dict[str, bytes]:
    """The values of those keys that exist, in one round trip."""
    with _shared() as cache:
        return cast("dict[str, bytes]", cache.get_many(keys))


def put(key: str, value: bytes, seconds: float) -> None:
    with _shared() as cache:
        cache.set(key, value, _whole(seconds))


def add(key: str, value: bytes, seconds: float) -> bool:
    """Set a key that does not exist. Returns whether it was set; of several callers at once, one
    sets it."""
    with _shared() as cache:
        return cache.add(key, value, _whole(seconds))


def delete(*keys: str) -> None:
    if keys:
        with _shared() as cache:
            cache.delete_many(keys)


def take(key: str) -> bytes | None:
    """Get and delete a key: of several callers, one gets the value."""
    with _shared() as cache:
        value = cache.get(key)
        return cast("bytes | None", value) if value is not None and cache.delete(key) else None


class Count(NamedTuple):
    """The result of `count`: how many were counted, and the seconds that the window has left."""

    number: int
    seconds_left: float


def count(counter: str, seconds: int, *, most: int, shared: bool = True) -> Count:
    """Count one in a window of `seconds`, which begins with the first. What would be more than
    `most` is not counted: the number is `most` + 1 then.

    `shared`: in the store, else in this process alone, for limits that hold while Redis is away.
    """
    with _counters(shared=shared) as cache:
        began = _window(cache, counter) or _begin_window(cache, counter, seconds)
        key = _count_key(counter, began)
        try:
            number = cache.incr(key)
        except ValueError:  # the first one of this window
            cache.add(key, 0, seconds + SLACK_SECONDS)
            number = cache.incr(key)
        if number > most:
            _subtract(cache, key)
        return Count(min(number, most + 1), max(0.0, float(began) + seconds - time.time()))


def counted(counter: str) -> int:
    """How many are counted in the current window."""
    with _counters(shared=True) as cache:
        began = _window(cache, counter)
        return int(cache.get(_count_key(counter, began), 0)) if began else 0


def refund(counter: str, *, shared: bool = True) -> None:
    """Take one count of the current window back."""
    with _counters(shared=shared) as cache:
        if began := _window(cache, counter):
            _subtract(cache, _count_key(counter, began))


@contextmanager
def lock(name: str, *, lease: float, wait: float) -> Iterator[bool]:
    """A lock over all processes, which expires after `lease` if its holder died. Yields whether it
    was acquired within `wait`."""
    key, holder = f"lock:{name}", secrets.token_bytes(16)
    give_up_at = time.monotonic() + wait
    lease_ends, held = time.monotonic() + lease, add(key, holder, lease)
    while not held and time.monotonic() < give_up_at:
        time.sleep(LOCK_POLL_SECONDS)
        lease_ends, held = time.monotonic() + lease, add(key, holder, lease)
    try:
        yield held
    finally:
        # Near the end of its lease it is left to expire: the next one could hold it when `delete`
        # arrives.
        if held and time.monotonic() < lease_ends - RELEASE_SECONDS:
            with suppress(StoreUnavailable):  # it expires
                if get(key) == holder:
                    delete(key)


def epoch(owner: str) -> bytes:
    """A random word that stays the same until `drop(owner)`. What is kept for the owner is sealed
    with it, so nobody can read what was kept before, whenever it was written."""
    key = f"epoch:{owner}"
    current = get(key)
    if current is None:
        add(key, secrets.token_bytes(16), EPOCH_SECONDS)
        current = get(key) or b""
    return current


def answer_with_epoch(owner: str, key: str) -> tuple[bytes, bytes | None]:
    """The owner's epoch, and the answer of the school that was sealed with it; usually in one round
    trip."""
    name = f"epoch:{owner}"
    stored = get_many([name, key])
    current = stored.get(name)
    return (current, stored.get(key)) if current else (epoch(owner), None)


def drop(*owners: str) -> None:
    """Make everything unreadable that is kept for these owners."""
    delete(*(f"epoch:{owner}" for owner in owners))


def clear() -> None:
    """Delete everything; for tests."""
    global _paused_until  # noqa: PLW0603
    _paused_until = 0.0
    for alias in settings.CACHES:
        _cache(alias).clear()


def ping() -> None:
    get("ping")


@contextmanager
def _counters(*, shared: bool) -> Iterator[BaseCache]:
    if shared:
        with _shared() as cache:
            yield cache
    else:
        yield _cache("process")


def _window(cache: BaseCache, counter: str) -> bytes | None:
    """When the current window began (Unix seconds). It is part of the counter's key: Django's
    `incr` on Redis is two commands, and a counter that expires between them comes back without an
    end, but as one of a window that is over."""
    return cast("bytes | None", cache.get(f"window:{counter}"))


def _begin_window(cache: BaseCache, counter: str, seconds: int) -> bytes:
    now = str(time.time()).encode()
    cache.add(f"window:{counter}", now, seconds)
    return _window(cache, counter) or now  # one of several that began it


def _count_key(counter: str, began: bytes) -> str:
    return f"count:{counter}:{began.decode()}"


def _subtract(cache: BaseCache, key: str) -> None:
    with suppress(ValueError):  # nothing was counted
        cache.decr(key)


def _whole(seconds: float) -> int:
    """Redis takes whole seconds; 0 would delete the key."""
    return max(1, math.ceil(seconds))
