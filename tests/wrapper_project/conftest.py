"""A client for the routes of `odd_urls.py`, and the OpenAPI document."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from tests.wrapper_project import odd_urls
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
