"""Where a browser may be sent after a sign-in: paths of this service, and listed addresses of apps.

Anything else would let a link to this service lead people to somebody else's page (RFC 9700, 4.11).
"""

import re
from urllib.parse import unquote, urlencode, urlsplit

from django.conf import settings

from accounts.invisible_characters import has_invisible

MAX_LENGTH = 2000
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# Loopback addresses, at any port (RFC 8252, 7.3).
_LOOPBACK = re.compile(r"http://(127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?(/[^?#]*)")


def is_own_path(text: str) -> bool:
    """Whether this is a path of this service, perhaps with a query: no other host for any browser,
    however it is decoded, and no fragment."""
    path, decoded = text.partition("?")[0], ""
    while path != decoded:  # percent-encoded more than once
        path, decoded = unquote(path), path
    whole = unquote(text)
    return (
        text.startswith("/")
        and len(text) <= MAX_LENGTH
        and "//" not in path
        and "\\" not in path
        and "#" not in text
        and not _CONTROL.search(whole)
        and not has_invisible(whole)
    )


def default_path() -> str:
    return "/app/" if settings.WEB_APP else "/"


def is_listed_redirect(address: str) -> bool:
    """Whether an app may be sent to this address: one of LOGIN_REDIRECTS, exactly; those on
    loopback at any port."""
    return address in settings.LOGIN_REDIRECTS or _without_port(address) in map(
        _without_port, settings.LOGIN_REDIRECTS
    )


def _without_port(address: str) -> str:
    """A loopback address without its port; another address as it is, marked so that it equals no
    loopback address."""
    match = _LOOPBACK.fullmatch(address)
    return f"http://{match[1]}{match[3]}" if match else f"not loopback: {address}"


def is_possible_redirect(address: str) -> bool:
    """Whether this may be in LOGIN_REDIRECTS: https, loopback, or an app's own scheme; no fragment,
    no user."""
    try:
        url = urlsplit(address)
    except ValueError:
        return False
    if "#" in address or "@" in url.netloc or _CONTROL.search(address) or " " in address:
        return False
    if url.scheme == "http":
        return _LOOPBACK.fullmatch(address) is not None
    if url.scheme == "https":
        return bool(url.hostname)
    return bool(url.scheme) and url.scheme not in {"javascript", "data", "file", "blob", "vbscript"}


def with_parameters(address: str, **values: str) -> str:
    """The address with these values in its query, in place of those of the same name."""
    base, _, query = address.partition("?")
    pairs = [pair for pair in query.split("&") if pair and pair.partition("=")[0] not in values]
    return f"{base}?{'&'.join([*pairs, urlencode(values)])}"
