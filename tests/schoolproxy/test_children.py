"""A guardian's children: the list, the default, and which child an answer is about."""

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.models import Account
from tests.conftest import Caller, signed_in
from tests.schoolproxy.family import (
    ALVA,
    BO,
    GUARDIAN,
    WEEK,
    assert_about,
    change,
    outcome,
    starts_of,
    week_of,
)
from tests.schoolproxy.routes import ROUTES, Route, each_route
from upstream.simulator.server import Simulator

CHOICES = [{"id": BO, "name": "Bo Ek"}, {"id": ALVA, "name": "Alva Lind"}]


def choose(caller: Caller, child: Any) -> Any:
    return caller.put("/api/children/default", {"id": child})


def leave(simulator: Simulator, name: str = "alva.lind") -> None:
    del simulator.state.schools["bjorkdalen"].people[name]


def test_a_guardian_lists_the_children(eva: Caller) -> None:
    answer = eva.get("/api/children")
    assert answer.json() == {
        "success": True,
        "children": [
            {
                **choice,
                "firstName": choice["name"].split()[0],
                "lastName": choice["name"].split()[1],
                "schools": [{"orgId": "41", "name": "Björkdalsskolan", "className": class_name}],
            }
            for choice, class_name in zip(CHOICES, ("8C", "8B"), strict=True)
        ],
        "default": None,
    }


@pytest.mark.parametrize("name", ["elsa.nordvall", "torbjörn.ekvik"])
def test_others_have_no_children(simulator: Simulator, db: None, name: str) -> None:
    caller = signed_in(name)
    assert outcome(caller.get("/api/children")) == (403, "not_for_this_role")
    assert outcome(choose(caller, BO)) == (403, "not_for_this_role")
    for query in (f"child={BO}", "org=41", f"child={BO}&org=41"):
        answer = caller.get(f"{WEEK}&{query}")
        assert outcome(answer) == (400, "child_not_allowed")
        assert answer.json()["fields"]["child"]
    assert "children" not in caller.get("/api/session").json()
    assert "child" not in caller.get(WEEK).json()


@pytest.mark.parametrize("dialect", ["specified", "observed"])
def test_each_child_is_answered_with_their_own_lessons(
    simulator: Simulator, settings: Settings, db: None, dialect: str
) -> None:
    settings.UPSTREAM_DIALECT = {"": dialect}
    eva = signed_in(GUARDIAN)
    for _ in range(2):
        for child in (BO, ALVA):
            assert_about(simulator, eva.get(week_of(child)), child)
            assert_about(simulator, eva.get(week_of(child, 12)), child, week=12)


@each_route
def test_every_route_names_the_child(eva: Caller, simulator: Simulator, route: Route) -> None:
    for choice, username in zip(CHOICES, ("bo.ek", "alva.lind"), strict=True):
        path = route.of(simulator, username)
        answer = eva.get(f"{path}{'&' if '?' in path else '?'}child={choice['id']}")
        assert answer.status_code == 200, answer.content
        body = answer.json()
        assert body.pop("child") == choice
        # The addresses of files name the child, too.
        own = json.dumps(body).replace(f"?child={choice['id']}", "")
        assert json.loads(own) == signed_in(username).get(path).json()


@each_route
def test_every_route_needs_a_choice(eva: Caller, simulator: Simulator, route: Route) -> None:
    answer = eva.get(route.of(simulator, "bo.ek"))
    assert outcome(answer) == (400, "child_required")
    assert answer.json()["children"] == CHOICES
    assert answer.json()["fields"]["child"]


@pytest.mark.parametrize("name", ["child", "org"])
def test_a_wrong_shape_is_400(eva: Caller, name: str) -> None:
    for wrong in ("x", "", "-1", "0", "1.5", "9" * 20, "%C3%A5", "1" * 200_00):
        answer = eva.get(f"{WEEK}&{name}={wrong}")
        assert outcome(answer) == (400, "invalid_input"), wrong
        assert list(answer.json()["fields"]) == [name]
        assert outcome(Caller().get(f"{WEEK}&{name}={wrong}")) == (401, "not_signed_in")


def test_a_childs_id_that_is_not_the_callers_is_404_with_the_same_bytes(
    eva: Caller, simulator: Simulator
) -> None:
    eva.get("/api/children")
    calls = len(simulator.requests)
    elsas, nobodys = eva.get(week_of("730214")), eva.get(week_of("1"))
    assert outcome(elsas) == (404, "not_found")
    assert elsas.content == nobodys.content
    assert outcome(choose(eva, "730214")) == outcome(choose(eva, "1")) == (404, "not_found")
    assert eva.get(f"{week_of(BO)}&org=42").content == nobodys.content
    assert len(simulator.requests) == calls


def test_the_default_is_used_where_no_child_is_named(eva: Caller, simulator: Simulator) -> None:
    for child in (ALVA, BO, ALVA):
        assert choose(eva, child).json()["default"] == child
        assert_about(simulator, eva.get(WEEK), child)
    assert signed_in(GUARDIAN).get("/api/children").json()["default"] == ALVA
    assert choose(eva, None).json()["default"] is None
    assert outcome(eva.get(WEEK)) == (400, "child_required")
    assert Account.objects.get().default_child_id is None


def test_a_default_of_another_shape_is_400(eva: Caller) -> None:
    wrong = ["x", [], "0", "9" * 30, int(ALVA), float(ALVA), True]
    bodies: list[Any] = [{}, *({"id": value} for value in wrong)]
    for body in bodies:
        answer = eva.put("/api/children/default", json.dumps(body))
        assert outcome(answer) == (400, "invalid_input"), body


def test_a_copy_is_never_opened_as_that_of_another_child(eva: Caller, simulator: Simulator) -> None:
    """Both requests name no child, so the entry has the same name."""
    eva.get("/api/session")  # from now on the entry comes with the look-up of the session
    for child in (BO, ALVA, BO, ALVA):
        choose(eva, child)
        assert_about(simulator, eva.get(WEEK), child)


def test_a_stale_copy_is_of_the_same_child(eva: Caller, simulator: Simulator) -> None:
    choose(eva, BO)
    assert_about(simulator, eva.get(WEEK), BO)
    with time_machine.travel(timezone.now() + timedelta(seconds=70), tick=False):
        simulator.faults.set("lessons", "500")
        answer = eva.get(WEEK)
        assert answer.json()["stale"] is True
        assert_about(simulator, answer, BO)
        choose(eva, ALVA)
        assert outcome(eva.get(WEEK)) == (503, "upstream_failing")
        assert outcome(eva.get(week_of(ALVA))) == (503, "upstream_failing")


def test_the_tags_of_two_children_differ_also_without_lessons(eva: Caller) -> None:
    tags = [eva.get(week_of(child, 29))["ETag"] for child in (BO, ALVA)]
    assert tags[0] != tags[1]
    assert eva.get(week_of(BO, 29), **{"If-None-Match": tags[0]}).status_code == 304
    assert eva.get(week_of(ALVA, 29), **{"If-None-Match": tags[0]}).status_code == 200


def test_a_guardian_of_one_child_names_nobody(simulator: Simulator, db: None) -> None:
    gun = signed_in("gun.nordvall")
    assert gun.get(WEEK).json()["child"] == {"id": "730214", "name": "Elsa Nordvall"}


def test_a_guardian_without_children(simulator: Simulator, db: None) -> None:
    change(simulator, "gun.nordvall", children=())
    gun = signed_in("gun.nordvall")
    assert gun.get("/api/children").json()["children"] == []
    answer = gun.get(WEEK)
    assert outcome(answer) == (400, "child_required")
    assert answer.json()["children"] == []
    assert gun.get("/api/session").json()["children"] == []


def test_a_child_at_two_schools(simulator: Simulator, db: None) -> None:
    change(simulator, "alva.lind", org_ids=(41, 42))
    eva = signed_in(GUARDIAN)
    for query, org_id in (("", 41), ("&org=42", 42), ("&org=41", 41), ("&org=42", 42)):
        lessons = eva.get(f"{week_of(ALVA)}{query}").json()["schedule"]
        shown = {lesson["eventId"] for lesson in lessons if "eventId" in lesson}
        assert shown <= starts_of(simulator, ALVA, org_id=org_id)
    schools = eva.get("/api/children").json()["children"][1]["schools"]
    assert [school["orgId"] for school in schools] == ["41", "42"]


def test_a_child_who_leaves_the_school(eva: Caller, simulator: Simulator) -> None:
    choose(eva, ALVA)
    assert_about(simulator, eva.get(WEEK), ALVA)
    leave(simulator)
    with time_machine.travel(timezone.now() + timedelta(minutes=11), tick=False):
        assert outcome(eva.get(week_of(ALVA))) == (404, "not_found")
        assert Account.objects.get().default_child_id is None
        assert eva.get("/api/children").json()["default"] is None
        assert_about(simulator, eva.get(WEEK), BO)  # the only one
        simulator.faults.set("traffic", "500")
        assert outcome(eva.get(week_of(ALVA))) == (404, "not_found")


def test_one_empty_list_at_the_beginning_is_not_believed(eva: Caller, simulator: Simulator) -> None:
    simulator.faults.set("child", "no-children", times=1)
    assert outcome(eva.get(week_of(BO))) == (502, "upstream_changed")
    assert_about(simulator, eva.get(week_of(BO)), BO)


@pytest.mark.parametrize("lie", ["no-children", "other-child", "no-current-child", "empty", "500"])
def test_one_wrong_list_takes_no_child_away(eva: Caller, simulator: Simulator, lie: str) -> None:
    choose(eva, ALVA)
    with time_machine.travel(timezone.now() + timedelta(minutes=11), tick=False):
        simulator.faults.set("child", lie, times=1)
        assert [each["id"] for each in eva.get("/api/children").json()["children"]] == [BO, ALVA]
        assert Account.objects.get().default_child_id == int(ALVA)
        simulator.faults.clear()
        assert_about(simulator, eva.get(WEEK), ALVA)


def test_the_list_is_used_for_an_hour_while_upstream_fails(
    eva: Caller, simulator: Simulator
) -> None:
    eva.get("/api/children")
    simulator.faults.set("child", "500")
    for minutes in (11, 50):
        with time_machine.travel(timezone.now() + timedelta(minutes=minutes), tick=False):
            assert eva.get("/api/children").status_code == 200
    with time_machine.travel(timezone.now() + timedelta(minutes=61), tick=False):
        eva.post("/api/refresh")
        assert outcome(eva.get("/api/children"))[0] == 503


def test_the_session_names_the_children(eva: Caller, simulator: Simulator) -> None:
    assert eva.get("/api/session").json()["children"] == CHOICES
    calls = len(simulator.requests)
    assert eva.get("/api/session").json()["children"] == CHOICES
    assert len(simulator.requests) == calls


def test_the_session_says_that_nobody_knows_the_children(eva: Caller, simulator: Simulator) -> None:
    simulator.faults.set("child", "500")
    answer = eva.get("/api/session")
    assert (answer.status_code, answer.json()["children"]) == (200, None)


def test_a_guardian_sees_nothing_that_the_child_wrote_here(eva: Caller) -> None:
    bo = signed_in("bo.ek")
    note = bo.post("/api/notes", {"title": "Hemligt", "content": "bara mitt"}).json()["note"]
    bo.put("/api/profile", {"bio": "bara mina vänner"})
    path = f"/api/notes/{note['id']}"
    for query in ("", f"?child={BO}"):
        assert eva.get(path + query).status_code == 404
        assert eva.get(f"/api/notes{query}").json()["notes"] == []
        assert eva.get(f"/api/conversations{query}").json()["conversations"] == []
        assert eva.get(f"/api/friends{query}").json()["friends"] == []
        assert eva.get(f"/api/countdowns{query}").json()["countdowns"] == []
    for route in ROUTES[:3]:
        assert b"Hemligt" not in eva.get(f"{route.path.split('?')[0]}?child={BO}").content


def test_no_child_means_nothing_to_the_search(eva: Caller) -> None:
    answer = eva.get("/api/people/staff?q=elsa&child=x")
    assert answer.status_code == 200
