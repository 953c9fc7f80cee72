"""A store in this process, for a service of one process; several need Redis (checked at start)."""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from weakref import WeakValueDictionary

MAX_KEYS = 50_000
MAX_CACHED_PER_OWNER = 64


@dataclass(frozen=True, slots=True)
class RequestLookup:
    """The answer of `look_up`; `count` is 0 without a counter."""

    values: list[bytes | None]
    cached: bytes | None
    count: int


class LocalStore:
    """Keys with a TTL. Besides plain keys there are counters (fixed windows that begin with their
    first hit) and cached answers, which belong to an owner and are dropped together. Times are in
    seconds.

    Bounded: the least recently used keys are evicted, and the answers of the owner who was away
    longest. Uses the wall clock, as Redis does.
    """

    def __init__(self, *, max_cached_bytes: int) -> None:
        self._max_cached_bytes = max_cached_bytes
        self._guard = threading.RLock()
        self._keys: OrderedDict[str, tuple[float, bytes]] = OrderedDict()
        self._counters: OrderedDict[str, tuple[float, int]] = OrderedDict()
        self._cached: OrderedDict[str, dict[str, tuple[float, bytes]]] = OrderedDict()
        self.cached_bytes = 0
        self.evicted_answers = 0
        # Each lives as long as somebody holds it or waits for it.
        self._locks: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()

    def get(self, key: str) -> bytes | None:
        with self._guard:
            entry = self._keys.get(key)
            if entry is None:
                return None
            if entry[0] <= time.time():
                del self._keys[key]
                return None
            self._keys.move_to_end(key)
            return entry[1]

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        with self._guard:
            return [self.get(key) for key in keys]

    def set(self, key: str, value: bytes, ttl: float) -> None:
        with self._guard:
            self._keys[key] = (time.time() + ttl, value)
            self._keys.move_to_end(key)
            if len(self._keys) > MAX_KEYS:
                self._keys.popitem(last=False)

    def swap(self, key: str, value: bytes, ttl: float) -> bytes | None:
        """Set a value and return the previous one, atomically."""
        with self._guard:
            before = self.get(key)
            self.set(key, value, ttl)
            return before

    def take(self, key: str) -> bytes | None:
        """Get and delete, atomically: of several callers, one gets the value."""
        with self._guard:
            value = self.get(key)
            self._keys.pop(key, None)
            return value

    def delete(self, *keys: str) -> None:
        with self._guard:
            for key in keys:
                self._keys.pop(key, None)

    def hit(self, counter: str, window: float, *, most: int | None = None) -> tuple[int, float]:
        """Count one; returns the new count of the window, and the seconds that it has left.

        With `most`, a hit beyond it is not counted: the answer is then `most` + 1.
        """
        with self._guard:
            now = time.time()
            until, count = self._counters.get(counter, (0.0, 0))
            if until <= now:
                until, count = now + window, 0
            if most is not None and count >= most:
                return most + 1, until - now
            self._counters[counter] = (until, count + 1)
            self._counters.move_to_end(counter)
            if len(self._counters) > MAX_KEYS:
                self._counters.popitem(last=False)
            return count + 1, until - now

    def refund(self, counter: str) -> None:
        """Undo one hit, if its window is not over."""
        with self._guard:
            until, count = self._counters.get(counter, (0.0, 0))
            if count > 1:
                self._counters[counter] = (until, count - 1)
            else:
                self._counters.pop(counter, None)

    def get_cached(self, owner: str, name: str) -> bytes | None:
        with self._guard:
            entry = self._cached.get(owner, {}).get(name)
            if entry is None or entry[0] <= time.time():
                return None
            self._cached.move_to_end(owner)
            return entry[1]

    def set_cached(
        self, owner: str, name: str, value: bytes, ttl: float, *, unless: str = ""
    ) -> None:
        """Cache an answer, unless the key `unless` exists; atomically. An owner has at most
        MAX_CACHED_PER_OWNER answers, and they expire `ttl` after the newest at the latest."""
        with self._guard:
            if unless and self.get(unless) is not None:
                return
            if len(self._cached.get(owner, {})) >= MAX_CACHED_PER_OWNER:
                self.drop_cached(owner)
            answers = self._cached.setdefault(owner, {})
            if name in answers:
                self.cached_bytes -= len(answers[name][1])
            answers[name] = (time.time() + ttl, value)
            self.cached_bytes += len(value)
            self._cached.move_to_end(owner)
            while self.cached_bytes > self._max_cached_bytes and len(self._cached) > 1:
                longest_away = next(iter(self._cached))
                self.evicted_answers += len(self._cached[longest_away])
                self.drop_cached(longest_away)

    def drop_cached(self, owner: str, *names: str) -> None:
        """Drop these cached answers of the owner; without names, all of them."""
        with self._guard:
            if not names:
                self.take_cached(owner)
                return
            answers = self._cached.get(owner, {})
            for name in names:
                _, dropped = answers.pop(name, (0.0, b""))
                self.cached_bytes -= len(dropped)

    def take_cached(self, owner: str) -> dict[str, bytes]:
        """Get and drop all cached answers of the owner, atomically."""
        with self._guard:
            dropped = self._cached.pop(owner, {})
            self.cached_bytes -= sum(len(value) for _, value in dropped.values())
            now = time.time()
            return {name: value for name, (until, value) in dropped.items() if until > now}

    def look_up(
        self,
        keys: Sequence[str],
        *,
        cached: tuple[str, str] | None,
        counter: str | None,
        window: int,
    ) -> RequestLookup:
        """In one round trip: the values of `keys`, the `cached` answer (owner, name), and the
        count of `counter` after one hit. The name of the counter contains its window's number."""
        with self._guard:
            return RequestLookup(
                self.get_many(keys),
                self.get_cached(*cached) if cached else None,
                self.hit(counter, window)[0] if counter else 0,
            )

    @contextmanager
    def lock(self, name: str, *, lease: float, wait: float) -> Iterator[bool]:
        """A lock that expires after `lease` if its holder died. Yields whether it was acquired
        within `wait`."""
        # No lease: a holder cannot die without its process, and then this store is gone too.
        with self._guard:
            lock = self._locks.setdefault(name, threading.Lock())
        got = lock.acquire(timeout=wait)
        try:
            yield got
        finally:
            if got:
                lock.release()

    def ping(self) -> None:
        return None
