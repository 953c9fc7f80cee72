"""A client for the routes of `odd_urls.py`, the OpenAPI document, and the two servers."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from tests.wrapper_project import odd_urls, servers
from wrapper_project import docs


@pytest.fixture
def odd(settings: Settings) -> Iterator[Client]:
    """A client that returns 500 responses instead of raising."""
    settings.ROOT_URLCONF = "tests.wrapper_project.odd_urls"
    yield Client(raise_request_exception=False)
    odd_urls.to_raise.clear()


@pytest.fixture(scope="session")
def document() -> dict[str, Any]:
    read: dict[str, Any] = orjson.loads(docs.document(as_yaml=False))
    return read


# Their start takes longer than the tests. Who connects from 127.0.0.2 is no trusted proxy.
DOCUMENTED = {
    "ALLOWED_HOSTS": "localhost,school.example,app.example",
    "TRUSTED_PROXIES": "127.0.0.1, ,10.0.0.0/8",
    "PUBLIC_URL": "",
    "CORS_ALLOWED_ORIGINS": "",
}


@pytest.fixture(scope="package")
def http_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server for HTTP, with four threads."""
    with servers.running(servers.HTTP, tmp_path_factory.mktemp("http"), **DOCUMENTED) as server:
        yield server.port


@pytest.fixture(scope="package")
def sockets_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server for HTTP and sockets."""
    folder = tmp_path_factory.mktemp("sockets")
    with servers.running(servers.SOCKETS, folder, **DOCUMENTED) as server:
        yield server.port
