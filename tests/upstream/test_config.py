"""Configuration, and the one client of this process."""

from collections.abc import Iterator

import pytest
from pytest_django.fixtures import Settings

from upstream import config
from upstream.config import UpstreamConfig


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    config.reset()
    yield
    config.reset()


@pytest.mark.parametrize(
    "base",
    ["", "sms.example", "ftp://sms.example", "https://", "https://sms.example/", "https://u:p@sms",
     "https://sms.example?a=b", "https://sms.example#a", "file:///etc/passwd"],
)  # fmt: skip
def test_an_address_that_cannot_be_right_is_refused(base: str) -> None:
    with pytest.raises(ValueError, match="UPSTREAM_URL"):
        UpstreamConfig(base_url=base)


def test_a_dialect_that_nobody_speaks_is_refused() -> None:
    with pytest.raises(ValueError, match="latin"):
        UpstreamConfig(base_url="https://sms.example", dialects={"": "latin"})


def test_each_school_may_speak_its_own_dialect() -> None:
    made = UpstreamConfig(
        base_url="https://sms.example", dialects={"": "specified", "nyvang": "observed"}
    )
    assert made.dialect("nyvang").name == "observed"
    assert made.dialect("bjorkdalen").name == "specified"


def test_the_client_is_made_once_from_the_settings(settings: Settings) -> None:
    settings.UPSTREAM_URL = "https://sms.example"
    settings.UPSTREAM_DIALECT = {"": "observed"}
    settings.UPSTREAM_MAX_IN_FLIGHT = 7
    settings.UPSTREAM_PER_REQUEST = 3
    settings.UPSTREAM_SCHOOLS = []
    settings.WEB_THREADS = 10
    made = config.client()
    assert made is config.client()
    assert made.config == UpstreamConfig(
        base_url="https://sms.example",
        dialects={"": "observed"},
        max_in_flight=7,
        per_request=3,
        threads_per_school=5,
    )


@pytest.mark.parametrize(
    ("schools", "threads", "share"), [([], 1, 1), ([], 64, 32), (["a"], 8, 8), (["a", "b"], 8, 4)]
)
def test_half_of_the_threads_are_for_other_schools(
    settings: Settings, schools: list[str], threads: int, share: int
) -> None:
    settings.UPSTREAM_SCHOOLS = schools
    settings.WEB_THREADS = threads
    assert config.client().config.threads_per_school == share


def test_another_setting_means_another_client(settings: Settings) -> None:
    before = config.client()
    settings.UPSTREAM_URL = "https://other.example"
    assert config.client() is not before
    assert config.client().config.base_url == "https://other.example"
