"""One request out, one bounded answer in. No cookies, no redirects, no environment, no retries.

`requests.adapters.HTTPAdapter.send` is called directly with a hand-made `PreparedRequest`: a
`requests.Session` keeps a cookie jar (one pupil's JSESSIONID would go out with the next pupil's
request), reads proxies and `.netrc` from the environment, and follows redirects.

State: one pool of idle connections per process and host, safe from any thread.
"""

import time
from dataclasses import dataclass, field
from http.client import HTTPException, IncompleteRead  # noqa: TID251, only to recognise them
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
from urllib3.util import Timeout as Deadline

from upstream.errors import UpstreamError, UpstreamInvalid, UpstreamTimeout, UpstreamUnreachable
from upstream.response_body import UnreadableBody, read_body
from upstream.timed_connections import open_pool

# Some endpoints answer HTML without this Accept; gzip is what `response_body.py` inflates.
HEADERS: Final = MappingProxyType(
    {"Accept": "application/json", "Accept-Encoding": "gzip", "User-Agent": "school-wrapper"}
)


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request, ready to go. URL, headers and body may be secret: no `repr` shows them."""

    method: str
    url: str = field(repr=False)
    headers: dict[str, str] = field(repr=False)
    body: bytes | None = field(default=None, repr=False)


class UpstreamResponse:
    """What came back: status, headers (`get`, `getlist`), and the body."""

    __slots__ = ("_body", "_nonsense", "headers", "status")

    def __init__(
        self, status: int, headers: HTTPHeaderDict, body: bytes, *, nonsense: str = ""
    ) -> None:
        """`nonsense`: why there is no body to be had although there should be one."""
        self.status = status
        self.headers = headers
        self._body = body
        self._nonsense = nonsense

    def __repr__(self) -> str:
        return f"<UpstreamResponse {self.status}>"

    def header(self, name: str) -> str:
        """The value of a header, several joined with commas; empty when there is none."""
        return self.headers.get(name) or ""

    def body(self) -> bytes:
        """The body as plain bytes, at most `response_body.MAX_BODY` of them.

        Raises: UpstreamInvalid for an encoding that we did not ask for, or a bomb.
        """
        if self._nonsense:
            raise UpstreamInvalid(self._nonsense)
        return self._body


class _Adapter(HTTPAdapter):
    """An HTTPAdapter for one host. What it would work out for each request is known here."""

    def __init__(self, base_url: str, pool: HTTPConnectionPool) -> None:
        super().__init__(pool_connections=1, pool_maxsize=1)
        parts = urlsplit(base_url)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._pool = pool

    def get_connection_with_tls_context(self, *_: Any, **__: Any) -> Any:
        return self._pool

    def cert_verify(self, *_: Any, **__: Any) -> None:
        """The pool has its TLS context; nothing in a request can loosen it."""

    def request_url(self, request: PreparedRequest, *_: Any) -> str:
        url = request.url or ""
        if not url.startswith(f"{self._origin}/"):
            raise UpstreamInvalid("a request for another host")
        return url[len(self._origin) :]

    def build_response(self, req: PreparedRequest, resp: BaseHTTPResponse) -> Response:
        """A response without the cookie jar: nothing here may remember a cookie."""
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
    """The way to one upstream host."""

    def __init__(
        self,
        base_url: str,
        *,
        connect_seconds: float,
        pool_size: int,
        ca_file: str | None = None,
    ) -> None:
        pool = open_pool(base_url, size=pool_size, ca_file=ca_file)
        self._adapter = _Adapter(base_url, pool)
        self._connect_seconds = connect_seconds

    def send(self, request: Request, *, deadline: float) -> UpstreamResponse:
        """Send once. `deadline` is a moment of `time.monotonic()`: by then all of it has come.

        Raises: UpstreamUnreachable, UpstreamTimeout, UpstreamInvalid (no HTTP, or too large).
        """
        left = deadline - time.monotonic()
        if left <= 0:
            raise UpstreamTimeout("no time was left to ask")
        prepared = PreparedRequest()
        prepared.method = request.method
        prepared.url = request.url
        prepared.headers = cast(Any, request.headers)
        prepared.body = request.body
        timeout = Deadline(connect=min(self._connect_seconds, left), total=left)
        try:
            response = self._adapter.send(prepared, stream=True, timeout=cast(Any, timeout))
            return _read(response.raw)
        except (RequestException, HTTPError, HTTPException, OSError, ValueError) as error:
            failure = _named(error)
        # Raised out here, so that their exception (its text holds the URL) is not its context.
        raise failure

    def close(self) -> None:
        """Close the idle connections."""
        self._adapter.close()


def _read(raw: BaseHTTPResponse) -> UpstreamResponse:
    """All of the body, or an error and a closed connection: a rest must not meet the next call."""
    whole = False
    try:
        body = read_body(raw)
        whole = True
        return UpstreamResponse(raw.status, raw.headers, body)
    except UnreadableBody as why:
        # A failing gateway is one whatever its body holds.
        return UpstreamResponse(raw.status, raw.headers, b"", nonsense=str(why))
    finally:
        if not whole:
            raw.close()
        raw.release_conn()


def _named(error: BaseException) -> UpstreamError:
    """Our name for one of their exceptions. Its text is never used: it holds the URL."""
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
        return UpstreamUnreachable("the answer was cut")
    if any(isinstance(one, OSError) and not isinstance(one, RequestException) for one in kinds):
        return UpstreamUnreachable("no connection, or it was cut")
    if any(isinstance(one, HTTPException | ValueError) for one in kinds):
        return UpstreamInvalid("not an answer in HTTP")
    return UpstreamUnreachable("no connection, or it was cut")
