"""The simulated time: the real clock, which tests can move."""

import time
from datetime import date, datetime
from zoneinfo import ZoneInfo

STOCKHOLM = ZoneInfo("Europe/Stockholm")


class Clock:
    """The computer's clock plus an offset that `advance` and `set` change."""

    def __init__(self) -> None:
        self._offset = 0.0

    def now(self) -> float:
        """Unix seconds."""
        return time.time() + self._offset

    def today(self) -> date:
        """The date in Stockholm, where the schools are."""
        return datetime.fromtimestamp(self.now(), STOCKHOLM).date()

    def advance(self, seconds: float) -> None:
        self._offset += seconds

    def set(self, moment: datetime) -> None:
        """Set the time to `moment` (aware); it continues from there."""
        self._offset = moment.timestamp() - time.time()
