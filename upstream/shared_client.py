"""The one client of this process, configured by the Django settings."""

import functools
import os
from typing import Final

from django.conf import settings
from django.db import connection
from django.utils.module_loading import import_string

from upstream.client import UpstreamClient
from upstream.config import UpstreamConfig
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


def client() -> UpstreamClient:
    """The client of this process, for a call that begins now.

    Upstream may take seconds, and there are fewer database connections than threads: this
    thread's goes back to its pool first, or one slow school would keep all the others waiting.
    """
    _let_go_of_the_database()
    return _client()


@functools.cache
def _client() -> UpstreamClient:
    if not settings.UPSTREAM_OBSERVER:
        return UpstreamClient(_from_settings())
    return ObservedClient(_from_settings(), import_string(settings.UPSTREAM_OBSERVER))


def _let_go_of_the_database() -> None:
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
