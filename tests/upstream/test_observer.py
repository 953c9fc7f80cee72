"""What an observer hears of each call."""

from collections.abc import Iterator

import pytest

from tests.upstream.conftest import SCHOOL
from tests.upstream.raw_server import RawServer, always, http
from upstream.client import UpstreamClient
from upstream.config import UpstreamConfig
from upstream.endpoints import SESSION
from upstream.errors import CircuitOpen, SessionDead, UpstreamFailing
from upstream.person import on_behalf_of
from upstream.records import ProvenSession

Reports = list[tuple[str, str, bool]]


@pytest.fixture
def reports() -> Reports:
    return []


@pytest.fixture
def client(server: RawServer, reports: Reports) -> Iterator[UpstreamClient]:
    def observe(*, school: str, outcome: str, seconds: float, circuit_open: bool) -> None:
        assert seconds >= 0
        reports.append((school, outcome, circuit_open))

    client = UpstreamClient(UpstreamConfig(base_url=server.url), observer=observe)
    yield client
    client.close()


def test_a_refusal_is_an_answer(
    client: UpstreamClient, server: RawServer, reports: Reports, web: ProvenSession
) -> None:
    server.script = always(http(status=401))
    with pytest.raises(SessionDead):
        client.fetch_json(SESSION, web=web)
    assert reports == [(SCHOOL, "answered", False)]


def test_a_failure_has_the_name_of_its_error(
    client: UpstreamClient, server: RawServer, reports: Reports, web: ProvenSession
) -> None:
    server.script = always(http(status=500))
    for number, error in enumerate([*[UpstreamFailing] * 3, CircuitOpen]):
        with pytest.raises(error), on_behalf_of(f"person {number}"):
            client.fetch_json(SESSION, web=web)
    assert reports[1:] == [
        (SCHOOL, "UpstreamFailing", False),
        (SCHOOL, "UpstreamFailing", True),
        (SCHOOL, "CircuitOpen", True),
    ]


def test_a_fan_out_that_is_refused_is_reported_once(
    client: UpstreamClient, reports: Reports
) -> None:
    for person in ("elsa", "bo", "alva"):
        client.guards.of(SCHOOL).breaker.failed(person)
    with pytest.raises(CircuitOpen), client.request_scope(SCHOOL, person="elsa"):
        pass
    assert reports == [(SCHOOL, "CircuitOpen", True)]
