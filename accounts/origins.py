"""The service's own origins: which ones may call it, and the one in the URLs that it returns."""

from collections.abc import Callable
from contextvars import ContextVar

from django.conf import settings

DEFAULT_PORTS = {"http": ":80", "https": ":443"}
# Returns scheme and host of the current request; set by TrustedProxyMiddleware and by the socket.
# A callable, because most requests need no URL.
origin_of_request: ContextVar[Callable[[], str] | None] = ContextVar("origin", default=None)


def normal_origin(text: str) -> str:
    """The origin in lower case, without the scheme's default port."""
    origin = text.strip().lower()
    return origin.removesuffix(DEFAULT_PORTS.get(origin.partition("://")[0], "\0"))


def is_listed(origin: str) -> bool:
    listed = (*settings.CORS_ALLOWED_ORIGINS, settings.PUBLIC_URL)
    return normal_origin(origin) in {normal_origin(allowed) for allowed in listed if allowed}


def is_host(origin: str, host: str, *schemes: str) -> bool:
    return bool(host) and normal_origin(origin) in {
        normal_origin(f"{scheme}://{host}") for scheme in schemes
    }


def public_url(path: str) -> str:
    """The absolute URL of `path`, under PUBLIC_URL or else under the host of the current request;
    the path itself where there is neither."""
    if settings.PUBLIC_URL:
        return f"{settings.PUBLIC_URL}{path}"
    origin = origin_of_request.get()
    return f"{origin()}{path}" if origin else path
