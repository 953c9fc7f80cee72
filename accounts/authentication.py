"""The default authentication class of REST views.

Imports no view, because DRF imports this module while it imports its own views.
"""

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from accounts.callers import Caller
from accounts.cookies import credential_of
from accounts.errors import OtherSession
from accounts.services.identity import identify


def meant_session(request: Request) -> str | None:
    """The id of the login that the request is meant for, if it says so."""
    meant: str | None = request.META.get("HTTP_X_SESSION")
    return meant


class SessionAuthentication(BaseAuthentication):
    """Sets `request.user` to the `Caller`.

    A request with `X-Session` is answered only if its credential is of that login: the pages of a
    browser share their cookies, and a page may show somebody whose cookies have been replaced.
    """

    def authenticate(self, request: Request) -> tuple[Caller, None] | None:
        credential = credential_of(request._request)
        if credential is None:
            return None
        caller = identify(credential, address=request.META.get("REMOTE_ADDR", ""))
        meant = meant_session(request)
        if meant is not None and meant != caller.session_key:
            raise OtherSession
        return caller, None

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
