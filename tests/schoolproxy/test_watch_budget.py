"""No more requests in a minute than the operator allows, whoever sends them."""

import uuid
from datetime import timedelta

import pytest
import time_machine
from pytest_django.fixtures import Settings

from schoolproxy.models import Watch
from schoolproxy.services.watch.budget import requests_left, reserve
from schoolproxy.services.watch.looks import look_at_the_school
from tests.concurrency import at_once
from tests.conftest import Caller
from tests.schoolproxy.watching import watch
from tests.store_away import take_the_store_away
from upstream.errors import QuotaSpent
from upstream.simulator.server import Simulator

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("traveller")]


def test_what_was_used_counts_until_the_minute_ends(traveller: time_machine.Traveller) -> None:
    reservation = reserve(8)
    assert reservation is not None
    assert requests_left() == 12
    for _ in range(3):
        reservation.take()
    reservation.give_back()
    assert requests_left() == 17
    assert reserve(18) is None
    traveller.shift(timedelta(seconds=59))
    assert requests_left() == 17
    traveller.shift(timedelta(seconds=2))
    assert requests_left() == 20


def test_what_is_given_back_late_is_not_free_in_the_next_minute(
    traveller: time_machine.Traveller,
) -> None:
    late = reserve(8)
    assert late is not None
    traveller.shift(timedelta(seconds=61))
    assert reserve(20) is not None
    late.give_back()
    assert requests_left() == 0


def test_nothing_is_sent_beyond_the_reservation() -> None:
    reservation = reserve(1)
    assert reservation is not None
    reservation.take()
    with pytest.raises(QuotaSpent):
        reservation.take()
    reservation.give_back()
    with pytest.raises(QuotaSpent):
        reservation.take()


def test_a_dead_worker_leaves_its_share_counted(traveller: time_machine.Traveller) -> None:
    assert reserve(20) is not None
    assert reserve(1) is None
    traveller.shift(timedelta(seconds=61))
    assert reserve(20) is not None


def test_nobody_looks_while_nobody_can_count(settings: Settings) -> None:
    take_the_store_away(settings)
    assert reserve(1) is None


def test_a_large_look_waits_for_a_small_budget(settings: Settings) -> None:
    settings.WATCH_REQUESTS_PER_MINUTE = 3
    reservation = reserve(14)
    assert reservation is not None
    for _ in range(3):
        reservation.take()
    with pytest.raises(QuotaSpent):
        reservation.take()


def test_a_budget_of_nothing_sends_nothing(settings: Settings, elsa: Caller) -> None:
    watch()
    settings.WATCH_REQUESTS_PER_MINUTE = 0
    look_at_the_school()
    assert Watch.objects.get().last_look_at is None


@pytest.mark.django_db(transaction=True)
def test_workers_at_once_reserve_the_budget_once() -> None:
    outcomes = at_once([lambda: reserve(3)] * 12)
    taken = sum(3 for each in outcomes if each is not None)
    assert taken <= 20
    assert requests_left() == 20 - taken


@pytest.mark.django_db(transaction=True)
def test_workers_at_once_look_once(simulator: Simulator) -> None:
    Caller().sign_in()
    watch()
    simulator.requests.clear()
    at_once([look_at_the_school] * 4)
    assert simulator.requests.count_operation("lessons") == 2


def test_a_look_counts_every_request(elsa: Caller, simulator: Simulator) -> None:
    watch()
    simulator.state.kill_web_sessions(simulator.state.person("bjorkdalen", "elsa.nordvall"))
    simulator.requests.clear()
    look_at_the_school()
    assert requests_left() == 20 - len(simulator.requests)
    assert len(simulator.requests) >= 6


def test_a_claim_of_another_host_does_not_count(settings: Settings) -> None:
    settings.UPSTREAM_URL = f"http://{uuid.uuid4().hex}.example"
    assert reserve(20) is not None
    settings.UPSTREAM_URL = "http://another.example"
    assert requests_left() == 20
