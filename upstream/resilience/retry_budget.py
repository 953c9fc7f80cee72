"""A retry budget: retries stay a small share of the calls, so they cannot double an overload."""

from typing import Final

# Less than a tenth of the calls, and one to begin with, so that a quiet school can retry too.
RETRIES_PER_CALL: Final = 0.08
INITIAL_RETRIES: Final = 1.0
MAX_RETRIES: Final = 10.0


class RetryBudget:
    """The retries that one school may still make. Callers hold a lock around it."""

    def __init__(self) -> None:
        self._retries = INITIAL_RETRIES

    def add_call(self) -> None:
        self._retries = min(MAX_RETRIES, self._retries + RETRIES_PER_CALL)

    def take(self) -> bool:
        if self._retries < 1:
            return False
        self._retries -= 1
        return True
