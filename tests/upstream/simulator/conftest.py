"""One simulator for the whole run, reset for every test."""

from collections.abc import Iterator

import pytest

from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator, run


@pytest.fixture(scope="session")
def _running() -> Iterator[Simulator]:
    with run() as simulator:
        yield simulator


@pytest.fixture
def simulator(_running: Simulator) -> Iterator[Simulator]:
    _running.reset()
    yield _running
    _running.reset()


@pytest.fixture
def client(simulator: Simulator) -> PlainClient:
    return PlainClient(simulator.url)
