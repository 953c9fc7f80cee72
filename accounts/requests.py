"""The type of a request after authentication."""

from rest_framework.request import Request

from accounts.callers import Caller


class SignedInRequest(Request):
    """For type hints only: the attributes of a request after `SessionAuthentication`."""

    user: Caller  # type: ignore[assignment]
