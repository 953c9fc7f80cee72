"""A request as a view sees it once the caller is known."""

from rest_framework.request import Request

from accounts.callers import Caller
from accounts.services.identity import CacheKey
from accounts.stores import RequestLookup


class SignedInRequest(Request):
    """For type hints: the attributes that views and `SessionAuthentication` set on a request.

    No instance of this class is ever made.
    """

    user: Caller  # type: ignore[assignment]
    auth: RequestLookup
    # Set before the authentication by a view that can answer from the cache.
    cache_key: CacheKey
