"""Looks at the school: what is told, when, and by how many requests."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from pytest_django.fixtures import Settings

from notifications.models import KindSetting, Notification
from schoolproxy.models import ScheduleChange, Watch
from schoolproxy.services.watch.looks import look_at_the_school, sign_in_again
from schoolproxy.services.watch.questions import Answer, Question
from schoolproxy.services.watch.record import Observation, _record
from tests.conftest import Caller
from tests.schoolproxy.watching import (
    MONDAY,
    edit,
    kinds_told,
    later,
    look_twice,
    pupil,
    told,
    watch,
)
from upstream.school_guard import SchoolGuards
from upstream.shared_client import client
from upstream.simulator.lessons import lessons_of
from upstream.simulator.server import Simulator

pytestmark = pytest.mark.usefixtures("traveller")


@pytest.fixture
def account(elsa: Caller, traveller: time_machine.Traveller) -> int:
    """Elsa's account, whose school is watched, and whose lessons are known."""
    account = watch()
    look_at_the_school()
    return account


def test_nobody_is_watched_who_did_not_ask_for_it(elsa: Caller, simulator: Simulator) -> None:
    simulator.requests.clear()
    look_at_the_school()
    assert len(simulator.requests) == 0


@pytest.mark.parametrize(("kind", "value"), [("cancelled", ""), ("status", "3")])
def test_a_cancelled_lesson_is_told_after_the_second_look(
    account: int, simulator: Simulator, traveller: time_machine.Traveller, kind: str, value: str
) -> None:
    edit(simulator, kind, value=value)
    later(traveller, minutes=70)
    assert told(account) == []
    later(traveller, minutes=2)
    [details] = told(account)
    [change] = details["changes"]
    assert (change["change"], change["date"], change["after"]) == ("cancelled", "2026-03-10", None)
    assert change["lesson"]["startDate"] == "2026-03-10T08:20"
    for _ in range(3):
        later(traveller, minutes=70)
    assert len(told(account)) == 1
    assert ScheduleChange.objects.filter(account=account).count() == 1


def test_changes_of_one_look_are_one_notification(
    account: int, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    edit(simulator, "room", value="Aula")
    edit(simulator, "moved", MONDAY + timedelta(days=8), value="08:00")
    edit(simulator, "added", start="16:00", value="Extra")
    look_twice(traveller)
    assert [sorted(each) for each in kinds_told(account)] == [["added", "moved", "room"]]


def test_an_emptied_week_is_one_notification_after_half_an_hour(
    account: int, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    edit(simulator, "emptied", MONDAY + timedelta(days=7))
    later(traveller, minutes=70)
    later(traveller, minutes=5)
    assert told(account) == []
    later(traveller, minutes=27)
    [details] = told(account)
    assert details["count"] > 20
    assert {each["change"] for each in details["changes"]} == {"cancelled"}


def test_no_look_is_made_while_the_circuit_is_open_and_the_next_ones_probe_it(
    account: int, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    now = [1000.0]
    client().guards = SchoolGuards(client().config, lambda: now[0])
    breaker = client().guards.of("bjorkdalen").breaker
    for person in ("bo", "alva", "omer"):
        breaker.failed(person)
    simulator.requests.clear()
    later(traveller, minutes=70)
    assert len(simulator.requests) == 0
    now[0] += 10
    later(traveller, minutes=20)
    assert len(simulator.requests) > 0
    assert breaker.closed


@pytest.mark.parametrize(
    "fault",
    ["500", "200-html", "302-login", "401", "403", "404", "odd-items", "reset", "truncated"],
)
def test_a_failure_of_the_school_is_no_change(
    fault: str, account: int, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    simulator.faults.set("lessons", fault)
    for _ in range(4):
        later(traveller, minutes=20)
    simulator.faults.clear()
    for _ in range(4):
        later(traveller, minutes=20)
    assert told(account) == told(account, "account") == []


def test_a_dead_login_is_told_once(
    account: int, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    simulator.state.kill_tokens(pupil(simulator))
    simulator.state.kill_web_sessions(pupil(simulator))
    for _ in range(3):
        later(traveller, minutes=70)
    [row] = Notification.objects.filter(account=account, kind="account")
    assert row.read_details() == {"event": "sign_in_again"}
    assert row.about.startswith("session:")
    [state] = Watch.objects.filter(account=account)
    assert (state.status, state.state) == ("sign_in_again", None)
    simulator.requests.clear()
    later(traveller, minutes=70)
    assert len(simulator.requests) == 0
    Caller().sign_in()
    later(traveller, seconds=1)
    later(traveller, minutes=2)
    edit(simulator, "room", MONDAY + timedelta(days=2), value="Aula")
    look_twice(traveller)
    assert kinds_told(account) == [["room"]]


def test_a_second_worker_does_not_say_again_that_a_login_is_dead(elsa: Caller) -> None:
    """Its look had begun before; the person has read the first notification."""
    account = watch()
    looking = Watch.objects.get(account=account)
    sign_in_again(looking)
    Notification.objects.update(read_at=timezone.now())
    sign_in_again(looking)
    assert Notification.objects.filter(account=account, kind="account").count() == 1


def test_a_second_worker_does_not_tell_again_of_a_change(
    account: int, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    edit(simulator, "cancelled")
    later(traveller, minutes=70)
    began = Watch.objects.get(account=account)
    later(traveller, minutes=2)
    assert kinds_told(account) == [["cancelled"]]
    person = pupil(simulator)
    lessons = lessons_of(person, 11, MONDAY)
    rows = simulator.state.schedule.apply(person.school, person.user_id, MONDAY, lessons)
    observed = Observation(
        answers=[Answer(Question("lessons", 2026, 11), rows)], session_id=began.session_id
    )
    assert not _record(began, observed)
    assert kinds_told(account) == [["cancelled"]]


def test_a_look_asks_for_four_things_at_most(
    elsa: Caller, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    traveller.shift(timedelta(days=2))
    watch()
    simulator.requests.clear()
    look_at_the_school()
    asked = [each.operation for each in simulator.requests]
    lists = ("lessons", "assignments", "news.page", "inbox")
    assert [each for each in asked if each in lists] == ["lessons"] * 3 + ["news.page"]
    assert asked.count("menu") == 1
    simulator.requests.clear()
    later(traveller, minutes=2)
    assert len(simulator.requests) == 0


def test_what_is_switched_off_is_not_asked_for(
    elsa: Caller, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    account = watch()
    for kind in ("schedule", "assignment", "result"):
        KindSetting.objects.create(account_id=account, kind=kind, delivery="off")
    simulator.requests.clear()
    look_at_the_school()
    assert simulator.requests.count_operation("lessons") == 0
    assert simulator.requests.count_operation("assignments") == 0
    assert simulator.requests.count_operation("news.page") == 1
    assert simulator.requests.count_operation("inbox") == 1


def test_opting_out_forgets_everything(
    account: int, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    edit(simulator, "cancelled")
    look_twice(traveller)
    watch(on=False)
    assert not Watch.objects.filter(account=account).exists()
    assert not ScheduleChange.objects.exists()


def test_without_any_kind_nothing_is_watched(elsa: Caller) -> None:
    account = watch(on=False)
    for kind in ("schedule", "assignment", "result", "news", "inbox"):
        KindSetting.objects.create(account_id=account, kind=kind, delivery="off")
    watch()
    assert not Watch.objects.exists()


def test_what_the_app_reads_is_compared_for_free(
    elsa: Caller,
    account: int,
    simulator: Simulator,
    traveller: time_machine.Traveller,
    settings: Settings,
) -> None:
    settings.SCHOOL_CACHE_SECONDS = 0
    elsa.get("/api/session")  # so that this process knows whose credential it is
    edit(simulator, "room", value="Aula")
    for _ in range(2):
        traveller.shift(timedelta(seconds=5))
        assert elsa.get("/api/schedule?week=11").status_code == 200
    assert kinds_told(account) == [["room"]]


def test_a_read_that_cannot_be_compared_is_answered(
    elsa: Caller, traveller: time_machine.Traveller
) -> None:
    watch()
    row = Watch.objects.get()
    row.state = "no state"
    row.save()
    assert elsa.get("/api/schedule?week=11").status_code == 200


def test_a_guardian_hears_of_each_child(
    simulator: Simulator, db: None, traveller: time_machine.Traveller
) -> None:
    Caller().sign_in("eva.ek")
    account = watch("eva.ek")
    look_at_the_school()
    for _ in range(4):
        later(traveller, minutes=2)
    assert set(Watch.objects.values_list("child_id", flat=True)) == {0, 730216, 730217}
    edit(simulator, "room", value="Aula", name="bo.ek")
    later(traveller, minutes=70)
    for _ in range(4):
        later(traveller, minutes=2)
    [details] = told(account)
    assert details["child"] == {"id": "730217", "name": "Bo Ek"}
