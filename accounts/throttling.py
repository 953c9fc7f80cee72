"""The limit on reads and writes of a person: the default throttle class of REST views."""

from typing import TYPE_CHECKING, cast

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts.callers import Caller
from accounts.limits import request_limit
from limits import spend
from stats import counters

if TYPE_CHECKING:  # DRF imports this module while it imports its views
    from rest_framework.views import APIView


class RequestLimit(BaseThrottle):
    """Counts a request of a signed-in caller."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Raises: TooManyRequests."""
        caller = cast(Caller, request.user)
        counters.count("api_call", account=caller.account_id)
        spend(request_limit(request.method), caller.person_hash)
        return True
