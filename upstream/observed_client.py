"""A client that tells somebody how its calls go. Used where the configuration names an observer."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Protocol

from upstream.client import UpstreamClient
from upstream.errors import BulkheadFull, CircuitOpen, UpstreamError
from upstream.resilience import Gate
from upstream.transport import Request, UpstreamResponse

if TYPE_CHECKING:
    from upstream.config import UpstreamConfig

ANSWERED: Final = "answered"


class Observer(Protocol):
    """Hears of each call, its retry included, and of each that was refused before it was sent.

    `school` is a slug, empty for the school list. `outcome` is `answered` (a refusal such as 401
    is an answer) or the name of a class of `errors.py`. `troubled`: the breaker of this school is
    not closed. Called in the caller's thread: it must be quick and never raise.
    """

    def __call__(self, *, school: str, outcome: str, seconds: float, troubled: bool) -> None: ...


class ObservedClient(UpstreamClient):
    """`UpstreamClient`, and an observer of it."""

    def __init__(self, config: "UpstreamConfig", observer: Observer) -> None:
        super().__init__(config)
        self._observer = observer

    def send(
        self,
        request: Request,
        *,
        school: str | None,
        deadline: float | None = None,
        untrusted: bool = False,
    ) -> UpstreamResponse:
        """See `UpstreamClient.send`."""
        began = time.monotonic()
        outcome = ANSWERED
        try:
            return super().send(request, school=school, deadline=deadline, untrusted=untrusted)
        except UpstreamError as error:
            outcome = type(error).__name__
            raise
        finally:
            self._tell(school, outcome, time.monotonic() - began)

    @contextmanager
    def request_scope(self, school: str) -> Iterator[Gate]:
        """See `UpstreamClient.request_scope`. A fan-out that is refused as a whole is told once."""
        entered = False
        try:
            with super().request_scope(school) as gate:
                entered = True
                yield gate
        except (CircuitOpen, BulkheadFull) as refused:
            if not entered:
                self._tell(school, type(refused).__name__, 0.0)
            raise

    def _tell(self, school: str | None, outcome: str, seconds: float) -> None:
        troubled = self._gates.of(school).troubled
        self._observer(school=school or "", outcome=outcome, seconds=seconds, troubled=troubled)
