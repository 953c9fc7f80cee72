"""The organisation of a guardian's session may be that of one of their children."""

from dataclasses import replace

import pytest

from accounts.models import Account
from tests.accounts.stored_data import left_behind
from tests.accounts.test_organization import CHANGED, organization_of, outcome
from tests.conftest import Caller
from upstream.simulator.people import Person
from upstream.simulator.server import Simulator


@pytest.fixture
def eva_upstream(simulator: Simulator) -> Person:
    """Eva, a guardian, one of whose children goes to a school that the list does not name."""
    school = simulator.state.schools["bjorkdalen"]
    school.add(replace(school.people["alva.lind"], org_ids=(99,)))
    return school.people["eva.ek"]


EVA = {"username": "eva.ek", "password": "eva-demo", "school": "bjorkdalen"}


def test_a_guardians_may_be_that_of_a_child(
    caller: Caller, simulator: Simulator, eva_upstream: Person
) -> None:
    simulator.faults.set("session", "other-organization", organization=99)
    assert caller.post("/api/login", EVA).status_code == 200
    assert organization_of(caller) == 99
    simulator.faults.clear()
    assert caller.post("/api/login", EVA).status_code == 200
    assert Account.objects.get().organization_id == 41


def test_a_guardians_is_not_that_of_anybody_else(
    caller: Caller, simulator: Simulator, eva_upstream: Person
) -> None:
    simulator.faults.set("session", "other-organization", organization=98)
    assert outcome(caller.post("/api/login", EVA)) == CHANGED
    assert left_behind() == []


def test_a_stranger_whose_children_all_go_elsewhere_is_refused(
    caller: Caller, simulator: Simulator, eva_upstream: Person
) -> None:
    """Their own children would vouch for a stranger, too: one has to go to a school of the slug."""
    school = simulator.state.schools["bjorkdalen"]
    school.add(replace(school.people["bo.ek"], org_ids=(99,)))
    simulator.faults.set("session", "other-organization", organization=99)
    assert outcome(caller.post("/api/login", EVA)) == CHANGED
    assert left_behind() == []


def test_where_the_list_names_none_a_childs_is_accepted_beside_the_kept_one(
    caller: Caller, simulator: Simulator, eva_upstream: Person, unnumbered: None
) -> None:
    assert caller.post("/api/login", EVA).status_code == 200
    simulator.faults.set("session", "other-organization", organization=99)
    assert caller.post("/api/login", EVA).status_code == 200
    simulator.faults.set("session", "other-organization", organization=98)
    assert outcome(caller.post("/api/login", EVA)) == CHANGED
