"""The default authentication class of REST views.

Imports no view, because DRF imports this module while it imports its own views.
"""

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from accounts.callers import Caller
from accounts.cookies import credential_of
from accounts.limits import request_limit
from accounts.services.identity import identify
from accounts.stores import RequestLookup


class SessionAuthentication(BaseAuthentication):
    """Sets `request.user` to the `Caller` and `request.auth` to the `RequestLookup`.

    Where the view has set `request.cache_key`, the look-up brings that cached answer too.
    """

    def authenticate(self, request: Request) -> tuple[Caller, RequestLookup] | None:
        credential = credential_of(request._request)
        if credential is None:
            return None
        return identify(
            credential,
            address=request.META.get("REMOTE_ADDR", ""),
            limit=request_limit(request.method),
            cache_key=getattr(request, "cache_key", None),
        )

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
