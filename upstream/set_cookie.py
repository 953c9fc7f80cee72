"""Reads `Set-Cookie` headers strictly: exact names, legal values, bounded length.

A search for "hash=" would also find `xhash=1`, and a proxy may join several cookies in one header
with commas, while `Expires` contains a comma too.
"""

import re
from collections.abc import Iterable

from upstream.errors import SessionDead, UpstreamInvalid
from upstream.records import WebSession

MAX_VALUE = 1024
# RFC 6265 §4.1.1, cookie-octet: no blank, quote, comma, semicolon, backslash, control character.
_VALUE = re.compile(r"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+\Z")
# A comma before another cookie is followed by a name and an equals sign. The comma in
# "Expires=Wed, 09 Jun 2027" is not.
_FOLD = re.compile(r",\s*(?=[!#$%&'*+\-.^_`|~0-9A-Za-z]+=)")


def is_cookie_value(text: object) -> bool:
    """Whether this is safe in a `Cookie` header: `abc; hash=other` would inject a cookie."""
    return isinstance(text, str) and len(text) <= MAX_VALUE and _VALUE.match(text) is not None


def read_cookies(headers: Iterable[str]) -> dict[str, str]:
    """The cookies that these headers set, by name; the last one counts, deletions are left out."""
    cookies: dict[str, str] = {}
    for header in headers:
        for cookie in _FOLD.split(header):
            pair, _, attributes = cookie.partition(";")
            name, equals, value = pair.partition("=")
            if not equals:
                continue
            cookies.pop(name.strip(), None)
            if value.strip() and not _is_deletion(attributes):
                cookies[name.strip()] = value.strip()
    return cookies


def read_web_session(headers: Iterable[str]) -> WebSession | None:
    """The web session of these headers; None if `JSESSIONID` or `hash` is missing.

    Raises: UpstreamInvalid for a value that is not legal in a cookie.
    """
    cookies = read_cookies(headers)
    jsessionid, hash_ = cookies.get("JSESSIONID"), cookies.get("hash")
    usertype = cookies.get("usertype")
    if jsessionid is None or hash_ is None:
        return None
    if not all(is_cookie_value(value) for value in (jsessionid, hash_, usertype or "0")):
        raise UpstreamInvalid("a cookie with an illegal value")
    return WebSession(jsessionid=jsessionid, hash=hash_, usertype=usertype)


def cookie_header(web: WebSession) -> str:
    """The `Cookie` header of a web session.

    Raises: SessionDead for a value that could inject another cookie: the last safeguard.
    """
    cookies = {"JSESSIONID": web.jsessionid, "hash": web.hash}
    if web.usertype is not None:
        cookies["usertype"] = web.usertype
    if not all(map(is_cookie_value, cookies.values())):
        raise SessionDead("a cookie value that is not legal")
    return "; ".join(f"{name}={value}" for name, value in cookies.items())


def _is_deletion(attributes: str) -> bool:
    for attribute in attributes.split(";"):
        name, _, value = attribute.partition("=")
        if name.strip().lower() == "max-age":
            return re.fullmatch(r"-\d+|0+", value.strip()) is not None
    return False
