"""Which origins are ours, for requests and for sockets alike."""

from functools import lru_cache

from django.conf import settings

DEFAULT_PORTS = {"http": ":80", "https": ":443"}


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
