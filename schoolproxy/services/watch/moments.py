"""When an answer came, and what it confirms."""

from dataclasses import dataclass
from datetime import date
from typing import Final

CONFIRM_SECONDS: Final = 60
# A week that held lessons and comes back empty.
EMPTY_SECONDS: Final = 30 * 60


@dataclass(frozen=True, slots=True)
class Moment:
    """When an answer came (Unix seconds, and the date in Stockholm), and whether the person's app
    asked for it: that confirms what a look found at any time, and a look only after a minute."""

    at: float
    today: date
    by_app: bool = False

    def confirms(self, first_seen: float, *, empty: bool = False) -> bool:
        if empty:
            return self.at - first_seen >= EMPTY_SECONDS
        return self.by_app or self.at - first_seen >= CONFIRM_SECONDS
