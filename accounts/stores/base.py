"""What a store can do. Times are in seconds; values are bytes; every method may raise
`accounts.errors.StoreUnavailable`."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

MAX_CACHED_PER_OWNER = 64


@dataclass(frozen=True, slots=True)
class RequestLookup:
    """The answer to `Store.look_up`."""

    values: list[bytes | None]
    copy: bytes | None
    count: int


class Store(Protocol):
    """Keys that live for a while.

    Besides plain keys there are counters (fixed windows that begin with their first hit) and
    copies: answers kept for an owner, dropped all at once.
    """

    def get(self, key: str) -> bytes | None: ...

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """The values of these keys, in their order, in one round trip."""
        ...

    def set(self, key: str, value: bytes, ttl: float) -> None: ...

    def swap(self, key: str, value: bytes, ttl: float) -> bytes | None:
        """Set, and get what was there before, in one step: of many, each gets another's."""
        ...

    def take(self, key: str) -> bytes | None:
        """Get and delete in one step: of many takers, one gets the value."""
        ...

    def delete(self, *keys: str) -> None: ...

    def hit(self, counter: str, window: float) -> tuple[int, float]:
        """Count one; the number in this window, this one included, and the seconds it has left."""
        ...

    def refund(self, counter: str) -> None:
        """Take back one hit, if its window still runs."""
        ...

    def get_cached(self, owner: str, name: str) -> bytes | None: ...

    def set_cached(
        self, owner: str, name: str, value: bytes, ttl: float, *, unless: str = ""
    ) -> None:
        """Keep a copy, but not while the key `unless` is there, in one step. An owner has a
        bounded number of them; all live at most `ttl` longer."""
        ...

    def drop_cached(self, owner: str) -> None: ...

    def look_up(
        self, keys: Sequence[str], *, copy: tuple[str, str] | None, counter: str | None, window: int
    ) -> RequestLookup:
        """All that a request must know, in one round trip: the values of `keys`, the copy
        (owner, name), and the count of `counter`, whose name must hold the window's number."""
        ...

    def lock(self, name: str, *, lease: float, wait: float) -> AbstractContextManager[bool]:
        """Held by one at a time; freed after `lease` when its holder died. Yields whether it
        was got within `wait`."""
        ...

    def ping(self) -> None: ...
