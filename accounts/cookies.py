"""The service's five cookies and the `Authorization` header. Nothing else sets or reads them."""

import re
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from accounts.callers import Caller
from accounts.encryption import keyed_hash
from accounts.errors import NotSignedIn
from accounts.limits import PAGE_ATTEMPT_SECONDS
from upstream.endpoints import is_slug
from upstream.records import WebSession
from upstream.set_cookie import is_cookie_value

ATTEMPT_PATH = "/api/v2"
NAMES = ("jsessionid", "hash", "usertype", "school", "username")
_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/=-]{1,8192})\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Credential:
    """A caller's token or cookies. `hash` is the keyed hash by which sessions are found."""

    via: Literal["cookie", "bearer"]
    hash: str
    token: str | None = field(default=None, repr=False)
    web: WebSession | None = field(default=None, repr=False)
    school: str = ""
    username: str | None = field(default=None, repr=False)


def pair_hash(web: WebSession) -> str:
    return keyed_hash("cookie pair", web.jsessionid, web.hash)


def token_hash(token: str) -> str:
    return keyed_hash("access token", token)


def is_bearer(authorization: str) -> bool:
    """Whether the header is for us, well-formed or not."""
    return authorization.partition(" ")[0].lower() == "bearer"


def read_credential(*, authorization: str, cookie: str) -> Credential | None:
    """The caller's credential from the two request headers; None when there is none.

    The Bearer token takes precedence over cookies. Another scheme than Bearer is not for us: a
    browser sends Basic to whatever stands behind a password of the site. Raises `NotSignedIn` for a
    malformed token, and for one of our cookies that is malformed or comes twice.
    """
    if is_bearer(authorization):
        bearer = _BEARER.match(authorization)
        if bearer is None:
            raise NotSignedIn
        return Credential("bearer", token_hash(bearer[1]), token=bearer[1])
    ours = _own_cookies(cookie)
    if not {"jsessionid", "hash", "school"} <= ours.keys():
        return None
    if not is_slug(ours["school"]):
        raise NotSignedIn
    web = WebSession(ours["jsessionid"], ours["hash"], ours.get("usertype"))
    return Credential(
        "cookie", pair_hash(web), web=web, school=ours["school"], username=ours.get("username")
    )


def credential_of(request: HttpRequest) -> Credential | None:
    meta = request.META
    return read_credential(
        authorization=meta.get("HTTP_AUTHORIZATION", ""), cookie=meta.get("HTTP_COOKIE", "")
    )


def _own_cookies(header: str) -> dict[str, str]:
    prefix: str = settings.COOKIE_PREFIX
    ours: dict[str, str] = {}
    for part in header.split(";"):
        name, equals, value = part.strip().partition("=")
        short = name.removeprefix(prefix)
        if not equals or not name.startswith(prefix) or short not in NAMES:
            continue
        if len(value) > 1 and value[0] == value[-1] == '"':
            value = value[1:-1]
        if short in ours or not is_cookie_value(value):
            raise NotSignedIn
        ours[short] = value
    return ours


def encoded_username(user_name: str) -> str:
    """Upstream's user name as the cookie holds it: lower case, percent-encoded UTF-8."""
    return quote(user_name.lower(), safe="")


def set_session_cookies(
    response: HttpResponseBase,
    request: HttpRequest,
    *,
    web: WebSession,
    school: str,
    username: str | None,
    max_age: int | None,
) -> None:
    """Set the five cookies. `max_age` is what is left of the token, in seconds (None: unknown);
    `username` comes from `encoded_username`."""
    values = {
        "jsessionid": web.jsessionid,
        "hash": web.hash,
        "usertype": web.usertype,
        "school": school,
        "username": username,
    }
    for name, value in values.items():
        if value is None:
            response.delete_cookie(settings.COOKIE_PREFIX + name, samesite="Lax")
            continue
        response.set_cookie(
            settings.COOKIE_PREFIX + name,
            value,
            max_age=max_age,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )


def send_renewed_session(response: HttpResponseBase, request: HttpRequest, caller: Caller) -> None:
    """Set the cookies of a web session that has replaced the caller's during the request, unless
    the answer removes or sets them."""
    renewed = caller.renewed
    if renewed.web is not None and settings.COOKIE_PREFIX + "jsessionid" not in response.cookies:
        set_session_cookies(
            response,
            request,
            web=renewed.web,
            school=caller.school,
            username=encoded_username(caller.upstream.user_name),
            max_age=renewed.seconds,
        )


def clear_session_cookies(response: HttpResponseBase) -> None:
    for name in NAMES:
        response.delete_cookie(settings.COOKIE_PREFIX + name, samesite="Lax")


def attempt_of(request: HttpRequest) -> str | None:
    """The id of the sign-in that this browser has begun at the school's own page."""
    value = request.COOKIES.get(_attempt_name())
    return value if value and is_cookie_value(value) else None


def set_attempt_cookie(response: HttpResponseBase, request: HttpRequest, attempt_id: str) -> None:
    """Bind a sign-in at the school's own page to this browser. The browser comes back from another
    site by a link, which `SameSite=Lax` allows."""
    response.set_cookie(
        _attempt_name(),
        attempt_id,
        max_age=PAGE_ATTEMPT_SECONDS,
        path=ATTEMPT_PATH,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def clear_attempt_cookie(response: HttpResponseBase, *, is_over: bool) -> None:
    """Unless the browser's attempt goes on, because what came back was not its answer."""
    if is_over:
        response.delete_cookie(_attempt_name(), path=ATTEMPT_PATH, samesite="Lax")


def _attempt_name() -> str:
    return f"{settings.COOKIE_PREFIX}login"


def upstream_cookie_lines(web: WebSession) -> list[str]:
    """Upstream's cookies as `Set-Cookie` lines, for the answer of `/api/login`."""
    pairs = (("JSESSIONID", web.jsessionid), ("hash", web.hash), ("usertype", web.usertype))
    return [f"{name}={value}; Path=/; HttpOnly" for name, value in pairs if value is not None]
