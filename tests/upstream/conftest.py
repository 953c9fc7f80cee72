"""Clients and servers for the upstream tests."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.upstream.raw_server import RawServer, always, http, serve
from upstream.client import UpstreamClient
from upstream.config import UpstreamConfig
from upstream.endpoints import LESSONS
from upstream.records import ProvenSession
from upstream.transport import HEADERS, Request, Transport, UpstreamResponse

SCHOOL = "bjorkdalen"
MakeClient = Callable[..., UpstreamClient]
Fetch = Callable[..., object]
Get = Callable[..., UpstreamResponse]


@pytest.fixture
def web() -> ProvenSession:
    return ProvenSession(
        jsessionid="9C41E07B2D5A4F83",
        hash="4be1f09c7a6d",
        usertype="1",
        school=SCHOOL,
        role="student",
    )


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


@pytest.fixture
def fetch(client: UpstreamClient, web: ProvenSession) -> Fetch:
    """Fetches lessons with the client."""

    def fetch(school: str = SCHOOL) -> object:
        return client.fetch_json(LESSONS, web=replace(web, school=school), week=11)

    return fetch


@pytest.fixture
def transport(server: RawServer) -> Iterator[Transport]:
    """A transport to the raw server."""
    made = Transport(server.url, connect_seconds=0.5, pool_size=4)
    yield made
    made.close()


@pytest.fixture
def get(transport: Transport, server: RawServer) -> Get:
    """Sends a GET with the transport."""

    def get(path: str = "/a", seconds: float = 3.0, **headers: str) -> UpstreamResponse:
        request = Request("GET", server.url + path, {**HEADERS, **headers})
        return transport.send(request, deadline=time.monotonic() + seconds)

    return get
