"""The client: sends requests, classifies failures and retries once where that is safe.

A call module builds a `Request` (through a dialect, where the dialects differ), passes it to
`UpstreamClient.send` and reads the response. `fetch_json` and `fetch_page` do this for everything
that needs a web session.
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any, Final, TypeVar

from upstream import responses
from upstream.circuit_breaker import Clock
from upstream.config import UpstreamConfig
from upstream.deadline import current_deadline, deadline_scope
from upstream.dialects import Dialect
from upstream.downloads import DownloadSlots
from upstream.endpoints import SESSION, build_url, with_query
from upstream.errors import (
    BulkheadFull,
    CircuitOpen,
    NotForThisRole,
    UpstreamError,
    UpstreamFailing,
    UpstreamThrottled,
    UpstreamTimeout,
    UpstreamUnavailable,
    UpstreamUnreachable,
)
from upstream.pages.html import Page
from upstream.person import current_person, on_behalf_of
from upstream.records import SEGMENTS, ProvenSession, WebSession
from upstream.request_quota import current_quota
from upstream.school_guard import SchoolGuard, SchoolGuards
from upstream.set_cookie import cookie_header
from upstream.transport import HEADERS, Request, Transport, UpstreamResponse

T = TypeVar("T")
Query = Mapping[str, str | int] | None

_RETRIED_STATUSES: Final = frozenset({502, 503, 504})
# Seconds: a retry needs this much time before the deadline, and waits for a random back-off.
_RETRY_SECONDS: Final = 0.5
_BACK_OFF: Final = (0.02, 0.08)


class UpstreamClient:
    """Sends requests to the school system. One per process, shared by all threads.

    It keeps nothing about a caller: only idle connections, a thread pool and the schools' guards.
    """

    def __init__(
        self,
        config: UpstreamConfig,
        *,
        clock: Clock = time.monotonic,
        observer: Callable[..., object] | None = None,
    ) -> None:
        """`observer` is called when a call has ended: see `shared_client.call_ended`."""
        self.config = config
        self._observer = observer
        self.guards = SchoolGuards(config, clock)
        self.transport = Transport(
            config.base_url,
            connect_seconds=config.connect_seconds,
            pool_size=2 * config.max_in_flight,
            ca_file=config.ca_file,
        )
        self.downloads = DownloadSlots(config.threads)
        # For fan-outs. A school that hangs occupies at most a quarter of the threads.
        self.pool = ThreadPoolExecutor(
            4 * config.max_in_flight, thread_name_prefix="upstream-fan-out"
        )

    def dialect(self, school: str) -> Dialect:
        return self.config.dialect(school)

    def url(self, school: str | None, path: str, *, role: str = "", **ints: int) -> str:
        """A URL below the configured address. Raises: endpoints.IllegalUrl."""
        return build_url(self.config.base_url, school, path, role=role, **ints)

    @contextmanager
    def request_scope(self, school: str, *, person: str) -> Iterator[SchoolGuard]:
        """Treat the calls inside as one request of this person to this school, with one deadline
        for all.

        Open it around a request with several fan-outs (`fan_out.gather`). Calls in other threads
        belong to it only if they run with `contextvars.copy_context().run`.

        Raises: CircuitOpen, BulkheadFull.
        """
        guard = self.guards.of(school)
        with on_behalf_of(person), ExitStack() as scope:
            try:
                scope.enter_context(guard.request_scope())
            except (CircuitOpen, BulkheadFull) as refused:
                self.report(school, refused, 0.0)
                raise
            scope.enter_context(deadline_scope(self.deadline()))
            yield guard

    def fetch_json(self, path: str, *, web: ProvenSession, query: Query = None, **ints: int) -> Any:
        """GET JSON with a web session; "" for an empty body. `{role}` is that of the session.

        A 403 means a dead session or a resource that this role may not see. One request to the
        session endpoint with the same cookies decides which.

        Raises: SessionDead, NotForThisRole, UpstreamNotFound, UpstreamInvalid, UpstreamTimeout,
        UpstreamUnavailable.
        """
        url = self.url(web.school, path, role=SEGMENTS[web.role], **ints)
        return self._fetch(web.school, url, query, web, responses.read_data)

    def fetch_page(self, path: str, *, web: ProvenSession, query: Query = None) -> Page:
        """GET a page with a web session, for a parser of `upstream/pages/`.

        Raises: as fetch_json, and PageHidden. The parser detects a login page.
        """
        url = self.url(web.school, path)
        return self._fetch(web.school, url, query, web, responses.read_page, accept="text/html")

    def fetch_own_json(self, school: str, path: str, *, web: WebSession) -> Any:
        """As `fetch_json`, for what is about the web session itself and is nobody's school data."""
        return self._fetch(school, self.url(school, path), None, web, responses.read_data)

    def _fetch(
        self,
        school: str,
        url: str,
        query: Query,
        web: WebSession,
        read: Callable[[UpstreamResponse, str], T],
        *,
        accept: str = HEADERS["Accept"],
    ) -> T:
        if query:
            url = with_query(url, **query)
        deadline = self.deadline()
        headers = {**HEADERS, "Accept": accept, "Cookie": cookie_header(web)}
        response = self.send(Request("GET", url, headers), school=school, deadline=deadline)
        try:
            return read(response, url)
        except NotForThisRole as refused:
            refusal = refused
        self.check_session(school, web, deadline=deadline)
        raise refusal

    def check_session(self, school: str, web: WebSession, *, deadline: float | None = None) -> None:
        """Ask the session endpoint whether this web session lives. Raises: as `read_session`."""
        url = self.url(school, SESSION)
        request = Request("GET", url, {**HEADERS, "Cookie": cookie_header(web)})
        responses.read_session(self.send(request, school=school, deadline=deadline), url)

    def deadline(self) -> float:
        """The deadline of a call that begins now (`time.monotonic()`)."""
        return min(time.monotonic() + self.config.total_seconds, current_deadline())

    def send(
        self,
        request: Request,
        *,
        school: str | None,
        deadline: float | None = None,
        untrusted: bool = False,
    ) -> UpstreamResponse:
        """Send a request and return its response, unless that is a 429 or 5xx.

        A GET is retried once if the connection failed or a gateway answered 502, 503 or 504,
        within the same deadline, unless the circuit is open.

        An `untrusted` request carries input of an unauthenticated person: a login, or cookies
        that we do not know. It is never retried (a code works once, a password counts as an
        attempt). Its 429 and its 500 are not counted as failures: the input may be the cause, and
        a stranger has as many addresses as they like.

        Raises: UpstreamUnavailable, UpstreamTimeout, UpstreamInvalid.
        """
        began = time.monotonic()
        failure: UpstreamError | None = None
        try:
            return self._send(request, school, deadline or self.deadline(), untrusted=untrusted)
        except UpstreamError as error:
            failure = error
            raise
        finally:
            self.report(school, failure, time.monotonic() - began)

    def _send(
        self, request: Request, school: str | None, deadline: float, *, untrusted: bool
    ) -> UpstreamResponse:
        given = deadline - time.monotonic()
        if given <= 0:
            # Nothing was sent, so this is not a failure of the school.
            raise UpstreamTimeout("no time was left to send")
        guard = self.guards.of(school)
        with guard.slot():
            guard.breaker.begin(current_person())
            result = self._attempt(request, deadline)
            if (
                not untrusted
                and request.method == "GET"
                and current_quota() is None
                and _is_transient(result)
                and deadline - time.monotonic() > _RETRY_SECONDS
                and guard.breaker.closed
            ):
                time.sleep(random.uniform(*_BACK_OFF))  # noqa: S311
                result = self._attempt(request, deadline)
        if isinstance(result, UpstreamResponse):
            guard.breaker.succeeded(current_person())
            return result
        # A caller that gives little time says nothing about the school.
        cut_short = isinstance(result, UpstreamTimeout) and given < self.config.total_seconds / 2
        if not cut_short and not (untrusted and _may_be_caused_by_input(result)):
            wait = result.retry_after if isinstance(result, UpstreamThrottled) else 0
            guard.breaker.failed(current_person(), wait_seconds=wait)
        raise result

    def _attempt(
        self, request: Request, deadline: float
    ) -> UpstreamResponse | UpstreamUnavailable | UpstreamTimeout:
        take = current_quota()
        if take is not None:
            take()
        try:
            response = self.transport.send(request, deadline=deadline)
        except (UpstreamUnreachable, UpstreamTimeout) as error:
            return error
        return responses.availability_error(response) or response

    def report(self, school: str | None, failure: UpstreamError | None, seconds: float) -> None:
        if self._observer is not None:
            self._observer(
                school=school or "",
                outcome=type(failure).__name__ if failure else "answered",
                seconds=seconds,
                circuit_open=self.guards.of(school).circuit_open,
            )

    def close(self) -> None:
        """Drop queued fan-out calls, wait for running ones, and close the idle connections."""
        self.pool.shutdown(cancel_futures=True)
        self.transport.close()


def _is_transient(result: UpstreamResponse | UpstreamError) -> bool:
    if isinstance(result, UpstreamFailing):
        return result.status in _RETRIED_STATUSES
    return isinstance(result, UpstreamUnreachable)


def _may_be_caused_by_input(error: UpstreamError) -> bool:
    if isinstance(error, UpstreamFailing):
        return error.status == 500
    return isinstance(error, UpstreamThrottled)
