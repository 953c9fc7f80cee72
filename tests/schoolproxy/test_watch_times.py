"""Looks are made on weekdays from 6 to 21 in Stockholm."""

from datetime import datetime, timedelta

import pytest
import time_machine

from schoolproxy.models import Watch
from schoolproxy.services.watch.looks import look_at_the_school
from tests.conftest import Caller
from tests.schoolproxy.watching import STOCKHOLM, due, watch
from upstream.simulator.server import Simulator

pytestmark = pytest.mark.usefixtures("traveller")


@pytest.mark.parametrize(
    "moment",
    ["2026-03-10T05:59", "2026-03-10T21:00", "2026-03-14T12:00", "2026-03-15T12:00"],
)
def test_nobody_looks_at_night_or_on_a_weekend(
    elsa: Caller, simulator: Simulator, traveller: time_machine.Traveller, moment: str
) -> None:
    watch()
    traveller.move_to(f"{moment}+01:00")
    Watch.objects.update(next_look_at="2026-03-01T08:00Z")
    simulator.requests.clear()
    look_at_the_school()
    assert len(simulator.requests) == 0


def test_after_the_last_look_of_a_week_comes_the_first_of_the_next(
    elsa: Caller, traveller: time_machine.Traveller
) -> None:
    account = watch()
    traveller.move_to("2026-03-13T20:59+01:00")
    look_at_the_school()
    assert Watch.objects.get(account=account).last_look_at
    monday = datetime(2026, 3, 16, 6, 0, tzinfo=STOCKHOLM)
    assert monday <= due(account) <= monday + timedelta(hours=1)
