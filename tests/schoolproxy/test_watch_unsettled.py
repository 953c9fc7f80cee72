"""A look that cannot settle what it was to confirm, with the simulator."""

import pytest
import time_machine
from django.utils import timezone
from pytest_django.fixtures import Settings

from notifications.models import KindSetting
from schoolproxy.models import Watch
from schoolproxy.services.watch.looks import look_at_the_school
from schoolproxy.services.watch.state import WatchState
from tests.conftest import Caller
from tests.schoolproxy.watching import due, later, look_twice, told, watch
from upstream.simulator.server import Simulator

pytestmark = pytest.mark.usefixtures("traveller")
KINDS = ("schedule", "assignment", "result", "news", "inbox")


@pytest.fixture
def account(elsa: Caller, simulator: Simulator) -> int:
    """Elsa's account, of whose school only the inbox is watched, and known."""
    simulator.state.settings.message_days = 0
    account = watch()
    switch_off(account, *KINDS[:-1])
    look_at_the_school()
    return account


def switch_off(account: int, *kinds: str) -> None:
    for kind in kinds:
        KindSetting.objects.create(account_id=account, kind=kind, delivery="off")


def minutes_until_due(account: int) -> float:
    return (due(account) - timezone.now()).total_seconds() / 60


@pytest.mark.parametrize("fault", ["empty", "500"])
def test_a_page_that_nobody_can_read_waits_for_the_regular_look(
    fault: str, account: int, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    simulator.state.settings.messages += 1
    later(traveller, minutes=70)
    simulator.faults.set("inbox", fault)
    simulator.requests.clear()
    later(traveller, minutes=2)
    assert simulator.requests.count_operation("inbox") > 0
    # The school itself is away: what was seen once is confirmed as soon as it is there again.
    away = fault == "500"
    row = Watch.objects.get(account=account)
    assert (row.confirms, minutes_until_due(account) < 30) == (away, away)
    simulator.faults.clear()
    look_twice(traveller)
    assert [each["count"] for each in told(account, "inbox")] == [1]


def test_a_kind_that_nobody_wants_is_neither_compared_nor_looked_at_again(
    account: int,
    elsa: Caller,
    simulator: Simulator,
    traveller: time_machine.Traveller,
    settings: Settings,
) -> None:
    settings.SCHOOL_CACHE_SECONDS = 0
    simulator.state.settings.messages += 1
    later(traveller, minutes=70)
    KindSetting.objects.filter(account=account, kind="news").update(delivery="list")
    switch_off(account, "inbox")
    version = Watch.objects.get(account=account).version
    elsa.sign_in()
    assert elsa.get("/api/inbox").status_code == 200
    assert Watch.objects.get(account=account).version == version
    later(traveller, minutes=2)
    assert minutes_until_due(account) > 30
    state = WatchState.from_json(Watch.objects.get(account=account).read_state())
    assert (state.lists["inbox"].rows, state.confirm_at()) == ({}, None)
