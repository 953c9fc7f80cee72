"""A request as a view sees it once the caller is known."""

from rest_framework.request import Request

from accounts.callers import Caller
from accounts.stores import RequestLookup


class SignedInRequest(Request):
    """For type hints: what `SessionAuthentication` sets. Nothing is ever made of this class."""

    user: Caller  # type: ignore[assignment]
    auth: RequestLookup
