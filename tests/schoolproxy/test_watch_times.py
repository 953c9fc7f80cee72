"""Looks are made on weekdays from 6 to 21 in Stockholm."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from time_machine import Traveller

from schoolproxy.models import Watch
from schoolproxy.services.watch.looks import look_at_the_school
from tests.conftest import Caller
from tests.schoolproxy.watching import (
    MONDAY,
    STOCKHOLM,
    due,
    edit,
    kinds_told,
    pupil,
    watch,
)
from upstream.simulator.server import Simulator

pytestmark = pytest.mark.usefixtures("traveller")


@pytest.mark.parametrize(
    "moment",
    ["2026-03-10T05:59", "2026-03-10T21:00", "2026-03-14T12:00", "2026-03-15T12:00"],
)
def test_nobody_looks_at_night_or_on_a_weekend(
    elsa: Caller, simulator: Simulator, traveller: Traveller, moment: str
) -> None:
    watch()
    traveller.move_to(f"{moment}+01:00")
    Watch.objects.update(next_look_at="2026-03-01T08:00Z")
    simulator.requests.clear()
    look_at_the_school()
    assert len(simulator.requests) == 0


def test_after_the_last_look_of_a_week_comes_the_first_of_the_next(
    elsa: Caller, traveller: Traveller
) -> None:
    account = watch()
    traveller.move_to("2026-03-13T20:59+01:00")
    look_at_the_school()
    assert Watch.objects.get(account=account).last_look_at
    monday = datetime(2026, 3, 16, 6, 0, tzinfo=STOCKHOLM)
    assert monday <= due(account) <= monday + timedelta(hours=1)


@pytest.mark.parametrize(
    ("opted_in", "morning"),
    [
        ("2026-03-12T20:58", "2026-03-13T07:10"),
        ("2026-03-12T22:00", "2026-03-13T07:10"),
        ("2026-03-14T15:00", "2026-03-16T07:10"),
    ],
)
def test_what_changes_after_one_opted_in_is_told_on_the_next_school_morning(
    opted_in: str, morning: str, elsa: Caller, simulator: Simulator, traveller: Traveller
) -> None:
    """The first look may be the only one until then, and may be a read of the person's app."""
    traveller.move_to(f"{opted_in}+01:00")
    elsa.sign_in()
    account = watch()
    for week in (11, 12):
        assert elsa.get(f"/api/schedule?week={week}").status_code == 200
    look_at_the_school()
    traveller.shift(timedelta(minutes=10))
    edit(simulator, "cancelled", MONDAY + timedelta(days=8))
    _look_until_told(traveller, account, [["cancelled"]])
    assert timezone.now() < datetime.fromisoformat(f"{morning}+01:00")
    simulator.state.schedule.undo("bjorkdalen", pupil(simulator).user_id)
    _look_until_told(traveller, account, [["cancelled"], ["added"]])


def _look_until_told(traveller: Traveller, account: int, expected: list[list[str]]) -> None:
    for _ in range(3):
        traveller.move_to(max(due(account), timezone.now()))
        look_at_the_school()
        if kinds_told(account) == expected:
            return
    raise AssertionError(kinds_told(account))
