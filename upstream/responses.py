"""Classifies responses by status, content type and body.

A dead session can be a 401, a 403, a redirect to a login page, a login page with 200, or JSON
without a user; a failure has other forms. Neither may ever be read as an empty list. PROTOCOL.md
says how each form is known.
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
    NotForThisLogin,
    NotForThisRole,
    PageHidden,
    SessionDead,
    UpstreamError,
    UpstreamFailing,
    UpstreamInvalid,
    UpstreamNotFound,
    UpstreamThrottled,
    UpstreamUnavailable,
)
from upstream.pages.html import Page, is_cut_off, names_login_fields
from upstream.transport import UpstreamResponse

RETRY_AFTER_DEFAULT: Final = 5
RETRY_AFTER_MAX: Final = 300
_REFUSALS: Final = {401: SessionDead, 403: NotForThisRole, 404: UpstreamNotFound}
_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?([\w.-]{1,40})", re.IGNORECASE)


def availability_error(response: UpstreamResponse) -> UpstreamUnavailable | None:
    """The error for a 429 or 5xx, which says nothing about the caller; None for other statuses."""
    status = response.status
    if status == 429:
        return UpstreamThrottled("answered 429", retry_after=retry_after(response))
    if status < 500:
        return None
    return UpstreamFailing(f"answered {status}", status=status, retry_after=retry_after(response))


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
    """The JSON of a body; "" for an empty body, which means that there is nothing. A `null`, which
    may also be a fault, is None.

    Raises: SessionDead for a whole login page; UpstreamInvalid for anything else that is not JSON.
    """
    body = response.body()
    if not body.strip():
        return ""
    if "html" not in response.header("Content-Type").partition(";")[0].lower():
        try:
            # orjson refuses invalid UTF-8, NaN, lone surrogates and nesting beyond 1024.
            return orjson.loads(body.removeprefix(b"\xef\xbb\xbf"))
        except orjson.JSONDecodeError:
            pass
    if names_login_fields(body) and not is_cut_off(body):
        raise SessionDead("a login page instead of data")
    raise UpstreamInvalid("a body that is not JSON")


def read_data(response: UpstreamResponse, url: str) -> Any:
    """The JSON of a response to a call with cookies or a Bearer token, as `read_json` returns it.

    Raises: SessionDead, NotForThisRole (a 403, so the caller checks the session next),
    UpstreamNotFound, UpstreamInvalid.
    """
    if response.status == 200:
        return read_json(response)
    if response.status == 204:
        return ""
    raise refusal(response, url)


def read_page(response: UpstreamResponse, url: str) -> Page:
    """The bytes and charset of a page. A parser of `upstream/pages/` detects a login page.

    Raises: SessionDead, PageHidden and NotForThisRole (the caller checks the session next),
    UpstreamNotFound, UpstreamInvalid (also for a page that is not whole).
    """
    if response.status != 200:
        raise refusal(response, url)
    body = response.body()
    if is_cut_off(body):
        raise UpstreamInvalid("a page that is not whole")
    charset = _CHARSET.search(response.header("Content-Type"))
    return Page(body, charset[1].lower() if charset else "")


def refusal(response: UpstreamResponse, url: str) -> UpstreamError:
    """What a status other than 200 means."""
    status = response.status
    if 300 <= status < 400:
        return redirect_error(response, url)
    return _REFUSALS.get(status, UpstreamInvalid)(f"answered {status}")


def read_session(response: UpstreamResponse, url: str) -> dict[str, Any]:
    """The session document, which always has a `user`.

    Raises: SessionDead (also for a document without a user), UpstreamNotFound (no such school),
    UpstreamInvalid.
    """
    try:
        document = read_data(response, url)
    except NotForThisRole:
        raise SessionDead("answered 403") from None
    except UpstreamInvalid:
        # Some schools answer dead cookies with a page.
        is_page = "html" in response.header("Content-Type").lower()
        if response.status == 200 and is_page and not is_cut_off(response.body()):
            raise SessionDead("a page instead of the session") from None
        raise
    if document in (None, "") or (isinstance(document, dict) and not document.get("user")):
        raise SessionDead("a session without a user")
    if not isinstance(document, dict):
        raise UpstreamInvalid("a session that is not an object")
    return document


def redirect_error(response: UpstreamResponse, url: str) -> UpstreamError:
    """What an unexpected redirect means."""
    # Redirects are never followed: loading the login page with the cookies would end the session.
    try:
        path = urlsplit(urljoin(url, response.header("Location"))).path.lower()
    except ValueError:
        return UpstreamInvalid("a redirect to an invalid URL")
    if path.endswith(BLOCKED_PAGE.lower()):
        return NotForThisLogin("this session may not see the page")
    if path.endswith(START_PAGE.lower()):
        return PageHidden("sent to the start page")
    if "login" in path:
        return SessionDead("sent to the login page")
    return UpstreamInvalid("an unexpected redirect")
