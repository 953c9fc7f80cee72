"""A store in Redis, shared by every process and node.

Time-outs are short: a store that does not answer is worse than one that is away, and callers
know what to do without it. After a failure the store is left alone for a second, so that a
Redis that hangs costs one wait and not one for each request.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar, cast

import redis
from redis.backoff import NoBackoff
from redis.exceptions import LockError, RedisError
from redis.retry import Retry

from accounts.errors import StoreUnavailable
from accounts.stores.base import MAX_CACHED_PER_OWNER, RequestLookup

T = TypeVar("T")
PREFIX = "wrapper:"
LEAVE_ALONE_SECONDS = 1.0

# A counter must never be left without an end: counting and setting the end are one step.
_HIT = """
local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {n, redis.call('PTTL', KEYS[1])}
"""
_REFUND = "if redis.call('EXISTS', KEYS[1]) == 1 then return redis.call('DECR', KEYS[1]) end"
_SET_CACHED = """
if redis.call('EXISTS', KEYS[2]) == 1 then return end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then redis.call('DEL', KEYS[1]) end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
"""


class RedisStore:
    """See `base.Store`."""

    def __init__(self, url: str) -> None:
        self._client: redis.Redis = redis.Redis.from_url(
            url,
            socket_timeout=1.0,
            socket_connect_timeout=0.5,
            health_check_interval=0,
            # Once more, at once: a connection that Redis closed while it lay in the pool.
            retry=Retry(NoBackoff(), 1),
        )
        self._hit = self._client.register_script(_HIT)
        self._refund = self._client.register_script(_REFUND)
        self._set_cached = self._client.register_script(_SET_CACHED)
        self._away_until = 0.0

    def _ask(self, question: Callable[[], T]) -> T:
        if time.monotonic() < self._away_until:
            raise StoreUnavailable
        try:
            return question()
        except RedisError:
            self._away_until = time.monotonic() + LEAVE_ALONE_SECONDS
            raise StoreUnavailable from None

    def get(self, key: str) -> bytes | None:
        return cast("bytes | None", self._ask(lambda: self._client.get(PREFIX + key)))

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        if not keys:
            return []
        question = [PREFIX + key for key in keys]
        return cast("list[bytes | None]", self._ask(lambda: self._client.mget(question)))

    def set(self, key: str, value: bytes, ttl: float) -> None:
        self._ask(lambda: self._client.set(PREFIX + key, value, px=_milliseconds(ttl)))

    def swap(self, key: str, value: bytes, ttl: float) -> bytes | None:
        return cast(
            "bytes | None",
            self._ask(
                lambda: self._client.set(PREFIX + key, value, px=_milliseconds(ttl), get=True)
            ),
        )

    def take(self, key: str) -> bytes | None:
        return cast("bytes | None", self._ask(lambda: self._client.getdel(PREFIX + key)))

    def delete(self, *keys: str) -> None:
        if keys:
            self._ask(lambda: self._client.delete(*(PREFIX + key for key in keys)))

    def hit(self, counter: str, window: float) -> tuple[int, float]:
        arguments: dict[str, Any] = {
            "keys": [f"{PREFIX}count:{counter}"],
            "args": [_milliseconds(window)],
        }
        count, left = cast("list[int]", self._ask(lambda: self._hit(**arguments)))
        return count, left / 1000

    def refund(self, counter: str) -> None:
        self._ask(lambda: self._refund(keys=[f"{PREFIX}count:{counter}"]))

    def get_cached(self, owner: str, name: str) -> bytes | None:
        return cast(
            "bytes | None", self._ask(lambda: self._client.hget(f"{PREFIX}copies:{owner}", name))
        )

    def set_cached(
        self, owner: str, name: str, value: bytes, ttl: float, *, unless: str = ""
    ) -> None:
        arguments: dict[str, Any] = {
            "keys": [f"{PREFIX}copies:{owner}", PREFIX + unless],
            "args": [name, value, _milliseconds(ttl), MAX_CACHED_PER_OWNER],
        }
        self._ask(lambda: self._set_cached(**arguments))

    def drop_cached(self, owner: str) -> None:
        self._ask(lambda: self._client.delete(f"{PREFIX}copies:{owner}"))

    def look_up(
        self, keys: Sequence[str], *, copy: tuple[str, str] | None, counter: str | None, window: int
    ) -> RequestLookup:
        def question() -> list[Any]:
            pipeline = self._client.pipeline(transaction=False)
            pipeline.mget([PREFIX + key for key in keys])
            if copy:
                pipeline.hget(f"{PREFIX}copies:{copy[0]}", copy[1])
            if counter:
                # The name holds the window's number, so the late end of a lost EXPIRE is harmless.
                pipeline.incr(f"{PREFIX}count:{counter}")
                pipeline.expire(f"{PREFIX}count:{counter}", 2 * window)
            return pipeline.execute()

        answers = self._ask(question)
        values = answers[0]
        return RequestLookup(values, answers[1] if copy else None, answers[-2] if counter else 0)

    @contextmanager
    def lock(self, name: str, *, lease: float, wait: float) -> Iterator[bool]:
        lock = self._client.lock(
            f"{PREFIX}lock:{name}", timeout=lease, sleep=0.02, blocking_timeout=wait
        )
        got = self._ask(lambda: bool(lock.acquire()))
        try:
            yield got
        finally:
            if got:
                # Lost its lease, or Redis went away: the lease frees it.
                with suppress(LockError, RedisError):
                    lock.release()

    def ping(self) -> None:
        self._ask(self._client.ping)


def _milliseconds(seconds: float) -> int:
    return max(1, int(seconds * 1000))
