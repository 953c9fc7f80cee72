"""Reads the token response, in every form that was observed."""

import base64
import re
import time
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
        document = {"access_token": document}
    if not isinstance(document, dict):
        raise UpstreamInvalid("a grant that is not an object")
    kind = _first(document, "token_type", "type")
    if kind is not None and (not isinstance(kind, str) or kind.strip().lower() != "bearer"):
        raise UpstreamInvalid("not a Bearer token")
    refresh = document.get("refresh_token")
    token = _token(document.get("access_token"))
    claims = _claims(token)
    lifetime = _first(document, "expires_in", "expires")
    user_type = claims.get("user_type")
    return TokenGrant(
        access_token=token,
        expires_in=_lifetime(_seconds_until(claims.get("exp")) if lifetime is None else lifetime),
        refresh_token=None if refresh in (None, "") else _token(refresh),
        user_type=user_type if isinstance(user_type, str) else "",
    )


def _claims(token: str) -> dict[str, Any]:
    """What a JWT says of itself; empty for any other token. Only upstream can tell whether it is
    true, so nobody is identified by it."""
    _, _, rest = token.partition(".")
    claims, dot, _ = rest.partition(".")
    try:
        document = orjson.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
    except ValueError:
        return {}
    return document if dot and isinstance(document, dict) else {}


def _seconds_until(moment: Any) -> Any:
    """The seconds until `exp` (Unix seconds); anything but a number is left as it is."""
    return round(moment - time.time()) if type(moment) in (int, float) else moment


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
    """Seconds; 30 days if neither upstream nor the token says.

    Whole numbers may be sent as text or as 900.0.
    """
    if value is None:
        return DEFAULT_LIFETIME
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 12:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if type(value) is not int or not 0 < value <= MAX_LIFETIME:
        raise UpstreamInvalid("not a valid lifetime")
    return value
