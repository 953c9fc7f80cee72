"""Who is calling, for sockets: the same credentials, from an ASGI scope; never from the URL."""

from collections.abc import Mapping
from typing import Any, Literal

from accounts import session_cache
from accounts.callers import Caller
from accounts.cookies import read_credential
from accounts.errors import NotSignedIn
from accounts.models import Account, ServiceSession
from accounts.origins import is_host, is_listed
from accounts.services.identity import identify


def caller_from_scope(scope: Mapping[str, Any]) -> Caller:
    """The caller of a socket. May ask the database and upstream: run it in a thread.

    Raises: NotSignedIn, AccountSuspended, TooManyRequests, and upstream's errors.
    """
    headers = _headers(scope)
    credential = read_credential(
        authorization=headers.get("authorization", ""), cookie=headers.get("cookie", "")
    )
    if credential is None:
        raise NotSignedIn
    client = scope.get("client") or ("", 0)
    caller, _ = identify(credential, address=client[0])
    return caller


def why_ended(caller: Caller) -> Literal["logout", "suspended"] | None:
    """Why the session of an open socket is over, by our own records; None: it stands.

    Asks nobody else, so that it may be asked often: the event that says so can be lost.
    """
    good = ServiceSession.objects.filter(pk=caller.session_id, account__suspended_at=None)
    if caller.session_id is not None and good.exists():
        return None  # nearly always, in one query
    account = Account.objects.filter(pk=caller.account_id).first()
    if account is not None and account.is_suspended:
        return "suspended"
    if account is None:
        return "logout"
    if caller.session_id is not None:
        found = ServiceSession.objects.filter(pk=caller.session_id).exists()
        return None if found else "logout"
    return "logout" if session_cache.has_ended(caller.credential_hash) else None


def origin_allowed(scope: Mapping[str, Any]) -> bool:
    """Whether a page of this origin may open a socket. No `Origin`: not a browser, allowed."""
    headers = _headers(scope)
    origin = headers.get("origin")
    if origin is None or is_listed(origin):
        return True
    # A page fetched in clear may have been written by anyone on the way.
    schemes = ("https",) if scope.get("scheme") == "wss" else ("http", "https")
    return is_host(origin, headers.get("host", ""), *schemes)


def _headers(scope: Mapping[str, Any]) -> dict[str, str]:
    """The headers, lower-cased names; a header that comes twice is joined as HTTP says, and
    cookies with the separator of cookies, so that a doubled cookie is seen as doubled."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope.get("headers", ()):
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        if name in headers:
            separator = "; " if name == "cookie" else ","
            value = f"{headers[name]}{separator}{value}"
        headers[name] = value
    return headers
