"""When an answer came, and what it confirms."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, TypeVar

T = TypeVar("T")
CONFIRM_SECONDS: Final = 60
# A week that held lessons and comes back empty.
EMPTY_SECONDS: Final = 30 * 60


@dataclass(frozen=True, slots=True)
class Moment:
    """When an answer came (Unix seconds, and the date in Stockholm), and whether the person's app
    asked for it. The app confirms at once what was seen before, a look after a minute."""

    at: float
    today: date
    by_app: bool = False

    def confirms(self, first_seen: float, *, empty: bool = False) -> bool:
        if empty:
            return self.at - first_seen >= EMPTY_SECONDS
        return self.by_app or self.at - first_seen >= CONFIRM_SECONDS

    def confirmed(
        self,
        changes: Iterable[T],
        pending: Mapping[str, float],
        name: Callable[[T], str],
        *,
        empty: bool = False,
    ) -> tuple[list[T], dict[str, float]]:
        """The changes that count now, and when each of the others was first seen, by name.
        `pending` has these times from the answer before."""
        counted: list[T] = []
        waiting: dict[str, float] = {}
        for change in changes:
            since = pending.get(name(change))
            if since is not None and self.confirms(since, empty=empty):
                counted.append(change)
            else:
                waiting[name(change)] = self.at if since is None else since
        return counted, waiting
