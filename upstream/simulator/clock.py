"""The simulated time: the real clock, moved by tests."""

import time
from datetime import date, datetime
from zoneinfo import ZoneInfo

STOCKHOLM = ZoneInfo("Europe/Stockholm")


class Clock:
    """Runs with the computer's clock, ahead of it by what `advance` and `set` decided."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def now(self) -> float:
        """Unix seconds."""
        return time.time() + self._ahead

    def today(self) -> date:
        """The date in Stockholm, where the schools are."""
        return datetime.fromtimestamp(self.now(), STOCKHOLM).date()

    def advance(self, seconds: float) -> None:
        """Let time pass at once."""
        self._ahead += seconds

    def set(self, moment: datetime) -> None:
        """Make it `moment` (aware) now; time goes on from there."""
        self._ahead = moment.timestamp() - time.time()
