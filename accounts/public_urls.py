"""Absolute addresses of what we hand out: under PUBLIC_URL, else under the request's own host."""

from collections.abc import Callable
from contextvars import ContextVar

from django.conf import settings

# Scheme and host of the request that this thread (or task) serves, set by TrustedProxyMiddleware
# and by the socket. A callable: most requests hand out no address.
origin_of_request: ContextVar[Callable[[], str] | None] = ContextVar("origin", default=None)


def public_url(path: str) -> str:
    """`path` (from the root) with scheme and host; as it is where nobody knows the host."""
    if settings.PUBLIC_URL:
        return f"{settings.PUBLIC_URL}{path}"
    origin = origin_of_request.get()
    return f"{origin()}{path}" if origin else path
