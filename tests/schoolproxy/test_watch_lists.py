"""What is told of the lists of the school, and which of them are asked for."""

from datetime import timedelta

import pytest
import time_machine

from notifications.models import KindSetting
from schoolproxy.models import Watch
from schoolproxy.services.watch.looks import look_at_the_school
from schoolproxy.services.watch.state import WatchState
from tests.conftest import Caller
from tests.schoolproxy.watching import MONDAY, MORNING, later, look_twice, pupil, told, watch
from upstream.simulator.assignments.data import of_week
from upstream.simulator.assignments.results import published
from upstream.simulator.server import Simulator

pytestmark = pytest.mark.usefixtures("traveller")


def state_of(account: int) -> WatchState:
    return WatchState.from_json(Watch.objects.get(account=account).read_state())


def test_news_and_messages_are_told_once_and_nothing_is_marked_as_read(
    elsa: Caller, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    account = watch()
    simulator.state.settings.message_days = 0
    for _ in range(5):
        later(traveller, minutes=70)
    simulator.requests.clear()
    simulator.state.settings.news_items += 1
    simulator.state.settings.messages += 2
    simulator.state.gone_messages.add(3)
    for _ in range(7):
        later(traveller, minutes=70)
        later(traveller, minutes=2)
    [news], [inbox] = told(account, "news"), told(account, "inbox")
    assert news["count"] == 1
    number = pupil(simulator).user_id * 100
    assert inbox["items"] == [
        {"id": str(number + 9), "title": "", "from": "SchoolSoft"},
        {"id": str(number + 8), "title": "Sv: Utflykt till Ekängen", "from": "Torbjörn Ekvik"},
    ]
    assert {each.action for each in simulator.requests} == {""}
    assert simulator.requests.count_operation("menu") == 1


def test_results_are_told_once_without_a_grade_whenever_their_assignment_was_due(
    elsa: Caller, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    shown = published(pupil(simulator), simulator.state)
    oldest = min(shown, key=lambda one: one.due)
    # One that is in the list of this week, too.
    coming = next(one for one in of_week(oldest.school_class, MONDAY) if one.index == 2)
    simulator.state.unpublished_results = {oldest.id}
    account = watch()
    for kind in ("schedule", "news", "inbox"):
        KindSetting.objects.create(account_id=account, kind=kind, delivery="off")
    for _ in range(4):
        later(traveller, minutes=70)
    assert told(account, "result") == []
    simulator.state.unpublished_results = set()
    simulator.state.assignments.publish("bjorkdalen", pupil(simulator).user_id, coming.id)
    simulator.requests.clear()
    for _ in range(7):
        later(traveller, minutes=70)
        later(traveller, minutes=2)
    items = [item for each in told(account, "result") for item in each["items"]]
    expected = [{"id": str(one.id), "title": one.title} for one in (oldest, coming)]
    assert sorted(items, key=lambda item: item["id"]) == expected
    assert simulator.requests.count_operation("results") > 0
    assert simulator.requests.count_operation("assignment.assessment") == 0


@pytest.mark.parametrize("how", ["menu", "403", "404"])
def test_what_the_school_has_switched_off_is_asked_again_in_six_hours(
    how: str, elsa: Caller, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    account = watch()
    look_at_the_school()
    for kind in ("schedule", "assignment", "result", "news"):
        KindSetting.objects.create(account_id=account, kind=kind, delivery="off")
    later(traveller, minutes=370)
    if how == "menu":
        simulator.state.switched_off.add("MESSAGES")
    else:
        simulator.faults.set("inbox", how)
    # A message was seen once, when the school hides the inbox.
    simulator.state.settings.messages += 1
    for _ in range(9):  # until it has been refused, also where a look had no time for it
        later(traveller, minutes=60)
        if "inbox" in state_of(account).unavailable:
            break
    simulator.requests.clear()
    for _ in range(5):
        later(traveller, minutes=20)
    assert len(simulator.requests) == 0
    assert Watch.objects.get(account=account).status == "ok"
    simulator.faults.clear()
    simulator.state.switched_off.clear()
    traveller.move_to(MORNING + timedelta(days=1))
    look_twice(traveller)
    [inbox] = told(account, "inbox")
    assert inbox["count"] == 1
