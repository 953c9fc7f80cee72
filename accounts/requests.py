"""The type of a request after authentication."""

from rest_framework.request import Request

from accounts.callers import Caller
from accounts.services.identity import CacheKey
from accounts.stores import RequestLookup


class SignedInRequest(Request):
    """For type hints only: the attributes of a request after `SessionAuthentication`."""

    user: Caller  # type: ignore[assignment]
    auth: RequestLookup
    # A view that can answer from the cache sets it before the authentication.
    cache_key: CacheKey
