"""A client of the simulator."""

import pytest

from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator


@pytest.fixture
def client(simulator: Simulator) -> PlainClient:
    return PlainClient(simulator.url)
