"""The limit on reads and writes of an account: the default throttle class of REST views."""

import time
from typing import TYPE_CHECKING, cast

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts.callers import Caller
from accounts.errors import StoreUnavailable, TooManyRequests
from accounts.limits import request_limit
from accounts.rate_limits import window_counter
from accounts.stores import RequestLookup, store
from stats import counters

if TYPE_CHECKING:  # DRF imports this module while it imports its views
    from rest_framework.views import APIView


class RequestLimit(BaseThrottle):
    """Counts a request of a signed-in caller, unless the look-up of the session has counted it
    already. Without the store, requests are allowed: see `accounts.rate_limits`."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        caller, lookup = cast(Caller, request.user), cast(RequestLookup, request.auth)
        counters.count("api_call", account=caller.account_id)
        limit = request_limit(request.method).effective()
        count = lookup.count
        counter = window_counter(limit, caller.account_id)
        if counter and not count:
            try:
                count, _ = store().hit(counter, 2 * limit.seconds)
            except StoreUnavailable:
                return True
        if count > limit.count:
            raise TooManyRequests(limit.seconds - int(time.time()) % limit.seconds)
        return True
