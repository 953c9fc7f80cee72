"""Sends one request and reads one bounded response. No cookie jar, no redirects, no retries.

`requests.adapters.HTTPAdapter.send` is called directly with a hand-made `PreparedRequest`: a
`requests.Session` keeps a cookie jar (one pupil's JSESSIONID would go out with the next pupil's
request), reads proxies and `.netrc` from the environment, and follows redirects.
"""

import time
from dataclasses import dataclass, field
from http.client import HTTPException, IncompleteRead  # noqa: TID251, only to classify them
from types import MappingProxyType
from typing import Any, Final, cast
from urllib.parse import urlsplit

from requests import PreparedRequest, Response
from requests.adapters import HTTPAdapter
from requests.exceptions import ConnectTimeout, RequestException, Timeout
from urllib3 import HTTPHeaderDict
from urllib3.connectionpool import HTTPConnectionPool
from urllib3.exceptions import HTTPError, ReadTimeoutError
from urllib3.response import BaseHTTPResponse
from urllib3.util import Timeout as Urllib3Timeout

from upstream.errors import UpstreamError, UpstreamInvalid, UpstreamTimeout, UpstreamUnreachable
from upstream.response_body import UnreadableBody, read_body
from upstream.timed_connections import open_pool

# Some endpoints send HTML without this Accept; `response_body.py` inflates gzip and nothing else.
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
    """One HTTP response. `body_error` says why the body cannot be read; `body()` raises it."""

    status: int
    headers: HTTPHeaderDict = field(repr=False)
    content: bytes = field(repr=False)
    body_error: str = ""

    def header(self, name: str) -> str:
        """The value of a header, several joined with commas; empty if it is missing."""
        return self.headers.get(name) or ""

    def body(self) -> bytes:
        """The body as plain bytes, at most `response_body.MAX_BODY` of them.

        Raises: UpstreamInvalid for an encoding that we did not request, or a gzip bomb.
        """
        if self.body_error:
            raise UpstreamInvalid(self.body_error)
        return self.content


class _Adapter(HTTPAdapter):
    """An HTTPAdapter for one host. It skips what requests would work out anew for each request."""

    def __init__(self, base_url: str, pool: HTTPConnectionPool) -> None:
        super().__init__(pool_connections=1, pool_maxsize=1)
        parts = urlsplit(base_url)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._pool = pool

    def get_connection_with_tls_context(self, *_: Any, **__: Any) -> Any:
        return self._pool

    def cert_verify(self, *_: Any, **__: Any) -> None:
        """Do nothing: the pool has its TLS context, and no request can change it."""

    def request_url(self, request: PreparedRequest, *_: Any) -> str:
        url = request.url or ""
        if not url.startswith(f"{self._origin}/"):
            raise UpstreamInvalid("a request for another host")
        return url[len(self._origin) :]

    def build_response(self, req: PreparedRequest, resp: BaseHTTPResponse) -> Response:
        """A response without a cookie jar: no cookie may be remembered."""
        response = Response.__new__(Response)
        response.status_code = resp.status
        response.headers = cast(Any, resp.headers)
        response.raw = resp
        response.request = req
        response.url = req.url or ""
        return response

    def close(self) -> None:
        self._pool.close()
        super().close()


class Transport:
    """Sends requests to one host, from any thread, over one pool of idle connections."""

    def __init__(
        self, base_url: str, *, connect_seconds: float, pool_size: int, ca_file: str | None = None
    ) -> None:
        pool = open_pool(base_url, size=pool_size, ca_file=ca_file)
        self._adapter = _Adapter(base_url, pool)
        self._connect_seconds = connect_seconds

    def send(self, request: Request, *, deadline: float) -> UpstreamResponse:
        """Send once and return the whole response by `deadline` (`time.monotonic()`).

        Raises: UpstreamUnreachable, UpstreamTimeout, UpstreamInvalid (no HTTP, or too large).
        """
        left = deadline - time.monotonic()
        if left <= 0:
            raise UpstreamTimeout("no time was left to send")
        prepared = PreparedRequest()
        prepared.method = request.method
        prepared.url = request.url
        prepared.headers = cast(Any, request.headers)
        prepared.body = request.body
        timeout = Urllib3Timeout(connect=min(self._connect_seconds, left), total=left)
        try:
            response = self._adapter.send(prepared, stream=True, timeout=cast(Any, timeout))
            return _read(response.raw)
        except (RequestException, HTTPError, HTTPException, OSError, ValueError) as error:
            failure = _classify(error)
        # Not raised above: the caught exception, whose text holds the URL, would be its context.
        raise failure

    def close(self) -> None:
        self._adapter.close()


def _read(raw: BaseHTTPResponse) -> UpstreamResponse:
    """Read the whole body, or close the connection, so that no other call reads what is left."""
    whole = False
    try:
        body = read_body(raw)
        whole = True
        return UpstreamResponse(raw.status, raw.headers, body)
    except UnreadableBody as error:
        # The status still counts: a 503 with an unreadable body is a failing gateway.
        return UpstreamResponse(raw.status, raw.headers, b"", body_error=str(error))
    finally:
        if not whole:
            raw.close()
        raw.release_conn()


def _classify(error: BaseException) -> UpstreamError:
    """Our error for an exception of requests, urllib3 or http.client, without its text: the URL
    is in there."""
    if isinstance(error, ConnectTimeout):
        return UpstreamUnreachable("no connection in time")
    seen: set[int] = set()
    pending: list[Any] = [error]
    kinds: list[BaseException] = []
    while pending:
        one = pending.pop()
        if isinstance(one, BaseException) and id(one) not in seen:
            seen.add(id(one))
            kinds.append(one)
            pending += [*one.args, getattr(one, "reason", None), one.__cause__]
    if any(isinstance(one, Timeout | ReadTimeoutError) for one in kinds):
        return UpstreamTimeout("the exchange took too long")
    if any(isinstance(one, IncompleteRead) for one in kinds):
        return UpstreamUnreachable("the response was cut")
    cut = any(isinstance(one, OSError) and not isinstance(one, RequestException) for one in kinds)
    if not cut and any(isinstance(one, HTTPException | ValueError) for one in kinds):
        return UpstreamInvalid("not an HTTP response")
    return UpstreamUnreachable("no connection, or it was cut")
