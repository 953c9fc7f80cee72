"""The service's own origins: which ones may call it, and the one in the URLs that it returns."""

from collections.abc import Callable
from contextvars import ContextVar
from functools import lru_cache

from django.conf import settings

DEFAULT_PORTS = {"http": ":80", "https": ":443"}
# Scheme and host of the request that this thread (or task) serves, set by TrustedProxyMiddleware
# and by the socket. A callable: most requests hand out no address.
origin_of_request: ContextVar[Callable[[], str] | None] = ContextVar("origin", default=None)


def normal_origin(text: str) -> str:
    """An origin in one form: lower case, without the scheme's default port."""
    origin = text.strip().lower()
    return origin.removesuffix(DEFAULT_PORTS.get(origin.partition("://")[0], "\0"))


def is_listed(origin: str) -> bool:
    """Whether the operator named it, as another app's or as the service's own address."""
    return normal_origin(origin) in _listed((*settings.CORS_ALLOWED_ORIGINS, settings.PUBLIC_URL))


def is_host(origin: str, host: str, *schemes: str) -> bool:
    """Whether it is the host that the caller asked for, by one of these schemes."""
    return bool(host) and normal_origin(origin) in {
        normal_origin(f"{scheme}://{host}") for scheme in schemes
    }


@lru_cache(maxsize=8)
def _listed(origins: tuple[str, ...]) -> frozenset[str]:
    return frozenset(normal_origin(origin) for origin in origins if origin)


def public_url(path: str) -> str:
    """`path` (from the root) with scheme and host; as it is where nobody knows the host."""
    if settings.PUBLIC_URL:
        return f"{settings.PUBLIC_URL}{path}"
    origin = origin_of_request.get()
    return f"{origin()}{path}" if origin else path
