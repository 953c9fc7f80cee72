"""Who is calling, for REST: the default authentication class.

Imports no view: DRF loads this module while it loads itself.
"""

from typing import cast

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from accounts.callers import Caller, CredentialHint
from accounts.cookies import credential_of
from accounts.limits import kind_of
from accounts.services.identity import CopyKey, identify
from accounts.stores import RequestLookup


class SessionAuthentication(BaseAuthentication):
    """Sets `request.user` to the `Caller` and `request.auth` to the `RequestLookup`.

    A view with a method `copy_key(request, hint)` names the kept copy that it could answer with,
    and finds it in `request.auth.copy`: it came in the same round trip.
    """

    def authenticate(self, request: Request) -> tuple[Caller, RequestLookup] | None:
        credential = credential_of(request._request)
        if credential is None:
            return None
        view = request.parser_context["view"]
        wanted = getattr(view, "copy_key", None)

        def copy_key(hint: CredentialHint) -> tuple[str, str] | None:
            return cast("tuple[str, str] | None", wanted(request, hint)) if wanted else None

        return identify(
            credential,
            address=request.META.get("REMOTE_ADDR", ""),
            kind=kind_of(request.method),
            copy_key=cast(CopyKey, copy_key),
        )

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
