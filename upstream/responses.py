"""What an answer means, decided before anything is parsed: status, content type, body.

A dead session has many faces (401, 403, a redirect to a login page, a login page with 200, JSON
without a user), trouble has others, and neither may ever look like an empty list. PROTOCOL.md
lists the evidence.
"""

import re
import time
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import orjson

from upstream.endpoints import BLOCKED_PAGE, START_PAGE
from upstream.errors import (
    NotForThisRole,
    PageHidden,
    SessionDead,
    UpstreamAway,
    UpstreamError,
    UpstreamFailing,
    UpstreamInvalid,
    UpstreamNotFound,
    UpstreamThrottled,
)
from upstream.pages.html import Page
from upstream.transport import UpstreamResponse

RETRY_AFTER_DEFAULT: Final = 5
RETRY_AFTER_MAX: Final = 300
_LOGIN_FIELDS: Final = (b"ssusername", b"sspassword")
_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?([\w.-]{1,40})", re.IGNORECASE)


def availability_error(response: UpstreamResponse) -> UpstreamAway | None:
    """The error of an answer that says nothing about the caller: 429, 5xx. Else None."""
    if response.status == 429:
        return UpstreamThrottled("asked to wait", retry_after=retry_after(response))
    if response.status >= 500:
        return UpstreamFailing(
            f"answered {response.status}", status=response.status, retry_after=retry_after(response)
        )
    return None


def retry_after(response: UpstreamResponse) -> int:
    """Whole seconds from `Retry-After` (a number or an HTTP date), within 1 and 300."""
    text = response.header("Retry-After").strip()
    seconds: float = RETRY_AFTER_DEFAULT
    if text.isascii() and text.isdigit():
        seconds = int(text[:9])
    elif text:
        with suppress(ValueError, OverflowError):
            seconds = parsedate_to_datetime(text).timestamp() - time.time()
    return int(max(1, min(RETRY_AFTER_MAX, seconds)))


def read_json(response: UpstreamResponse) -> Any:
    """The JSON of a body; None when it is empty.

    Raises: SessionDead for a login page in its place; UpstreamInvalid for anything else.
    """
    body = response.body()
    if not body or not body.strip():
        return None
    kind = response.header("Content-Type").partition(";")[0].strip().lower()
    if "html" not in kind:
        try:
            # orjson refuses invalid UTF-8, NaN, lone surrogates and nesting beyond 1024.
            return orjson.loads(body.removeprefix(b"\xef\xbb\xbf"))
        except orjson.JSONDecodeError:
            pass
    if is_login_page(body):
        raise SessionDead("a login page in place of data")
    raise UpstreamInvalid("no JSON where JSON is promised")


def read_data(response: UpstreamResponse, url: str) -> Any:
    """The JSON of a cookie or Bearer call, once it is known that the session lives.

    Raises: SessionDead, NotForThisRole (403: the caller still asks whether the session lives),
    UpstreamNotFound, UpstreamInvalid.
    """
    if response.status == 200:
        return read_json(response)
    if response.status == 204:
        return None
    raise _refusal(response, url)


def read_page(response: UpstreamResponse, url: str) -> Page:
    """The bytes of a page, with the charset that they were sent under. What is on it, and whether
    it is the login page, its reader says: see `upstream/pages/`.

    Raises: SessionDead, PageHidden and NotForThisRole (the caller still asks whether the session
    lives), UpstreamNotFound, UpstreamInvalid.
    """
    if response.status != 200:
        raise _refusal(response, url)
    charset = _CHARSET.search(response.header("Content-Type"))
    return Page(response.body(), charset[1].lower() if charset else "")


def _refusal(response: UpstreamResponse, url: str) -> UpstreamError:
    """What a status other than success means for data and pages."""
    status = response.status
    if status == 401:
        return SessionDead("answered 401")
    if status == 403:
        return NotForThisRole("answered 403")
    if status == 404:
        return UpstreamNotFound("answered 404")
    if 300 <= status < 400:
        return redirect_error(response, url)
    return UpstreamInvalid(f"answered {status}")


def read_session(response: UpstreamResponse, url: str) -> dict[str, Any]:
    """The session document, which has a `user`. Everything short of that is a dead session.

    Raises: SessionDead, UpstreamNotFound (no such school), UpstreamInvalid.
    """
    try:
        document = read_data(response, url)
    except NotForThisRole:
        raise SessionDead("answered 403") from None
    except UpstreamInvalid:
        # A page where the document should be is what some schools answer to dead cookies.
        if response.status == 200 and "html" in response.header("Content-Type").lower():
            raise SessionDead("a page in place of the session") from None
        raise
    if document is None or (isinstance(document, dict) and not document.get("user")):
        raise SessionDead("a session without a user")
    if not isinstance(document, dict):
        raise UpstreamInvalid("a session that is no object")
    return document


def redirect_error(response: UpstreamResponse, url: str) -> UpstreamError:
    """What a redirect means where data was asked for.

    It is never followed: loading the login page with the cookies would end the session.
    """
    try:
        path = urlsplit(urljoin(url, response.header("Location"))).path.lower()
    except ValueError:
        return UpstreamInvalid("a redirect to nowhere")
    if path.endswith(BLOCKED_PAGE.lower()):
        return NotForThisRole("this session may not see the page")
    if path.endswith(START_PAGE.lower()):
        return PageHidden("sent to the start page")
    if "login" in path:
        return SessionDead("sent to the login page")
    return UpstreamInvalid("a redirect in place of an answer")


def is_login_page(body: bytes) -> bool:
    """Whether a page holds the login form."""
    lowered = body.lower()
    return any(field in lowered for field in _LOGIN_FIELDS)
