"""Which jobs are run again, and when."""

from django.db import InterfaceError, OperationalError

from store import StoreUnavailable

# After the first run, the second, …: a job that fails after all of them has failed.
PAUSES = (10, 60, 300, 1800)
# The database or Redis cannot be reached: that is not the job's fault.
OUTAGES = (OperationalError, InterfaceError, StoreUnavailable)
FIRST_OUTAGE_PAUSE, LONGEST_OUTAGE_PAUSE = 5, 60
# Of any job, so that one that kills its worker does not do it for ever. Half an hour of an outage.
MOST_ATTEMPTS = 30


class RetryLater(Exception):
    """Raised by a job that is to run again in so many seconds. After `attempts` runs it has
    failed."""

    def __init__(self, seconds: float, attempts: int = 8) -> None:
        super().__init__(f"again in {seconds:g} seconds")
        self.seconds = seconds
        self.attempts = min(attempts, MOST_ATTEMPTS)


class WorkerLost(Exception):
    """The workers that ran a job died, again and again."""


def pause_after(error: BaseException, attempts: int) -> float | None:
    """The seconds until the next run of a job that raised this in so many runs, or None."""
    if isinstance(error, RetryLater):
        return error.seconds if attempts < error.attempts else None
    if isinstance(error, OUTAGES):
        pause = min(FIRST_OUTAGE_PAUSE * 2 ** (attempts - 1), LONGEST_OUTAGE_PAUSE)
        return pause if attempts < MOST_ATTEMPTS else None
    return PAUSES[attempts - 1] if attempts <= len(PAUSES) else None
