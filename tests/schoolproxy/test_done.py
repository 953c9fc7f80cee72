"""PUT /api/assignments/{id}/done: what one has ticked off, and `done` in the lists."""

from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from typing import Any

import orjson
import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from accounts.models import Account
from schoolproxy.limits import MAX_DONE
from schoolproxy.models import DoneAssignment
from schoolproxy.services.done import purge_old_done
from tests.concurrency import at_once
from tests.conftest import Caller, signed_in
from tests.schoolproxy.family import ALVA, BO, GUARDIAN
from tests.schoolproxy.routes import WEEK_ASSIGNMENTS, numbers
from tests.schoolproxy.test_assignment import assignment_of
from upstream.simulator.server import Simulator

WEEK = WEEK_ASSIGNMENTS.path
UNKNOWN = 41_205_839


@pytest.fixture
def number(simulator: Simulator) -> int:
    """An assignment of Elsa's and Bo's class."""
    return numbers(simulator)["assignment"]


def tick(caller: Caller, number: int, done: bool = True, query: str = "") -> Any:
    return caller.put(f"/api/assignments/{number}/done{query}", {"done": done})


def ticked_in(caller: Caller, path: str = WEEK) -> set[int]:
    answer = caller.get(path)
    assert answer.status_code == 200, answer.content
    rows = answer.json()["data"]
    assert {row["done"] for row in rows} <= {True, False}
    return {row["id"] for row in rows if row["done"]}


def test_a_tick_is_there_at_once_on_all_devices_and_for_nobody_else(
    elsa: Caller, bo: Caller, number: int
) -> None:
    other_device = signed_in()
    assert ticked_in(other_device) == ticked_in(bo) == set()
    answer = tick(elsa, number)
    assert (answer.status_code, answer.json()) == (200, {"success": True, "done": True})
    assert ticked_in(elsa) == ticked_in(other_device) == {number}
    assert ticked_in(bo) == set()
    assert tick(other_device, number, done=False).json() == {"success": True, "done": False}
    assert ticked_in(elsa) == set()
    assert not DoneAssignment.objects.exists()


def test_every_answer_with_assignments_carries_it(elsa: Caller, simulator: Simulator) -> None:
    one = assignment_of(simulator, 0)
    room = elsa.get("/api/assignment/" + str(one.id)).json()["assignment"]["subjectRoomId"]
    recent = elsa.get(f"/api/subjects/{room}").json()["overview"]["examinations"][0]["id"]
    assert tick(elsa, recent).status_code == 200
    overview = elsa.get(f"/api/subjects/{room}").json()
    rows = [*overview["assignments"], *overview["overview"]["examinations"]]
    assert [row["id"] for row in rows if row.get("done")] == [recent, recent]
    assert all("done" not in row for row in rows if row.get("entityType") == "PLANNING")
    entities = [
        entity
        for subject in elsa.get("/api/subjects").json()["subjects"]
        for entity in subject["entities"]
    ]
    assert [entity["id"] for entity in entities if entity.get("done")] == [recent]
    assert elsa.get(f"/api/assignment/{recent}").json()["assignment"]["done"] is True
    assert elsa.get(f"/api/assignment/{one.id}").json()["assignment"]["done"] is False
    assert "done" not in elsa.get("/api/assignment/412007?type=planning").json()["assignment"]


def test_missing_work_can_be_ticked_off_and_stays_in_the_list(elsa: Caller) -> None:
    first, *others = elsa.get("/api/missing").json()["missing"]
    assert tick(elsa, int(first["assignmentId"])).status_code == 200
    rows = elsa.get("/api/missing").json()["missing"]
    assert [row["done"] for row in rows] == [True, *(False for _ in others)]


def test_the_tag_of_an_answer_changes_with_a_tick(elsa: Caller, number: int) -> None:
    tag = elsa.get(WEEK).headers["ETag"]
    tick(elsa, number)
    assert elsa.get(WEEK, **{"If-None-Match": tag}).status_code == 200
    tick(elsa, number, done=False)
    assert elsa.get(WEEK, **{"If-None-Match": tag}).status_code == 304


def test_upstream_is_asked_once_whether_one_may_see_it(
    elsa: Caller, simulator: Simulator, number: int
) -> None:
    elsa.get("/api/session")
    simulator.requests.clear()
    tick(elsa, number)
    assert [len(simulator.requests), simulator.requests.count_operation("assignment")] == [1, 1]
    simulator.faults.set("assignment", "500")
    for done in (True, False):
        assert tick(elsa, number, done=done).status_code == 200
    assert len(simulator.requests) == 1


@pytest.mark.parametrize("done", [True, False])
@pytest.mark.parametrize("refusal", ["403", "404"])
def test_what_one_may_not_see_is_404_like_what_does_not_exist(
    elsa: Caller, simulator: Simulator, refusal: str, done: bool
) -> None:
    simulator.state.settings.set("foreign", refusal)
    foreign = tick(elsa, numbers(simulator, "alva.lind")["assignment"], done=done)
    unknown = tick(elsa, UNKNOWN, done=done)
    assert (foreign.status_code, foreign.content) == (404, unknown.content)
    assert foreign.json()["code"] == "not_found"
    assert not DoneAssignment.objects.exists()


def test_a_tick_of_others_says_nothing_to_those_who_may_not_see_the_assignment(
    elsa: Caller, simulator: Simulator, number: int
) -> None:
    tick(elsa, number)
    alva = signed_in("alva.lind")
    assert tick(alva, number).content == tick(alva, UNKNOWN).content
    assert DoneAssignment.objects.count() == 1


@pytest.mark.parametrize("fault", ["500", "not-json", "reset"])
def test_while_upstream_fails_nothing_new_is_ticked_off(
    elsa: Caller, simulator: Simulator, number: int, fault: str
) -> None:
    simulator.faults.set("assignment", fault)
    assert tick(elsa, number).status_code in (502, 503)
    assert not DoneAssignment.objects.exists()


@pytest.mark.parametrize(
    "body",
    [{}, {"done": None}, {"done": "yes"}, {"done": 1}, {"done": []}, [], [True], "done", None],
)
def test_a_body_without_true_or_false_is_400(elsa: Caller, number: int, body: Any) -> None:
    answer = elsa.put(f"/api/assignments/{number}/done", body)
    assert (answer.status_code, answer.json()["success"]) == (400, False)
    assert not DoneAssignment.objects.exists()


@pytest.mark.parametrize("path", ["week", "-1", "1.5", "9" * 20, "١", "%00"])
def test_what_is_no_id_is_404(elsa: Caller, path: str) -> None:
    assert elsa.put(f"/api/assignments/{path}/done", {"done": True}).status_code == 404


def test_a_guardian_ticks_off_for_each_child(simulator: Simulator, db: None) -> None:
    guardian, bo = signed_in(GUARDIAN), signed_in("bo.ek")
    numbers_of = {
        child: numbers(simulator, name)["assignment"]
        for child, name in ((BO, "bo.ek"), (ALVA, "alva.lind"))
    }
    for child, number in numbers_of.items():
        assert tick(guardian, number, query=f"?child={child}").status_code == 200
    for child, number in numbers_of.items():
        assert ticked_in(guardian, f"{WEEK}&child={child}") == {number}
    assert ticked_in(bo) == set()
    assert tick(guardian, numbers_of[ALVA], query=f"?child={BO}").status_code == 404
    assert tick(guardian, numbers_of[BO]).json()["code"] == "child_required"
    assert tick(guardian, numbers_of[BO], query="?child=730214").status_code == 404
    assert tick(bo, numbers_of[BO], query=f"?child={BO}").json()["code"] == "child_not_allowed"
    tick(guardian, numbers_of[BO], done=False, query=f"?child={BO}")
    assert ticked_in(guardian, f"{WEEK}&child={ALVA}") == {numbers_of[ALVA]}


def test_of_children_in_one_class_each_has_its_own_tick(simulator: Simulator, db: None) -> None:
    guardian, number = signed_in(GUARDIAN), numbers(simulator, "bo.ek")["assignment"]
    account = Account.objects.get()
    of_alva = {"account": account, "child_id": int(ALVA), "assignment_id": number}
    DoneAssignment.objects.create(**of_alva, due_on=timezone.localdate())
    assert ticked_in(guardian, f"{WEEK}&child={BO}") == set()
    tick(guardian, number, query=f"?child={BO}")
    assert ticked_in(guardian, f"{WEEK}&child={BO}") == {number}
    tick(guardian, number, done=False, query=f"?child={BO}")
    assert DoneAssignment.objects.get().child_id == int(ALVA)


def fill(account: Account, count: int, due_on: date | None = None) -> None:
    due = due_on or timezone.localdate()
    DoneAssignment.objects.bulk_create(
        DoneAssignment(account=account, assignment_id=each, due_on=due) for each in range(count)
    )


def test_one_more_than_two_thousand_is_409(elsa: Caller, number: int) -> None:
    fill(Account.objects.get(), MAX_DONE - 1)
    assert tick(elsa, number).status_code == 200
    other = number + 1
    answer = tick(elsa, other)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_kept")
    assert tick(elsa, number).status_code == 200
    assert tick(elsa, number, done=False).status_code == 200
    assert tick(elsa, other).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_ticks_at_once_are_one(simulator: Simulator) -> None:
    elsa = signed_in()
    number = numbers(simulator)["assignment"]
    answers = at_once([partial(tick, elsa.twin(), number) for _ in range(4)])
    assert [answer.status_code for answer in answers] == [200] * 4
    assert DoneAssignment.objects.count() == 1


def test_a_tick_is_deleted_thirteen_months_after_the_due_date(elsa: Caller) -> None:
    today, account = timezone.localdate(), Account.objects.get()
    fill(account, 1, today - timedelta(days=397))
    DoneAssignment.objects.create(
        account=account, assignment_id=7, due_on=today - timedelta(days=394)
    )
    assert purge_old_done(dry_run=True).expired == 1
    assert purge_old_done().expired == 1
    assert DoneAssignment.objects.get().assignment_id == 7


@pytest.mark.parametrize(
    ("due", "days"),
    [("2026-03-17", None), ("9999-12-31", 366), ("", 0), ("soon", 0), (None, 0), (20260317, 0)],
)
def test_a_due_date_that_is_nonsense_does_not_keep_it_for_ever(
    elsa: Caller, simulator: Simulator, number: int, due: object, days: int | None,
    upstream_view: Callable[[object], None],
) -> None:  # fmt: skip
    upstream_view({"id": number, "title": "Prov", "endDate": due})
    assert tick(elsa, number).status_code == 200
    kept = DoneAssignment.objects.get().due_on
    assert kept == (
        date(2026, 3, 17) if days is None else timezone.localdate() + timedelta(days=days)
    )


@pytest.fixture
def upstream_view(simulator: Simulator) -> Callable[[object], None]:
    """Makes this document the view of every assignment."""

    def answer(document: object) -> None:
        body = orjson.dumps(document).decode()
        headers = {"Content-Type": "application/json"}
        simulator.faults.set("assignment", "answer", body=body, headers=headers)

    return answer


def test_cached_lists_are_there_without_the_database(elsa: Caller, number: int) -> None:
    tick(elsa, number)
    elsa.get(WEEK)

    def away(*_: Any) -> Any:
        raise OperationalError

    with connection.execute_wrapper(away):
        rows = elsa.get(WEEK).json()["data"]
        assert {row["done"] for row in rows} == {None}
        assert tick(elsa, number, done=False).status_code == 503
    assert ticked_in(elsa) == {number}
