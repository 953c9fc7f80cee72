"""The 53rd week, which few years have."""

from datetime import UTC, datetime

import pytest
import time_machine

from tests.conftest import Caller, signed_in
from upstream.simulator.server import Simulator

PATHS = ["/api/assignments/week", "/api/plannings/week"]


@pytest.mark.parametrize("path", PATHS)
def test_a_year_without_a_week_53_is_400(path: str, elsa: Caller, simulator: Simulator) -> None:
    elsa.get("/api/session")
    simulator.requests.clear()
    for year in (2025, 2027):
        answer = elsa.get(f"{path}?week=53&year={year}", **{"Accept-Language": "sv"})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
        assert answer.json()["fields"] == {"week": ["Det året har ingen vecka 53."]}
    assert len(simulator.requests) == 0


@pytest.mark.parametrize("path", PATHS)
def test_a_year_with_one_has_it(path: str, elsa: Caller) -> None:
    answer = elsa.get(f"{path}?week=53&year=2026")
    assert answer.status_code == 200
    assert (answer.json()["week"], answer.json()["year"]) == (53, 2026)


@pytest.mark.parametrize("path", PATHS)
def test_without_a_year_it_is_that_of_now(path: str, simulator: Simulator, db: None) -> None:
    for day, status in (
        (datetime(2027, 1, 3, 12, tzinfo=UTC), 200),
        ((datetime(2027, 1, 5, tzinfo=UTC)), 400),
    ):
        with time_machine.travel(day, tick=False):
            assert signed_in().get(f"{path}?week=53").status_code == status


@pytest.mark.parametrize("path", ["/api/schedule", "/api/lunch"])
def test_where_no_year_is_taken_it_is_the_nearest(path: str, elsa: Caller) -> None:
    body = elsa.get(f"{path}?week=53").json()
    assert (body["week"], body["year"]) in {(53, 2020), (53, 2026), (53, 2032)}
