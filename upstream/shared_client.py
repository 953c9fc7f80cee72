"""The one client of this process, configured by the Django settings."""

from functools import cache, partial

from django.conf import settings
from django.dispatch import Signal

from upstream.client import UpstreamClient
from upstream.config import UpstreamConfig

# A call has ended, its retry included, or was refused before it was sent; a fan-out that is refused
# as a whole is one. Sent in the thread of the call: a receiver is quick and never raises.
# kwargs: school: str (a slug, empty for the school list), outcome: str ("answered", also for a
# refusal such as 401, or the name of a class of `errors.py`), seconds: float,
# circuit_open: bool (also half-open)
call_ended = Signal()


@cache
def client() -> UpstreamClient:
    """The client of this process, made at first use (so after gunicorn's fork)."""
    return UpstreamClient(_config(), observer=partial(call_ended.send, UpstreamClient))


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
