"""Authentication of WebSockets: the same credentials, from the headers of an ASGI scope."""

from collections.abc import Mapping
from typing import Any, Literal

from accounts.callers import Caller
from accounts.cookies import read_credential
from accounts.errors import NotSignedIn
from accounts.models import Account, ServiceSession
from accounts.origins import is_host, is_listed
from accounts.services.identity import identify
from accounts.services.session_records import was_ended


def caller_from_scope(scope: Mapping[str, Any]) -> Caller:
    """The caller of a socket. Blocks (database, upstream): run it in a thread.

    Raises: NotSignedIn, AccountSuspended, TooManyRequests, and upstream's errors.
    """
    headers = _headers(scope)
    credential = read_credential(
        authorization=headers.get("authorization", ""), cookie=headers.get("cookie", "")
    )
    if credential is None:
        raise NotSignedIn
    client = scope.get("client") or ("", 0)
    return identify(credential, address=client[0])


def why_ended(caller: Caller) -> Literal["logout", "suspended"] | None:
    """Why the session of an open socket is over, by our own records; None if it is not.

    Cheap enough to be called regularly, because the event that ends a socket can be lost.
    """
    record = ServiceSession.objects.without_secrets().filter(pk=caller.session_id).first()
    account = record.account if record else Account.objects.filter(pk=caller.account_id).first()
    if account is not None and account.has_suspension:
        return "suspended"
    if account is None or account.is_being_erased:
        return "logout"
    if caller.session_id is None:
        return "logout" if was_ended(caller.credential_hash) else None
    return None if record else "logout"


def origin_allowed(scope: Mapping[str, Any]) -> bool:
    """Whether a page of this origin may open a socket. No `Origin` (not a browser) is allowed."""
    headers = _headers(scope)
    origin = headers.get("origin")
    if origin is None or is_listed(origin):
        return True
    # A page fetched over plain http may have been changed on the way.
    schemes = ("https",) if scope.get("scheme") == "wss" else ("http", "https")
    return is_host(origin, headers.get("host", ""), *schemes)


def _headers(scope: Mapping[str, Any]) -> dict[str, str]:
    """The headers by lower-case name. Repeated headers are joined as HTTP says, and `Cookie` with
    "; ", so that a repeated cookie is noticed."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope.get("headers", ()):
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        if name in headers:
            separator = "; " if name == "cookie" else ","
            value = f"{headers[name]}{separator}{value}"
        headers[name] = value
    return headers
