"""A store in Redis, shared by every process and node.

Callers can work without the store, so time-outs are short. After a failure no command is sent for
a second, so that a hanging Redis costs one time-out and not one for each request.
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
from accounts.stores.local import MAX_CACHED_PER_OWNER, RequestLookup

T = TypeVar("T")
PREFIX = "wrapper:"
PAUSE_SECONDS = 1.0

# One step, so that no counter is left without an expiry.
_HIT = """
local most = tonumber(ARGV[2])
if most >= 0 and tonumber(redis.call('GET', KEYS[1]) or 0) >= most then
    return {most + 1, redis.call('PTTL', KEYS[1])}
end
local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {n, redis.call('PTTL', KEYS[1])}
"""
_REFUND = """
if redis.call('EXISTS', KEYS[1]) == 1 and redis.call('DECR', KEYS[1]) <= 0 then
    redis.call('DEL', KEYS[1])
end
"""
_SET_CACHED = """
if redis.call('EXISTS', KEYS[2]) == 1 then return end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then redis.call('DEL', KEYS[1]) end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
"""


class RedisStore:
    """The methods of `LocalStore`. Each may raise `StoreUnavailable`."""

    def __init__(self, url: str) -> None:
        self._client: redis.Redis = redis.Redis.from_url(
            url,
            socket_timeout=1.0,
            socket_connect_timeout=0.5,
            health_check_interval=0,
            # Retry once, at once: Redis may have closed a connection that was idle in the pool.
            retry=Retry(NoBackoff(), 1),
        )
        self._hit = self._client.register_script(_HIT)
        self._refund = self._client.register_script(_REFUND)
        self._set_cached = self._client.register_script(_SET_CACHED)
        self._paused_until = 0.0

    def _run(self, command: Callable[[], T]) -> T:
        if time.monotonic() < self._paused_until:
            raise StoreUnavailable
        try:
            return command()
        except RedisError:
            self._paused_until = time.monotonic() + PAUSE_SECONDS
            raise StoreUnavailable from None

    def get(self, key: str) -> bytes | None:
        return cast("bytes | None", self._run(lambda: self._client.get(PREFIX + key)))

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        if not keys:
            return []
        names = [PREFIX + key for key in keys]
        return cast("list[bytes | None]", self._run(lambda: self._client.mget(names)))

    def set(self, key: str, value: bytes, ttl: float) -> None:
        self._run(lambda: self._client.set(PREFIX + key, value, px=_milliseconds(ttl)))

    def swap(self, key: str, value: bytes, ttl: float) -> bytes | None:
        name, px = PREFIX + key, _milliseconds(ttl)
        before = self._run(lambda: self._client.set(name, value, px=px, get=True))
        return cast("bytes | None", before)

    def take(self, key: str) -> bytes | None:
        return cast("bytes | None", self._run(lambda: self._client.getdel(PREFIX + key)))

    def delete(self, *keys: str) -> None:
        if keys:
            self._run(lambda: self._client.delete(*(PREFIX + key for key in keys)))

    def hit(self, counter: str, window: float, *, most: int | None = None) -> tuple[int, float]:
        keys = [f"{PREFIX}count:{counter}"]
        args = [_milliseconds(window), -1 if most is None else most]
        count, left = cast("list[int]", self._run(lambda: self._hit(keys=keys, args=args)))
        return count, left / 1000

    def refund(self, counter: str) -> None:
        self._run(lambda: self._refund(keys=[f"{PREFIX}count:{counter}"]))

    def get_cached(self, owner: str, name: str) -> bytes | None:
        answer = self._run(lambda: self._client.hget(f"{PREFIX}copies:{owner}", name))
        return cast("bytes | None", answer)

    def set_cached(
        self, owner: str, name: str, value: bytes, ttl: float, *, unless: str = ""
    ) -> None:
        keys = [f"{PREFIX}copies:{owner}", PREFIX + unless]
        args: list[Any] = [name, value, _milliseconds(ttl), MAX_CACHED_PER_OWNER]
        self._run(lambda: self._set_cached(keys=keys, args=args))

    def drop_cached(self, owner: str, *names: str) -> None:
        key = f"{PREFIX}copies:{owner}"
        self._run(lambda: self._client.hdel(key, *names) if names else self._client.delete(key))

    def take_cached(self, owner: str) -> dict[str, bytes]:
        key = f"{PREFIX}copies:{owner}"

        def commands() -> list[Any]:
            pipeline = self._client.pipeline()
            pipeline.hgetall(key)
            pipeline.delete(key)
            return pipeline.execute()

        found = cast("dict[bytes, bytes]", self._run(commands)[0])
        return {name.decode(): value for name, value in found.items()}

    def look_up(
        self,
        keys: Sequence[str],
        *,
        cached: tuple[str, str] | None,
        counter: str | None,
        window: int,
    ) -> RequestLookup:
        def commands() -> list[Any]:
            pipeline = self._client.pipeline(transaction=False)
            pipeline.mget([PREFIX + key for key in keys])
            if cached:
                pipeline.hget(f"{PREFIX}copies:{cached[0]}", cached[1])
            if counter:
                # A lost EXPIRE is harmless: the name contains the window's number.
                pipeline.incr(f"{PREFIX}count:{counter}")
                pipeline.expire(f"{PREFIX}count:{counter}", 2 * window)
            return pipeline.execute()

        found = self._run(commands)
        return RequestLookup(found[0], found[1] if cached else None, found[-2] if counter else 0)

    @contextmanager
    def lock(self, name: str, *, lease: float, wait: float) -> Iterator[bool]:
        lock = self._client.lock(
            f"{PREFIX}lock:{name}", timeout=lease, sleep=0.02, blocking_timeout=wait
        )
        got = self._run(lambda: bool(lock.acquire()))
        try:
            yield got
        finally:
            if got:
                # The lease has expired, or will if Redis cannot be reached now.
                with suppress(LockError, RedisError):
                    lock.release()

    def ping(self) -> None:
        self._run(self._client.ping)


def _milliseconds(seconds: float) -> int:
    return max(1, int(seconds * 1000))
