"""Sends one request and reads one bounded response. No cookie jar, no redirects, no retries.

The adapter of `requests` is called without a `Session`: a session keeps a cookie jar (one pupil's
JSESSIONID would go out with the next pupil's request), reads proxies and `.netrc` from the
environment, and follows redirects.
"""

import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.client import HTTPException, IncompleteRead  # noqa: TID251, only to classify them
from types import MappingProxyType
from typing import Final, TypeVar
from urllib.parse import urlsplit

from requests import PreparedRequest
from requests.exceptions import ConnectTimeout, RequestException, Timeout
from requests.structures import CaseInsensitiveDict
from urllib3 import HTTPHeaderDict
from urllib3.exceptions import HTTPError, ReadTimeoutError
from urllib3.response import BaseHTTPResponse

from upstream.errors import (
    AnswerTooLarge,
    UpstreamError,
    UpstreamInvalid,
    UpstreamTimeout,
    UpstreamUnreachable,
)
from upstream.timed_connections import Exchange, TimedAdapter, resumed, timed_tls

T = TypeVar("T")

# Of a body as it was sent, and after inflating: a megabyte of gzip can hold a gigabyte.
MAX_BODY: Final = 4 * 1024 * 1024
_GZIP: Final = 16 + zlib.MAX_WBITS

# Some endpoints send HTML without this Accept. gzip is the only encoding that is read.
HEADERS: Final = MappingProxyType(
    {"Accept": "application/json", "Accept-Encoding": "gzip", "User-Agent": "school-wrapper"}
)


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request. URL, headers and body may hold secrets, so its `repr` leaves them out."""

    method: str
    url: str = field(repr=False)
    headers: dict[str, str] = field(repr=False)
    body: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class UpstreamResponse:
    """One HTTP response. `content` is None where the body cannot be decoded; the status counts."""

    status: int
    headers: HTTPHeaderDict = field(repr=False)
    content: bytes | None = field(repr=False)

    def header(self, name: str) -> str:
        """The value of a header, several joined with commas; empty if it is missing."""
        return self.headers.get(name) or ""

    def body(self) -> bytes:
        """The body as plain bytes, at most `MAX_BODY` of them.

        Raises: UpstreamInvalid for an encoding that we did not request, or a gzip bomb.
        """
        if self.content is None:
            raise UpstreamInvalid("a body that cannot be decoded")
        return self.content


class Transport:
    """Sends requests to one host, from any thread, over one pool of idle connections."""

    def __init__(
        self, base_url: str, *, connect_seconds: float, pool_size: int, ca_file: str | None = None
    ) -> None:
        parts = urlsplit(base_url)
        self._origin = f"{parts.scheme}://{parts.netloc}/"
        self._connect_seconds = connect_seconds
        # To read the authorities takes 30 ms, which a simulated school without HTTPS saves.
        tls = timed_tls(ca_file) if parts.scheme == "https" else None
        self._adapter = TimedAdapter(pool_size=pool_size, tls=tls)

    def send(self, request: Request, *, deadline: float) -> UpstreamResponse:
        """Send once and return the whole response by `deadline` (`time.monotonic()`).

        Raises: UpstreamUnreachable, UpstreamTimeout, UpstreamInvalid (no HTTP, too large, or a URL
        of another host).
        """
        exchange = Exchange(deadline)
        return in_exchange(exchange, lambda: _read(self._send(request, exchange)))

    def open(self, request: Request, exchange: Exchange) -> BaseHTTPResponse:
        """Send once and return the response with its body unread; whoever reads it does so with
        `in_exchange`, and closes it. Raises: as `send`."""
        return in_exchange(exchange, lambda: self._send(request, exchange))

    def _send(self, request: Request, exchange: Exchange) -> BaseHTTPResponse:
        if not request.url.startswith(self._origin):
            raise UpstreamInvalid("a request for another host")
        left = exchange.deadline - time.monotonic()
        if left <= 0:
            raise UpstreamTimeout("no time was left to send")
        timeout = (min(self._connect_seconds, left), left)
        # Not by `prepare()`, which would encode again what has its final form.
        prepared = PreparedRequest()
        prepared.method, prepared.url = request.method, request.url
        prepared.headers, prepared.body = CaseInsensitiveDict(request.headers), request.body
        response = self._adapter.send(prepared, stream=True, timeout=timeout)
        if exchange.closed:
            # Headers that were cut. The empty body may mean an empty list.
            raise UpstreamUnreachable("the headers were cut")
        raw: BaseHTTPResponse = response.raw
        return raw

    def close(self) -> None:
        self._adapter.close()


def in_exchange(exchange: Exchange, work: Callable[[], T]) -> T:
    """The result of reading or sending in an exchange.

    Raises: UpstreamUnreachable, UpstreamTimeout, UpstreamInvalid.
    """
    try:
        with resumed(exchange):
            return work()
    except (RequestException, HTTPError, HTTPException, OSError, ValueError) as error:
        failure = _classify(error)
    # Not raised above: the caught exception, whose text holds the URL, would be its context.
    raise failure


def _read(raw: BaseHTTPResponse) -> UpstreamResponse:
    """Read the whole response, or close the connection, so that no other call reads the rest.

    After a response that has no body by its status something may follow all the same, such as the
    real response after a `103 Early Hints`: it must not become the answer to another request.
    """
    whole = False
    no_body = raw.status < 200 or raw.status in (204, 304)
    try:
        announced = raw.length_remaining or 0
        skip = no_body or announced > MAX_BODY
        body = b"" if skip else raw.read(MAX_BODY + 1, decode_content=False)
        if max(announced, len(body)) > MAX_BODY:
            raise AnswerTooLarge("a response that is too large")
        if raw.length_remaining:
            raise UpstreamUnreachable("the response was cut")
        whole = not no_body
        encoding = raw.headers.get("Content-Encoding") or ""
        return UpstreamResponse(raw.status, raw.headers, decode_body(body, encoding))
    finally:
        if not whole:
            raw.close()
        raw.release_conn()


def decode_body(body: bytes, encoding: str) -> bytes | None:
    """The plain bytes of a body; None if they are not one whole gzip member, or too many."""
    encoding = encoding.strip().lower()
    if not body or encoding in ("", "identity"):
        return body
    if encoding not in ("gzip", "x-gzip"):
        return None
    inflater = zlib.decompressobj(_GZIP)
    try:
        plain = inflater.decompress(body, MAX_BODY + 1)
    except zlib.error:
        return None
    whole = inflater.eof and not inflater.unused_data and len(plain) <= MAX_BODY
    return plain if whole else None


def _classify(error: BaseException) -> UpstreamError:
    """Our error for an exception of requests, urllib3 or http.client, without its text: the URL
    is in there."""
    if isinstance(error, ConnectTimeout):
        return UpstreamUnreachable("no connection in time")
    causes = list(_causes(error))
    if any(isinstance(cause, Timeout | ReadTimeoutError) for cause in causes):
        return UpstreamTimeout("the exchange took too long")
    if any(isinstance(cause, IncompleteRead) for cause in causes):
        return UpstreamUnreachable("the response was cut")
    cut = any(isinstance(c, OSError) and not isinstance(c, RequestException) for c in causes)
    if not cut and any(isinstance(cause, HTTPException | ValueError) for cause in causes):
        return UpstreamInvalid("not an HTTP response")
    return UpstreamUnreachable("no connection, or it was cut")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The exception, and those that led to it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
