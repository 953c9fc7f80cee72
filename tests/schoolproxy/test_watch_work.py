"""What the watch tells of exams, and of what was not handed in."""

from datetime import date, datetime, time
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from notifications.models import KindSetting
from schoolproxy.services.watch.confirmation import AnswerTime
from schoolproxy.services.watch.lists import ListState
from schoolproxy.services.watch.looks import look_at_the_school
from schoolproxy.services.watch.watched_lists import read_exams
from tests.conftest import Caller
from tests.schoolproxy.watching import MONDAY, STOCKHOLM, later, look_twice, pupil, told, watch
from upstream.simulator.assignments.data import Assignment, of_week
from upstream.simulator.classes import class_of
from upstream.simulator.server import Simulator

pytestmark = pytest.mark.usefixtures("traveller")
FAR = datetime.combine(date(2026, 5, 7), time(9))
FARTHER = datetime.combine(date(2026, 5, 21), time(9))
SOON = datetime.combine(date(2026, 3, 12), time(9))
PAST = datetime.combine(date(2026, 3, 2), time(9))
SCHOOL = "bjorkdalen"
OTHERS = ("schedule", "result", "news", "inbox")


def watch_work(name: str = "elsa.nordvall") -> int:
    """Watch only the assignments of somebody, and make the first looks."""
    account = watch(name)
    for kind in OTHERS:
        KindSetting.objects.create(account_id=account, kind=kind, delivery="off")
    return account


def items(account: int, topic: str) -> list[dict[str, Any]]:
    found = [each for each in told(account, "assignment") if each["topic"] == topic]
    return [item for each in found for item in each["items"]]


def homework(simulator: Simulator, name: str = "elsa.nordvall") -> Assignment:
    """Nobody has to hand it in, unless a test says so."""
    own = class_of(pupil(simulator, name), simulator.state)
    return next(one for one in of_week(own, MONDAY) if one.index == 2)


@pytest.fixture
def account(elsa: Caller, traveller: time_machine.Traveller) -> int:
    found = watch_work()
    look_at_the_school()
    later(traveller, minutes=70)
    return found


def test_a_new_exam_is_told_once_also_when_its_week_comes_nearer(
    account: int, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    user = pupil(simulator).user_id
    far = simulator.state.assignments.add(SCHOOL, user, "Prov kap 7", FAR)
    near = simulator.state.assignments.add(SCHOOL, user, "Prov kap 5", SOON)
    simulator.state.assignments.add(SCHOOL, user, "Gammalt prov", PAST)
    simulator.requests.clear()
    look_twice(traveller)
    assert simulator.requests.count_operation("dated") == 2
    assert [each["id"] for each in items(account, "exams")] == [str(far)]
    assert [each["id"] for each in items(account, "")] == [str(near)]
    for _ in range(9):
        later(traveller, days=7)
        look_twice(traveller)
    assert timezone.localdate() > FAR.date()
    assert len(items(account, "exams") + items(account, "")) == 2


def test_an_exam_that_the_calendar_has_first_is_not_told_by_the_list_of_its_week(
    account: int, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    simulator.faults.set("assignments", "500")
    simulator.state.assignments.add(SCHOOL, pupil(simulator).user_id, "Prov kap 5", SOON)
    for _ in range(4):  # until a turn begins with the calendar
        look_twice(traveller)
    assert len(items(account, "exams")) == 1
    simulator.faults.clear()
    for _ in range(3):
        look_twice(traveller)
    assert len(told(account, "assignment")) == 1


@pytest.mark.parametrize("fault", ["500", "403", "empty-list", "200-html"])
@pytest.mark.parametrize("operation", ["dated", "subjects.assignments"])
def test_a_look_that_fails_neither_tells_nor_forgets(
    operation: str,
    fault: str,
    account: int,
    simulator: Simulator,
    traveller: time_machine.Traveller,
) -> None:
    simulator.faults.set(operation, fault)
    for _ in range(3):
        look_twice(traveller)
    simulator.faults.clear()
    for _ in range(3):
        look_twice(traveller)
    assert told(account, "assignment") == []


def test_missing_work_is_told_once_and_not_what_was_missing_before(
    account: int, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    one, user = homework(simulator), pupil(simulator).user_id
    assert told(account, "assignment") == []  # there is some in the simulated half-year
    for missing in (True, False, True):
        simulator.state.assignments.miss(SCHOOL, user, one.id, missing=missing)
        look_twice(traveller)
    assert items(account, "missing") == [{"id": str(one.id), "title": one.title}]


def test_what_the_list_of_missing_work_has_after_a_weekend_is_told_and_not_what_is_late(
    account: int, elsa: Caller, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    one = homework(simulator)
    own = class_of(pupil(simulator), simulator.state)
    assert "LATE" in {each.handed_in(date(2026, 3, 16)) for each in of_week(own, MONDAY)}
    simulator.state.assignments.miss(SCHOOL, pupil(simulator).user_id, one.id)
    later(traveller, days=7)
    look_twice(traveller)
    assert [each["id"] for each in items(account, "missing")] == [str(one.id)]
    elsa.sign_in("elsa.nordvall")
    listed = [each["assignmentId"] for each in elsa.get("/api/missing").json()["missing"]]
    assert str(one.id) in listed


def test_a_guardian_is_told_of_the_child_and_is_led_to_it(
    eva: Caller, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    account = watch_work("eva.ek")
    look_at_the_school()
    for _ in range(3):
        look_twice(traveller)
    bo, one = pupil(simulator, "bo.ek"), homework(simulator, "bo.ek")
    simulator.state.assignments.add(SCHOOL, bo.user_id, "Prov kap 7", FAR)
    simulator.state.assignments.miss(SCHOOL, bo.user_id, one.id)
    look_twice(traveller)
    look_twice(traveller)
    assert len(told(account, "assignment")) == 2
    eva.sign_in("eva.ek")
    for language, titles in (
        ("en", {"Bo Ek: 1 assignment not handed in", "Bo Ek: 1 new exam or task"}),
        ("sv", {"Bo Ek: 1 uppgift inte inlämnad", "Bo Ek: 1 nytt prov eller annan uppgift"}),
    ):
        eva.patch("/api/notifications/settings", {"language": language})
        answer = eva.get("/api/notifications").json()
        found = [each for each in answer["notifications"] if each["kind"] == "assignment"]
        assert {each["title"] for each in found} == titles
        assert {each["data"]["child"] for each in found} == {str(bo.user_id)}
        assert {each["url"] for each in found} == {"/todo", "/week?from=2026-05-07"}
        assert str(one.id) in {each["data"]["assignmentId"] for each in found}


@pytest.mark.parametrize(("before", "after"), [(FAR, SOON), (FAR, FARTHER), (SOON, FAR)])
def test_an_exam_that_moves_to_another_week_is_told_as_changed(
    before: datetime,
    after: datetime,
    account: int,
    simulator: Simulator,
    traveller: time_machine.Traveller,
) -> None:
    edits, user = simulator.state.assignments, pupil(simulator).user_id
    number = edits.add(SCHOOL, user, "Prov kap 7", before)
    for _ in range(3):
        look_twice(traveller)
    assert [each["new"] for each in told(account, "assignment")] == [True]
    edits.move(SCHOOL, user, number, "Prov kap 7", after)
    for _ in range(4):
        look_twice(traveller)
    first, second = told(account, "assignment")
    assert (first["new"], second["new"]) == (True, False)
    assert [each["id"] for each in second["items"]] == [str(number)]


def test_a_first_look_that_failed_is_none(
    elsa: Caller, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    for operation in ("dated", "subjects.assignments"):
        simulator.faults.set(operation, "empty-list")
    account = watch_work()
    look_at_the_school()
    for _ in range(3):
        look_twice(traveller)
    simulator.faults.clear()
    for _ in range(3):
        look_twice(traveller)
    assert told(account, "assignment") == []


def test_a_new_exam_is_where_the_notification_leads(
    account: int, elsa: Caller, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    number = simulator.state.assignments.add(SCHOOL, pupil(simulator).user_id, "Prov kap 7", FAR)
    look_twice(traveller)
    look_twice(traveller)
    elsa.sign_in("elsa.nordvall")
    [notification] = [
        each
        for each in elsa.get("/api/notifications").json()["notifications"]
        if each["kind"] == "assignment"
    ]
    path, _, day = notification["url"].partition("?from=")
    assert (path, day) == ("/week", "2026-05-07")
    answer = elsa.get(f"/api/calendar?from={day}&to={day}").json()
    assert str(number) in {each["id"] for each in answer["items"]}


def exam(number: int, title: str = "", start: str = "2026-05-07 09:00") -> dict[str, Any]:
    return {"id": str(number), "title": title or f"Prov {number}", "start": start, "end": None}


def test_an_exam_of_two_groups_is_told_once() -> None:
    with time_machine.travel(datetime(2026, 3, 9, 9, tzinfo=STOCKHOLM), tick=False):
        found = read_exams([exam(1, "Prov kap 7"), exam(2, "Prov kap 7"), exam(3)])
    assert [each.id for each in found] == ["1", "3"]


def test_what_is_far_down_a_long_list_is_not_new_when_others_are_over() -> None:
    known = ListState()
    exams = [exam(0, start="2026-03-09"), *(exam(number) for number in range(1, 700))]
    for day in (9, 10, 11):
        with time_machine.travel(datetime(2026, 3, day, 9, tzinfo=STOCKHOLM), tick=False):
            now = AnswerTime(timezone.now().timestamp(), timezone.localdate())
            assert known.update("exams", read_exams(exams), now, selected=True) == []
