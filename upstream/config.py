"""How to reach the upstream system, and the one client of this process.

`UpstreamConfig` needs no Django; `client()` reads it from the settings.
"""

import functools
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from upstream.client import UpstreamClient
from upstream.deadline import TOTAL_SECONDS
from upstream.dialects import Dialect, dialect_named
from upstream.observed_client import ObservedClient

_SETTINGS: Final = frozenset(
    {
        "UPSTREAM_URL",
        "UPSTREAM_DIALECT",
        "UPSTREAM_SCHOOLS",
        "UPSTREAM_MAX_IN_FLIGHT",
        "UPSTREAM_PER_REQUEST",
        "UPSTREAM_OBSERVER",
        "WEB_THREADS",
    }
)


@dataclass(frozen=True, kw_only=True)
class UpstreamConfig:
    """Where upstream is, how it is spoken to, and how much it may cost us. Times in seconds.

    `dialects` maps a school slug to a dialect's name; the entry under "" is for all others.
    `threads_per_school` is how many threads of the server one school may hold.

    Raises: ValueError for an address or a dialect that cannot be right.
    """

    base_url: str
    dialects: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({"": "specified"}))
    max_in_flight: int = 64
    per_request: int = 40
    threads_per_school: int = 32
    connect_seconds: float = 2.0
    total_seconds: float = TOTAL_SECONDS
    wait_seconds: float = 1.0
    ca_file: str | None = None

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if (
            parts.scheme not in ("http", "https")
            or not parts.hostname
            or "@" in parts.netloc
            or parts.query
            or parts.fragment
            or self.base_url.endswith("/")
        ):
            raise ValueError("UPSTREAM_URL is scheme://host[:port][/prefix] and no more")
        for name in self.dialects.values():
            dialect_named(name)

    def dialect(self, school: str) -> Dialect:
        """The dialect of a school's login."""
        return dialect_named(self.dialects.get(school) or self.dialects[""])


def client() -> UpstreamClient:
    """The client of this process, for a call that begins now.

    Upstream may take seconds, and there are fewer database connections than threads: this
    thread's goes back to its pool first, or one slow school would keep all the others waiting.
    """
    _let_go_of_the_database()
    return _client()


@functools.cache
def _client() -> UpstreamClient:
    from django.conf import settings  # so that UpstreamConfig can be used without Django
    from django.utils.module_loading import import_string

    if not settings.UPSTREAM_OBSERVER:
        return UpstreamClient(_from_settings())
    return ObservedClient(_from_settings(), import_string(settings.UPSTREAM_OBSERVER))


def _let_go_of_the_database() -> None:
    from django.db import connection  # so that UpstreamConfig can be used without Django

    if connection.connection is None or connection.in_atomic_block:
        return
    if getattr(connection, "pool", None) is not None:
        connection.close()


def reset() -> None:
    """Forget the client, its connections and what it learned: settings changed, or we forked."""
    _client.cache_clear()


def on_setting_changed(*, setting: str, **_: object) -> None:
    """Receiver of Django's `setting_changed`, which only tests send."""
    if setting in _SETTINGS:
        reset()


def _from_settings() -> UpstreamConfig:
    from django.conf import settings  # so that UpstreamConfig can be used without Django

    # Half of the threads are for the other schools; where there is no other, all are its own.
    alone = len(settings.UPSTREAM_SCHOOLS) == 1
    threads = settings.WEB_THREADS if alone else settings.WEB_THREADS // 2
    return UpstreamConfig(
        base_url=settings.UPSTREAM_URL,
        dialects=settings.UPSTREAM_DIALECT,
        max_in_flight=settings.UPSTREAM_MAX_IN_FLIGHT,
        per_request=settings.UPSTREAM_PER_REQUEST,
        threads_per_school=max(1, threads),
    )


# Sockets and locks must not be shared with a child process.
os.register_at_fork(after_in_child=reset)
