"""The requests that came in, for tests that count them. Never a query, a body or a secret."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """One request. `header_names` are lower-case; the values are not stored. `at` is when it came
    on the simulated clock (Unix seconds). `action` is that of the query, which tells reading from
    writing."""

    method: str
    path: str
    school: str
    operation: str
    header_names: frozenset[str] = frozenset()
    at: float = 0.0
    action: str = ""

    @property
    def writes(self) -> bool:
        """Whether the request changes what people see at the school: sends, answers, confirms,
        or marks as read."""
        page = self.path.rpartition("/")[2]
        viewed = page == "right_student_message.jsp" and self.action == "view"
        return (
            viewed
            or self.action in ("update", "reply", "delete")
            or (self.method != "GET" and page.endswith(".jsp"))
        )


class RequestLog:
    """Every request since the start or the last reset, in order of arrival. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle = threading.Condition(self._lock)
        self._requests: list[LoggedRequest] = []
        self._running = 0
        self._most = 0
        self._written: list[LoggedRequest] = []

    @property
    def written(self) -> list[LoggedRequest]:
        """The requests that wrote, since the last look; `clear` keeps them."""
        with self._lock:
            written, self._written = self._written, []
        return written

    def count(self, part: str = "") -> int:
        """How many requests had a path that contains this text, or were this operation."""
        return sum(part in request.path or part == request.operation for request in self)

    def count_operation(self, operation: str) -> int:
        """How many requests were exactly this operation."""
        return sum(operation == request.operation for request in self)

    @property
    def most_at_once(self) -> int:
        """The largest number of requests that were answered at the same time."""
        return self._most

    def begin(self, request: LoggedRequest) -> None:
        with self._lock:
            self._requests.append(request)
            if request.writes:
                self._written.append(request)
            self._running += 1
            self._most = max(self._most, self._running)

    def end(self) -> None:
        with self._lock:
            self._running -= 1
            self._idle.notify_all()

    def wait_until_idle(self, timeout: float = 10.0) -> None:
        """Block until no request is being answered. Raises: TimeoutError (seconds)."""
        with self._lock:
            if not self._idle.wait_for(lambda: not self._running, timeout):
                raise TimeoutError(f"{self._running} requests are still being answered")

    def clear(self) -> None:
        with self._lock:
            self._requests = []
            self._most = self._running

    def __iter__(self) -> Iterator[LoggedRequest]:
        with self._lock:
            return iter(list(self._requests))

    def __len__(self) -> int:
        return len(self._requests)

    def __getitem__(self, index: int) -> LoggedRequest:
        return self._requests[index]
