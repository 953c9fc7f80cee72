"""Reads the token response, in every form that was observed."""

import re
from typing import Any, Final

import orjson

from upstream.errors import UpstreamInvalid
from upstream.records import TokenGrant
from upstream.transport import UpstreamResponse

DEFAULT_LIFETIME: Final = 30 * 24 * 3600
MAX_LIFETIME: Final = 10 * 365 * 24 * 3600
MAX_TOKEN: Final = 8192
# RFC 6750 §2.1, b64token.
_TOKEN: Final = re.compile(r"[A-Za-z0-9\-._~+/]+=*\Z")


def read_grant(response: UpstreamResponse) -> TokenGrant:
    """The grant in a 200: an object, or only the token (as a JSON string or as plain text).

    Raises: UpstreamInvalid.
    """
    if "html" in response.header("Content-Type").lower():
        raise UpstreamInvalid("a page instead of a token")
    body = response.body().removeprefix(b"\xef\xbb\xbf").strip()
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        document = body.decode("ascii", "replace")
    if isinstance(document, str):
        return TokenGrant(access_token=_token(document), expires_in=DEFAULT_LIFETIME)
    if not isinstance(document, dict):
        raise UpstreamInvalid("a grant that is not an object")
    kind = _first(document, "token_type", "type")
    if kind is not None and (not isinstance(kind, str) or kind.strip().lower() != "bearer"):
        raise UpstreamInvalid("not a Bearer token")
    refresh = document.get("refresh_token")
    return TokenGrant(
        access_token=_token(document.get("access_token")),
        expires_in=_lifetime(_first(document, "expires_in", "expires")),
        refresh_token=None if refresh in (None, "") else _token(refresh),
    )


def _first(document: dict[str, Any], *names: str) -> Any:
    return next((document[name] for name in names if document.get(name) is not None), None)


def is_token(value: object) -> bool:
    """Whether this has the form of a token, so that it is safe in a header."""
    return isinstance(value, str) and len(value) <= MAX_TOKEN and _TOKEN.match(value) is not None


def _token(value: Any) -> str:
    if not is_token(value):
        raise UpstreamInvalid("not a valid token")
    return str(value)


def _lifetime(value: Any) -> int:
    """Seconds; 30 days if upstream does not say. Whole numbers may be sent as text or as 900.0."""
    if value is None:
        return DEFAULT_LIFETIME
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 12:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if type(value) is not int or not 0 < value <= MAX_LIFETIME:
        raise UpstreamInvalid("not a valid lifetime")
    return value
