"""When a change counts: once a later answer says the same.

So nobody is told of what comes and goes.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, TypeVar

Change = TypeVar("Change")
CONFIRM_SECONDS: Final = 60
# For a week or a list that comes back empty.
EMPTY_SECONDS: Final = 30 * 60
# When a first look finds nothing, and there are rows within this time, the school had failed to
# give them at first.
DOUBT_SECONDS: Final = 60 * 60


@dataclass(frozen=True, slots=True)
class AnswerTime:
    """When an answer came (Unix seconds, and the date in Stockholm), and whether the person's app
    asked for it. The app confirms at once what was seen before, a look after a minute."""

    at: float
    today: date
    by_app: bool = False

    def confirms(self, first_seen: float, *, empty: bool = False) -> bool:
        """Whether an answer now confirms what was first seen then; `empty`: that nothing is
        there."""
        if empty:
            return self.at - first_seen >= EMPTY_SECONDS
        return self.by_app or self.at - first_seen >= CONFIRM_SECONDS

    def split_confirmed(
        self,
        changes: Iterable[Change],
        first_seen: Mapping[str, float],
        key_of: Callable[[Change], str],
        *,
        empty: bool = False,
    ) -> tuple[list[Change], dict[str, float]]:
        """The changes of this answer that count now, and when the others were first seen, by key.
        `first_seen` has these times from the answer before."""
        confirmed: list[Change] = []
        unconfirmed: dict[str, float] = {}
        for change in changes:
            key = key_of(change)
            since = first_seen.get(key)
            if since is not None and self.confirms(since, empty=empty):
                confirmed.append(change)
            else:
                unconfirmed[key] = self.at if since is None else since
        return confirmed, unconfirmed
