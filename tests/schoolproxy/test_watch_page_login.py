"""The watch of somebody who signed in through the school's own page."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine

from accounts.models import ServiceSession
from notifications.models import Notification, PushSubscription
from schoolproxy.models import Watch
from tests.accounts.page_login import signed_in_through_page
from tests.contract.permission_matrix import PUSH
from tests.schoolproxy.watching import MONDAY, clock, kinds_told, later, look_twice, watch
from upstream.simulator.server import Simulator

pytestmark = pytest.mark.django_db


@pytest.fixture
def traveller(simulator: Simulator) -> Iterator[time_machine.Traveller]:
    with clock() as moved:
        yield moved


@pytest.fixture
def account(simulator: Simulator, traveller: time_machine.Traveller) -> int:
    """Tove is watched, and has a device with pushes."""
    browser = signed_in_through_page()
    assert browser.post("/api/push/subscriptions", PUSH).status_code == 201
    number = watch("tove.gran")
    later(traveller, seconds=1)
    later(traveller, minutes=2)
    return number


def test_it_looks_for_days_after_the_first_token_has_ended(
    account: int, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    for _ in range(6):
        later(traveller, minutes=70)
    tove = simulator.state.person("granskolan", "tove.gran")
    day = MONDAY + timedelta(days=2)
    simulator.state.schedule.add("granskolan", tove.user_id, "room", day, "08:20", "Aula")
    look_twice(traveller)
    assert kinds_told(account) == [["room"]]
    assert Watch.objects.get().status == "ok"
    assert simulator.requests.count_operation("login.token") > 5


def test_the_end_of_the_chain_is_told_once(
    account: int, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    simulator.state.tokens.revoke_all_refresh_tokens()
    for _ in range(4):
        later(traveller, minutes=70)
    assert not ServiceSession.objects.exists()
    assert Watch.objects.get().status == "sign_in_again"
    [row] = Notification.objects.filter(account=account, kind="account")
    assert row.read_details() == {"event": "sign_in_again"}
    assert PushSubscription.objects.get().ends_since is not None
    simulator.requests.clear()
    later(traveller, minutes=70)
    assert len(simulator.requests) == 0


@pytest.mark.parametrize("fault", ["500", "not-json"])
def test_a_failure_ends_nothing(
    account: int, simulator: Simulator, traveller: time_machine.Traveller, fault: str
) -> None:
    simulator.faults.set("login.token", fault)
    for _ in range(4):
        later(traveller, minutes=70)
    assert Watch.objects.get().status == "waiting_for_school"
    simulator.faults.clear()
    look_twice(traveller)
    assert Watch.objects.get().status == "ok"
    assert not Notification.objects.filter(account=account, kind="account").exists()
