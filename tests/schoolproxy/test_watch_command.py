"""`manage.py watch_school`, which a timer starts every minute on every machine."""

import pytest
from django.core.management import call_command

from schoolproxy.models import Watch
from schoolproxy.services.watch.budget import reserve
from schoolproxy.services.watch.looks import looks_are_due
from tests.conftest import Caller
from tests.schoolproxy.watching import watch
from upstream.simulator.server import Simulator

pytestmark = pytest.mark.usefixtures("traveller")


def test_it_looks_and_ends_when_nobody_is_due(elsa: Caller) -> None:
    watch()
    assert looks_are_due()
    call_command("watch_school")
    assert Watch.objects.get().last_look_at
    assert not looks_are_due()


def test_it_ends_in_time_while_the_budget_rests(elsa: Caller, simulator: Simulator) -> None:
    watch()
    reserve(20)
    simulator.requests.clear()
    call_command("watch_school", seconds=9)
    assert looks_are_due()
    assert len(simulator.requests) == 0
