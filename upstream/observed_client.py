"""A client that reports how its calls go, for metrics."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Protocol

from upstream.client import UpstreamClient
from upstream.config import UpstreamConfig
from upstream.errors import BulkheadFull, CircuitOpen, UpstreamError
from upstream.school_guard import SchoolGuard
from upstream.transport import Request, UpstreamResponse

ANSWERED: Final = "answered"


class Observer(Protocol):
    """Called for each call, its retry included, and for each that was refused before it was sent.

    `school` is a slug, empty for the school list. `outcome` is `answered` (a refusal such as 401
    is an answer) or the name of a class of `errors.py`. `circuit_open` also holds for a half-open
    circuit. It runs in the thread of the call: it must be quick and never raise.
    """

    def __call__(
        self, *, school: str, outcome: str, seconds: float, circuit_open: bool
    ) -> None: ...


class ObservedClient(UpstreamClient):
    def __init__(self, config: UpstreamConfig, observer: Observer) -> None:
        super().__init__(config)
        self._observer = observer

    def send(self, request: Request, *, school: str | None, **options: Any) -> UpstreamResponse:
        began = time.monotonic()
        outcome = ANSWERED
        try:
            return super().send(request, school=school, **options)
        except UpstreamError as error:
            outcome = type(error).__name__
            raise
        finally:
            self._report(school, outcome, time.monotonic() - began)

    @contextmanager
    def request_scope(self, school: str, *, person: str) -> Iterator[SchoolGuard]:
        """A fan-out refused as a whole is reported once."""
        entered = False
        try:
            with super().request_scope(school, person=person) as guard:
                entered = True
                yield guard
        except (CircuitOpen, BulkheadFull) as refused:
            if not entered:
                self._report(school, type(refused).__name__, 0.0)
            raise

    def _report(self, school: str | None, outcome: str, seconds: float) -> None:
        self._observer(
            school=school or "",
            outcome=outcome,
            seconds=seconds,
            circuit_open=self.guards.of(school).circuit_open,
        )
