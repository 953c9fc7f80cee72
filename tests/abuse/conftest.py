"""The people and the staff of the other tests."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from tests.abuse.people import Everybody
from tests.social.cast import Person
from tests.social.conftest import open_socket, port, port_with, sign_in
from tests.staff.conftest import enter, fast_passwords
from upstream.simulator.server import Simulator

__all__ = ["enter", "fast_passwords", "open_socket", "port", "port_with", "sign_in"]

Later = Callable[..., AbstractContextManager[None]]


@pytest.fixture
def cast(simulator: Simulator, db: None) -> Everybody:
    """People; each signs in when first used."""
    return Everybody()


@pytest.fixture
def later() -> Later:
    """Moves the clock; these people of bjorkdalen sign in again: sessions have ended."""

    @contextmanager
    def go(*people: Person, **by: float) -> Iterator[None]:
        with time_machine.travel(datetime.now(UTC) + timedelta(**by), tick=False):
            for person in people:
                person.sign_in(person.username)
            yield

    return go
