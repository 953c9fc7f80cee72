"""The calls that came in, for tests that count them. Never a query, a body or a secret."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """One request. `header_names` are lower-case; the values are not kept."""

    method: str
    path: str
    school: str
    operation: str
    header_names: frozenset[str] = frozenset()


class RequestLog:
    """Every call since the start or the last reset, in order of arrival. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle = threading.Condition(self._lock)
        self._calls: list[LoggedRequest] = []
        self._running = 0
        self._most = 0

    def count(self, part: str = "") -> int:
        """How many calls there were to a path with this text in it, or of this operation."""
        return sum(part in call.path or part == call.operation for call in self)

    def count_operation(self, operation: str) -> int:
        """How many calls there were of exactly this operation."""
        return sum(operation == call.operation for call in self)

    @property
    def running(self) -> int:
        """How many calls are being answered now."""
        return self._running

    @property
    def most_at_once(self) -> int:
        """The most calls that were ever being answered at one time."""
        return self._most

    def begin(self, call: LoggedRequest) -> None:
        with self._lock:
            self._calls.append(call)
            self._running += 1
            self._most = max(self._most, self._running)

    def end(self) -> None:
        with self._lock:
            self._running -= 1
            self._idle.notify_all()

    def wait_until_idle(self, timeout: float = 10.0) -> None:
        """Block until nothing is being answered. Raises: TimeoutError (seconds)."""
        with self._lock:
            if not self._idle.wait_for(lambda: not self._running, timeout):
                raise TimeoutError(f"{self._running} calls are still being answered")

    def clear(self) -> None:
        with self._lock:
            self._calls = []
            self._most = self._running

    def __iter__(self) -> Iterator[LoggedRequest]:
        with self._lock:
            return iter(list(self._calls))

    def __len__(self) -> int:
        return len(self._calls)

    def __getitem__(self, index: int) -> LoggedRequest:
        return self._calls[index]
