"""Clients and servers for the upstream tests."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.upstream.raw_server import RawServer, always, http, serve
from upstream.client import UpstreamClient
from upstream.config import UpstreamConfig
from upstream.records import WebSession

SCHOOL = "bjorkdalen"
MakeClient = Callable[..., UpstreamClient]


@pytest.fixture
def web() -> WebSession:
    return WebSession(jsessionid="9C41E07B2D5A4F83", hash="4be1f09c7a6d", usertype="1")


@pytest.fixture
def server() -> Iterator[RawServer]:
    """A raw server; tests set its `script`."""
    with serve(always(http(b"[]"))) as raw:
        yield raw


@pytest.fixture
def make_client() -> Iterator[MakeClient]:
    """Makes clients with short deadlines. `clock` is that of the circuit breakers."""
    made: list[UpstreamClient] = []

    def make(
        base_url: str, *, clock: Callable[[], float] | None = None, **options: Any
    ) -> UpstreamClient:
        config = UpstreamConfig(
            base_url=base_url, **({"total_seconds": 3.0, "wait_seconds": 0.2} | options)
        )
        made.append(UpstreamClient(config, clock=clock or time.monotonic))
        return made[-1]

    yield make
    for client in made:
        client.close()


@pytest.fixture
def client(make_client: MakeClient, server: RawServer) -> UpstreamClient:
    """A client of the raw server."""
    return make_client(server.url)
