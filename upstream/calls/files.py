"""Opens an attached file: a page signs an address and redirects to it, and the address works once.

The address is a secret for as long as it works. It is in no error, and nobody gets it.
"""

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs, urljoin, urlsplit

from urllib3.response import BaseHTTPResponse

from upstream import responses
from upstream.client import UpstreamClient
from upstream.downloads import FILE_SECONDS, FileStream, file_exchange
from upstream.endpoints import FILES, with_query
from upstream.errors import (
    NotForThisRole,
    SessionDead,
    UpstreamError,
    UpstreamInvalid,
    UpstreamNotFound,
    UpstreamThrottled,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from upstream.pages.html import Page, is_cut_off, read_text
from upstream.person import current_person
from upstream.records import SEGMENTS, ProvenSession
from upstream.set_cookie import cookie_header
from upstream.transport import HEADERS, Request, UpstreamResponse

# A large file is copied first, and its address is 404 until then. So the page is asked again.
WAITS: Final = (1.0, 2.0, 4.0)
# What one more try needs before the deadline.
_TRY_SECONDS: Final = 0.5
# Of an answer that may be a page of refusal.
_PAGE_BYTES: Final = 64 * 1024
_REFUSAL: Final = re.compile(
    r"class\s*=\s*[\"'][^\"'>]*\balert-error\b[^>]*>.{0,500}?message-text", re.S
)
_MARKUP: Final = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*<")
_HEADERS: Final = {**HEADERS, "Accept": "*/*", "Accept-Encoding": "identity"}


@dataclass(frozen=True, slots=True)
class FileAddress:
    """The page that signs the address of a file, with its query; or the address of the file itself,
    with the numbers in its path. `item_page` is fetched before the third try: some files come only
    after the page of their item. `name` is what the page calls the file."""

    path: str
    query: Mapping[str, str | int] = field(default_factory=dict)
    item_page: Callable[[ProvenSession], object] | None = None
    numbers: Mapping[str, int] = field(default_factory=dict)
    name: str | None = None

    @property
    def is_of_a_page(self) -> bool:
        """Whether the file itself may be a page, such as a form that somebody saved."""
        return (self.name or "").lower().endswith((".htm", ".html", ".xhtml", ".mht", ".mhtml"))


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file that is arriving, and the name in its address; None if there is none."""

    stream: FileStream
    address_name: str | None


def open_file(client: UpstreamClient, *, web: ProvenSession, address: FileAddress) -> OpenFile:
    """The file, with its first bytes there. Call it with a download slot, and close the stream.

    Raises: UpstreamNotFound (refused, gone, or still not there), FileTooLarge, SessionDead,
    UpstreamInvalid, UpstreamTimeout, UpstreamUnavailable.
    """
    began, deadline = time.monotonic(), client.deadline()
    opener = _Opener(client, web, deadline)
    for tries, wait in enumerate((*WAITS, None), start=1):
        opened = opener.open(address)
        if opened is not None:
            opened.stream.give_until(began + FILE_SECONDS)
            return opened
        if wait is None or time.monotonic() + wait + _TRY_SECONDS > deadline:
            break
        time.sleep(wait)
        if tries == 2 and address.item_page is not None:
            address.item_page(web)
    raise UpstreamNotFound("a file that is not there")


class _Opener:
    """Opens a file for one web session before one deadline."""

    def __init__(self, client: UpstreamClient, web: ProvenSession, deadline: float) -> None:
        self.client, self.web, self.deadline = client, web, deadline

    def open(self, address: FileAddress) -> OpenFile | None:
        """None for a file that is not ready yet."""
        role = SEGMENTS[self.web.role]
        url = self.client.url(self.web.school, address.path, role=role, **address.numbers)
        url = with_query(url, **address.query) if address.query else url
        raw = self._get(url, {"Cookie": cookie_header(self.web)})
        if raw.status == 200:
            return self._file(raw, None)
        response = _without_body(raw)
        if not 300 <= response.status < 400:
            raise self._refused(response, url)
        signed = self._signed(response, url)
        # Without the cookies: the signature is enough.
        raw = self._get(signed, {})
        if raw.status == 200:
            names = parse_qs(urlsplit(signed).query).get("filename", [])
            may_be_page = address.is_of_a_page
            return self._file(raw, next(iter(names), None), signed=True, may_be_page=may_be_page)
        response = _without_body(raw)
        if response.status == 404:
            return None
        raise self._refused(response, signed)

    def _get(self, url: str, headers: dict[str, str]) -> BaseHTTPResponse:
        """The response with its body unread, counted by the circuit breaker and the metrics."""
        self._exchange = file_exchange(self.deadline)
        began, failure = time.monotonic(), None
        breaker = self.client.guards.of(self.web.school).breaker
        breaker.begin(current_person())
        try:
            request = Request("GET", url, {**_HEADERS, **headers})
            raw = self.client.transport.open(request, self._exchange)
            error = responses.availability_error(UpstreamResponse(raw.status, raw.headers, b""))
            if error is not None:
                raw.close()
                raise error
            breaker.succeeded(current_person())
            return raw
        except UpstreamError as error:
            failure = error
            if isinstance(error, UpstreamTimeout | UpstreamUnavailable):
                wait = error.retry_after if isinstance(error, UpstreamThrottled) else 0
                breaker.failed(current_person(), wait_seconds=wait)
            raise
        finally:
            self.client.report(self.web.school, failure, time.monotonic() - began)

    def _file(
        self,
        raw: BaseHTTPResponse,
        name: str | None,
        *,
        signed: bool = False,
        may_be_page: bool = False,
    ) -> OpenFile | None:
        """None for nothing: the school is still copying the file. Raises: as `_refuse_a_page`."""
        stream = FileStream(raw, self._exchange)
        if not stream.start:
            stream.close()
            return None
        if _MARKUP.match(stream.start) and not may_be_page:
            try:
                self._refuse_a_page(stream.read_start(_PAGE_BYTES), with_cookies=not signed)
            except BaseException:
                stream.close()
                raise
        return OpenFile(stream, name)

    def _refuse_a_page(self, body: bytes, *, with_cookies: bool) -> None:
        """The page of refusal and the login page have the status 200. Another page may be the file.

        Raises: UpstreamNotFound, SessionDead, and as `check_session`.
        """
        try:
            if not _REFUSAL.search(read_text(Page(body))):
                return
        except SessionDead:
            if with_cookies and not is_cut_off(body):
                raise
            # Where no cookies were sent, or half of the page came, it does not tell of the session.
            self.client.check_session(self.web.school, self.web, deadline=self.deadline)
        raise UpstreamNotFound("the school refuses the file")

    def _refused(self, response: UpstreamResponse, url: str) -> UpstreamError:
        error = responses.refusal(response, url)
        if not isinstance(error, NotForThisRole) or response.status != 403:
            return error
        try:
            self.client.check_session(self.web.school, self.web, deadline=self.deadline)
        except SessionDead as dead:
            return dead
        return UpstreamNotFound("the school refuses the file")

    def _signed(self, response: UpstreamResponse, url: str) -> str:
        """The signed address: the school's folder of files, on upstream's own host.

        Raises: SessionDead, NotForThisRole, UpstreamInvalid for any other address.
        """
        base = urlsplit(self.client.config.base_url)
        try:
            target = urlsplit(urljoin(url, response.header("Location")))
        except ValueError:
            raise UpstreamInvalid("a redirect to an invalid URL") from None
        folder = f"{base.path}{FILES}{self.web.school}/"
        if target.netloc != base.netloc or not target.path.startswith(folder):
            raise responses.redirect_error(response, url)
        if target.scheme not in ("http", "https") or ".." in target.path or "\\" in target.path:
            raise UpstreamInvalid("a redirect to an invalid URL")
        # Upstream writes http in some of its redirects; ours never leave the configured scheme.
        return target._replace(scheme=base.scheme, fragment="").geturl()


def _without_body(raw: BaseHTTPResponse) -> UpstreamResponse:
    raw.close()
    return UpstreamResponse(raw.status, raw.headers, b"")
