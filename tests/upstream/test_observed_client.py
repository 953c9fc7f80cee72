"""What an observer learns about each call."""

from collections.abc import Iterator

import pytest

from tests.upstream.conftest import SCHOOL
from tests.upstream.raw_server import RawServer, always, http
from upstream.config import UpstreamConfig
from upstream.endpoints import SESSION
from upstream.errors import CircuitOpen, SessionDead, UpstreamFailing
from upstream.observed_client import ObservedClient
from upstream.person import on_behalf_of
from upstream.records import ProvenSession

Reports = list[tuple[str, str, bool]]


@pytest.fixture
def reports() -> Reports:
    return []


@pytest.fixture
def observed(server: RawServer, reports: Reports) -> Iterator[ObservedClient]:
    def observer(*, school: str, outcome: str, seconds: float, circuit_open: bool) -> None:
        assert seconds >= 0
        reports.append((school, outcome, circuit_open))

    client = ObservedClient(UpstreamConfig(base_url=server.url), observer)
    yield client
    client.close()


def test_a_refusal_is_an_answer(
    observed: ObservedClient, server: RawServer, reports: Reports, web: ProvenSession
) -> None:
    server.script = always(http(status=401))
    with pytest.raises(SessionDead):
        observed.fetch_json(SESSION, web=web)
    assert reports == [(SCHOOL, "answered", False)]


def test_a_failure_has_the_name_of_its_error(
    observed: ObservedClient, server: RawServer, reports: Reports, web: ProvenSession
) -> None:
    server.script = always(http(status=500))
    for number, error in enumerate([*[UpstreamFailing] * 3, CircuitOpen]):
        with pytest.raises(error), on_behalf_of(f"person {number}"):
            observed.fetch_json(SESSION, web=web)
    assert reports[1:] == [
        (SCHOOL, "UpstreamFailing", False),
        (SCHOOL, "UpstreamFailing", True),
        (SCHOOL, "CircuitOpen", True),
    ]


def test_a_fan_out_that_is_refused_is_reported_once(
    observed: ObservedClient, reports: Reports
) -> None:
    for person in ("elsa", "bo", "alva"):
        observed.guards.of(SCHOOL).breaker.failed(person)
    with pytest.raises(CircuitOpen), observed.request_scope(SCHOOL, person="elsa"):
        pass
    assert reports == [(SCHOOL, "CircuitOpen", True)]
