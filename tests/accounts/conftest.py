"""Sessions of native apps and of unknown cookies, the school system, and what signals say."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import time_machine
from django.dispatch import Signal
from django.utils import timezone

from tests.concurrency import crowd
from tests.conftest import Caller
from upstream.simulator.people import Person
from upstream.simulator.server import Simulator
from upstream.simulator.web_sessions import WebSession

Heard = list[dict[str, Any]]


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Time stands still, and is shifted by the test."""
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        yield traveller


@pytest.fixture
def bearer(elsa: Caller) -> dict[str, str]:
    """The header of a native app in which Elsa has signed in, besides the browser of `elsa`."""
    return {"Authorization": f"Bearer {Caller().sign_in().json()['token']}"}


@pytest.fixture
def elsa_upstream(simulator: Simulator) -> Person:
    """Elsa in the simulated school system."""
    return simulator.state.person("bjorkdalen", "elsa.nordvall")


@pytest.fixture
def unnumbered(simulator: Simulator) -> None:
    """The list of schools has no numbers of organisations."""
    row = {"name": "Björkdalsskolan", "evaUrl": f"{simulator.url}/bjorkdalen/eva"}
    row |= {"url": f"{simulator.url}/bjorkdalen/", "studentLoginMethods": "0,4"}
    simulator.faults.set("schools", "answer", body=json.dumps([row]))


def live(simulator: Simulator) -> int:
    """How many web sessions Elsa has at the school system."""
    person = simulator.state.person("bjorkdalen", "elsa.nordvall")
    return simulator.state.web_sessions.count_live(person)


def unrecorded(simulator: Simulator, username: str, school: str) -> Caller:
    """A browser with the cookies of a valid web session that was not made by a login here."""
    person = simulator.state.person(school, username)
    web = simulator.state.open_web_session(person, "specified")
    return with_pair(web, school)


def with_pair(web: WebSession, school: str = "bjorkdalen") -> Caller:
    """A browser with these cookies."""
    caller = Caller()
    caller.set_cookie("jsessionid", web.jsessionid)
    caller.set_cookie("hash", web.hash)
    caller.set_cookie("school", school)
    return caller


def invented_pair(number: int = 0, school: str = "bjorkdalen") -> str:
    """The `Cookie` header of a session that does not exist."""
    return f"wrapper_jsessionid=A{number}; wrapper_hash=b; wrapper_school={school}"


@contextmanager
def hearing(signal: Signal) -> Iterator[Heard]:
    """A list that gets the arguments of the signal whenever it is sent."""
    told: Heard = []

    def receiver(signal: object, sender: object, **news: Any) -> None:
        told.append(news)

    signal.connect(receiver)
    try:
        yield told
    finally:
        signal.disconnect(receiver)


def answer_when(
    simulator: Simulator, operation: str, request: Callable[[], Any], happens: Callable[[], Any]
) -> Any:
    """The answer to a request, if something happens after upstream has done its operation for it,
    and before the service reads that."""
    with crowd(1) as start, simulator.faults.hold(operation, after=True) as held:
        running = start(request)
        held.wait_for(1)
        happens()
        held.release()
        return running.result(10)
