"""Fixtures: a second client with the same cookies, a native app, Elsa in the simulator."""

from collections.abc import Callable

import pytest

from tests.conftest import Caller
from upstream.simulator.people import Person
from upstream.simulator.server import Simulator

Twin = Callable[[Caller], Caller]


@pytest.fixture
def twin() -> Twin:
    """Makes another client with the same cookies. Clearing one client's leaves the other's."""

    def make(caller: Caller) -> Caller:
        other = Caller()
        for name, value in caller.cookies.items():
            other.set_cookie(name, value)
        return other

    return make


@pytest.fixture
def bearer(elsa: Caller) -> dict[str, str]:
    """The header of a native app in which Elsa has signed in, besides the browser of `elsa`."""
    return {"Authorization": f"Bearer {Caller().sign_in().json()['token']}"}


@pytest.fixture
def elsa_upstream(simulator: Simulator) -> Person:
    """Elsa in the simulated school system."""
    return simulator.state.person("bjorkdalen", "elsa.nordvall")
