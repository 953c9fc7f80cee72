"""The interface of a store. Times are in seconds; every method may raise `StoreUnavailable`."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

MAX_CACHED_PER_OWNER = 64


@dataclass(frozen=True, slots=True)
class RequestLookup:
    values: list[bytes | None]
    cached: bytes | None
    count: int


class Store(Protocol):
    """Keys with a TTL.

    Besides plain keys there are counters (fixed windows that begin with their first hit) and cached
    answers, which belong to an owner and are dropped together.
    """

    def get(self, key: str) -> bytes | None: ...

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """The values of these keys, in this order, in one round trip."""
        ...

    def set(self, key: str, value: bytes, ttl: float) -> None: ...

    def swap(self, key: str, value: bytes, ttl: float) -> bytes | None:
        """Set a value and return the previous one, atomically."""
        ...

    def take(self, key: str) -> bytes | None:
        """Get and delete, atomically: of several callers, one gets the value."""
        ...

    def delete(self, *keys: str) -> None: ...

    def hit(self, counter: str, window: float, *, most: int | None = None) -> tuple[int, float]:
        """Count one; returns the new count of the window, and the seconds that it has left.

        With `most`, a hit beyond it is not counted: the answer is then `most` + 1.
        """
        ...

    def refund(self, counter: str) -> None:
        """Undo one hit, if its window is not over."""
        ...

    def get_cached(self, owner: str, name: str) -> bytes | None: ...

    def set_cached(
        self, owner: str, name: str, value: bytes, ttl: float, *, unless: str = ""
    ) -> None:
        """Cache an answer, unless the key `unless` exists; atomically. An owner has at most
        MAX_CACHED_PER_OWNER answers, and they expire `ttl` after the newest at the latest."""
        ...

    def drop_cached(self, owner: str, *names: str) -> None:
        """Drop these cached answers of the owner; without names, all of them."""
        ...

    def take_cached(self, owner: str) -> dict[str, bytes]:
        """Get and drop all cached answers of the owner, atomically."""
        ...

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
        ...

    def lock(self, name: str, *, lease: float, wait: float) -> AbstractContextManager[bool]:
        """A lock that expires after `lease` if its holder died. Yields whether it was acquired
        within `wait`."""
        ...

    def ping(self) -> None: ...
