"""Frozen clocks, and a guardian."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from tests.conftest import Caller, signed_in
from tests.schoolproxy import watching
from tests.schoolproxy.family import GUARDIAN
from upstream.simulator.server import Simulator

Clock = Callable[[float], None]


@pytest.fixture
def clock() -> Iterator[Clock]:
    """A frozen clock; `clock(seconds)` sets it to that long after the start."""
    start = timezone.now()
    with time_machine.travel(start, tick=False) as traveller:
        yield lambda seconds: traveller.move_to(start + timedelta(seconds=seconds))


@pytest.fixture
def traveller() -> Iterator[time_machine.Traveller]:
    """A frozen clock on a Monday morning, when schools are watched."""
    with watching.clock() as moved:
        yield moved


@pytest.fixture
def eva(simulator: Simulator, db: None) -> Caller:
    """Eva, the guardian of Bo and Alva."""
    return signed_in(GUARDIAN)
