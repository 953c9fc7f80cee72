"""People as these tests need them: with a token, or with the cookies of another client."""

from collections.abc import Callable

import pytest

from tests.conftest import Caller
from upstream.simulator.people import Person
from upstream.simulator.server import Simulator

Twin = Callable[[Caller], Caller]


@pytest.fixture
def twin() -> Twin:
    """Makes another client with the same cookies; what clears the one's leaves the other's."""

    def make(caller: Caller) -> Caller:
        other = Caller()
        for name, value in caller.cookies.items():
            other.set_cookie(name, value)
        return other

    return make


@pytest.fixture
def bearer(elsa: Caller) -> dict[str, str]:
    """The header of a native app in which Elsa has signed in (the fixture `elsa` in a browser)."""
    return {"Authorization": f"Bearer {Caller().sign_in().json()['token']}"}


@pytest.fixture
def elsa_upstream(simulator: Simulator) -> Person:
    """Elsa, as their side knows her."""
    return simulator.state.person("bjorkdalen", "elsa.nordvall")
