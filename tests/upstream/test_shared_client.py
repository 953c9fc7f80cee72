"""The one client of this process."""

from pytest_django.fixtures import Settings

from upstream import shared_client
from upstream.config import UpstreamConfig


def test_the_client_is_made_once_from_the_settings(settings: Settings) -> None:
    settings.UPSTREAM_URL = "https://sms.example"
    settings.UPSTREAM_DIALECT = {"": "observed"}
    settings.UPSTREAM_MAX_IN_FLIGHT = 7
    settings.UPSTREAM_PER_REQUEST = 3
    settings.WEB_THREADS = 10
    made = shared_client.client()
    assert made is shared_client.client()
    assert made.config == UpstreamConfig(
        base_url="https://sms.example",
        dialects={"": "observed"},
        max_in_flight=7,
        per_request=3,
        threads=10,
    )


def test_it_is_made_again_after_a_reset(settings: Settings) -> None:
    before = shared_client.client()
    settings.UPSTREAM_URL = "https://other.example"
    shared_client.reset()
    assert shared_client.client() is not before
    assert shared_client.client().config.base_url == "https://other.example"
