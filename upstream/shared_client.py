"""The one client of this process, configured by the Django settings."""

import functools

from django.conf import settings

from upstream.client import UpstreamClient
from upstream.config import UpstreamConfig
from upstream.observed_client import ObservedClient, Observer

_observer: Observer | None = None


@functools.cache
def client() -> UpstreamClient:
    """The client of this process, made at first use (so after gunicorn's fork)."""
    return ObservedClient(_config(), _observer) if _observer else UpstreamClient(_config())


def set_observer(observer: Observer | None) -> None:
    """Report the calls of this process to `observer`. Call it before the first `client()`."""
    global _observer  # noqa: PLW0603, set once at start
    _observer = observer


def reset() -> None:
    """For tests: close the client; the next `client()` reads the settings again."""
    if client.cache_info().currsize:
        client().close()
    client.cache_clear()


def _config() -> UpstreamConfig:
    return UpstreamConfig(
        base_url=settings.UPSTREAM_URL,
        dialects=settings.UPSTREAM_DIALECT,
        max_in_flight=settings.UPSTREAM_MAX_IN_FLIGHT,
        per_request=settings.UPSTREAM_PER_REQUEST,
        threads=settings.WEB_THREADS,
        ca_file=settings.SSL_CERT_FILE or None,
    )
