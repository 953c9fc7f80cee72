"""GET /api/assignments/week: the assignments of a week."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
import time_machine

from tests.conftest import Caller, signed_in
from upstream.simulator.assignments.data import of_week
from upstream.simulator.classes import class_of
from upstream.simulator.server import Simulator

PATH = "/api/assignments/week?week=11&year=2026"


def rows(caller: Caller, path: str = PATH) -> list[dict[str, Any]]:
    answer = caller.get(path)
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return list(body["data"])


def test_an_item_has_upstreams_fields_and_its_type(elsa: Caller, simulator: Simulator) -> None:
    person = simulator.state.person("bjorkdalen", "elsa.nordvall")
    monday, today = date.fromisocalendar(2026, 11, 1), simulator.state.clock.today()
    upstreams = of_week(class_of(person, simulator.state), monday)
    shown = [{**row, "submission": ""} for row in rows(elsa)]
    ours = {"type": "ASSIGNMENT", "submission": "", "done": False}
    assert shown == [one.row(today) | ours for one in upstreams]
    assert upstreams


def test_incomplete_rows_are_kept_and_other_values_are_dropped(
    elsa: Caller, simulator: Simulator
) -> None:
    simulator.state.settings.set("week_assignments", "odd")
    found = rows(elsa)
    assert {row["type"] for row in found} == {"ASSIGNMENT"}
    assert {"POSTPONED", 3} <= {row.get("status") for row in found} | {
        row.get("submissionStatus") for row in found
    }


@pytest.mark.parametrize(
    ("moment", "week", "year"),
    [
        # The first of January 2027 is a Friday: still in the last week of 2026.
        (datetime(2027, 1, 1, 12, tzinfo=UTC), 53, 2026),
        # The last of December 2024 is in the first week of 2025.
        (datetime(2024, 12, 31, 12, tzinfo=UTC), 1, 2025),
    ],
)
def test_the_default_is_the_current_iso_week_and_year_in_stockholm(
    simulator: Simulator, db: None, moment: datetime, week: int, year: int
) -> None:
    with time_machine.travel(moment, tick=False):
        elsa = signed_in()
        body = elsa.get("/api/assignments/week").json()
        assert (body["week"], body["year"]) == (week, year)


def test_each_year_has_its_own_cache_entry(elsa: Caller, simulator: Simulator) -> None:
    for _ in range(2):
        for year in (2025, 2026):
            assert elsa.get(f"/api/assignments/week?week=11&year={year}").json()["year"] == year
    assert simulator.requests.count("assignments/start-page") == 2
