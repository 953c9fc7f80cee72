"""A fake upstream for all of these tests, and our own client of it."""

from collections.abc import Iterator

import pytest

from benchmarks.fake_upstream.answers import SCHOOLS
from benchmarks.fake_upstream.server import FakeUpstream, run_fake_upstream
from upstream.client import UpstreamClient
from upstream.config import UpstreamConfig


@pytest.fixture(scope="session")
def running_fake() -> Iterator[FakeUpstream]:
    with run_fake_upstream() as started:
        yield started


@pytest.fixture
def fake(running_fake: FakeUpstream) -> Iterator[FakeUpstream]:
    """Without latency and faults."""
    yield running_fake
    running_fake.set_latency(0)
    for school in SCHOOLS:
        running_fake.set_fault(school, "none")


@pytest.fixture
def client(fake: FakeUpstream) -> Iterator[UpstreamClient]:
    made = UpstreamClient(UpstreamConfig(base_url=fake.url, total_seconds=1.5))
    yield made
    made.close()
