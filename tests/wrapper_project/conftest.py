"""A client of the odd routes."""

from collections.abc import Iterator

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from tests.wrapper_project import odd_urls


@pytest.fixture
def odd(settings: Settings) -> Iterator[Client]:
    """Does not raise what the service answers with 500."""
    settings.ROOT_URLCONF = "tests.wrapper_project.odd_urls"
    yield Client(raise_request_exception=False)
    odd_urls.to_raise.clear()
