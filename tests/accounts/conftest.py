"""Fixtures: a native app, Elsa in the simulator."""

import pytest

from tests.conftest import Caller
from upstream.simulator.people import Person
from upstream.simulator.server import Simulator


@pytest.fixture
def bearer(elsa: Caller) -> dict[str, str]:
    """The header of a native app in which Elsa has signed in, besides the browser of `elsa`."""
    return {"Authorization": f"Bearer {Caller().sign_in().json()['token']}"}


@pytest.fixture
def elsa_upstream(simulator: Simulator) -> Person:
    """Elsa in the simulated school system."""
    return simulator.state.person("bjorkdalen", "elsa.nordvall")
