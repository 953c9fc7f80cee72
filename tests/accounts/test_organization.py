"""The organisation in upstream's session answer must be one of the school's slug.

The simulator's list gives bjorkdalen the organisations 41, 42 and 43, and nyvang 57.
"""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from pytest_django.fixtures import Settings

import store
from accounts.models import Account, ServiceSession
from accounts.services import schools
from tests.accounts.conftest import live, unrecorded
from tests.accounts.stored_data import left_behind, store_keys
from tests.conftest import ELSA, Caller
from upstream.simulator.people import Person
from upstream.simulator.server import Simulator

CHANGED = (502, "upstream_changed")


def outcome(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


def organization_of(caller: Caller) -> Any:
    return caller.get("/api/session").json()["session"]["organization"]["id"]


@pytest.fixture
def another(simulator: Simulator) -> None:
    """From now on, upstream's session answers name an organisation of another school."""
    simulator.faults.set("session", "other-organization")


@pytest.fixture
def pair(simulator: Simulator, db: None) -> Caller:
    """A browser with Elsa's cookies, which no record knows."""
    return unrecorded(simulator, "elsa.nordvall", "bjorkdalen")


@pytest.mark.parametrize("dialect", ["specified", "observed"])
def test_a_login_is_502_and_leaves_nothing_behind(
    caller: Caller, settings: Settings, another: None, dialect: str
) -> None:
    settings.UPSTREAM_DIALECT = {"": dialect}
    answers = [caller.post("/api/login", ELSA)]
    if dialect == "specified":  # by halves, too
        body = caller.post("/api/v2/initiate", ELSA).json() | {"school": "bjorkdalen"}
        answers.append(caller.post("/api/v2/callback", body))
    for answer in answers:
        assert outcome(answer) == CHANGED
        assert not answer.cookies
    assert left_behind() == []


def test_nobody_gets_into_the_account_of_a_stranger_with_the_same_number(
    elsa: Caller, simulator: Simulator, another: None
) -> None:
    assert outcome(Caller().post("/api/login", ELSA)) == CHANGED
    assert ServiceSession.objects.count() == 1


def test_it_neither_locks_anybody_out_nor_opens_the_circuit(
    caller: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.LIMITS = {"login": "2/1800", "login_address": "2/86400"}
    simulator.faults.set("session", "other-organization", times=8)
    for _ in range(8):
        assert outcome(caller.post("/api/login", ELSA)) == CHANGED
    assert caller.post("/api/login", ELSA).status_code == 200


def test_every_organisation_of_the_slug_is_accepted(elsa: Caller, simulator: Simulator) -> None:
    assert organization_of(elsa) == 41
    simulator.faults.set("session", "other-organization", organization=42)
    elsa.sign_in()
    assert organization_of(elsa) == 42
    assert Account.objects.get().organization_id == 42


def test_an_answer_that_names_none_is_502_where_the_list_names_some(
    caller: Caller, simulator: Simulator
) -> None:
    simulator.faults.set("session", "no-organization")
    assert outcome(caller.post("/api/login", ELSA)) == CHANGED
    assert left_behind() == []


@pytest.mark.parametrize("role", ["gun.nordvall", "torbjörn.ekvik"])
def test_it_is_compared_for_guardians_and_teachers_too(
    caller: Caller, simulator: Simulator, role: str
) -> None:
    body = ELSA | {"username": role, "password": f"{role.split('.')[0]}-demo"}
    simulator.faults.set("session", "other-organization")
    assert outcome(caller.post("/api/login", body)) == CHANGED
    simulator.faults.set("session", "other-organization", organization=43)
    assert caller.post("/api/login", body).status_code == 200


def test_a_session_is_refused_in_spite_of_the_grace_in_an_outage_and_lives_on(
    elsa: Caller, simulator: Simulator
) -> None:
    assert elsa.get("/api/schedule?week=11").status_code == 200
    with time_machine.travel(timezone.now() + timedelta(seconds=60), tick=False):
        simulator.faults.set("session", "other-organization")
        for path in ("/api/session", "/api/notes", "/api/schedule?week=11"):
            answer = elsa.get(path)
            assert outcome(answer) == CHANGED
            assert not answer.cookies
        simulator.faults.clear()
        assert organization_of(elsa) == 41


def test_a_wrong_answer_is_not_cached(elsa: Caller, simulator: Simulator, another: None) -> None:
    store.clear()
    assert outcome(elsa.get("/api/session")) == CHANGED
    assert outcome(elsa.get("/api/session")) == CHANGED
    assert not [key for key in store_keys() if key.startswith("session:")]


def test_a_new_web_session_of_a_token_is_checked(
    bearer: dict[str, str], simulator: Simulator, another: None
) -> None:
    store.clear()
    assert outcome(Caller().get("/api/session", **bearer)) == CHANGED
    assert not [key for key in store_keys() if key.startswith("session:")]
    simulator.faults.clear()
    assert Caller().get("/api/session", **bearer).status_code == 200


def test_it_is_checked_when_a_data_route_translates_the_token_again(
    bearer: dict[str, str], simulator: Simulator, elsa_upstream: Person
) -> None:
    assert Caller().get("/api/schedule?week=11", **bearer).status_code == 200
    simulator.state.kill_web_sessions(elsa_upstream)
    simulator.faults.set("session", "other-organization")
    assert outcome(Caller().get("/api/schedule?week=12", **bearer)) == CHANGED


def test_the_cookies_of_a_refresh_are_checked_before_they_serve(
    elsa: Caller, simulator: Simulator, another: None
) -> None:
    assert outcome(elsa.post("/api/refresh")) == CHANGED
    simulator.faults.clear()
    assert organization_of(elsa) == 41


def test_a_pair_without_a_record_makes_no_account(pair: Caller, another: None) -> None:
    answer = pair.get("/api/session")
    assert outcome(answer) == CHANGED
    assert not answer.cookies
    assert left_behind() == []


def test_a_pair_without_a_record_counts_as_a_guess(
    pair: Caller, settings: Settings, another: None
) -> None:
    settings.LIMITS = {"unknown_cookies": "2/86400"}
    assert [pair.get("/api/session").status_code for _ in range(3)] == [502, 502, 429]


def test_a_profile_takes_nothing_from_a_wrong_answer(elsa: Caller, simulator: Simulator) -> None:
    assert organization_of(elsa) == 41
    simulator.faults.set("session", "other-organization")
    profile = elsa.put("/api/profile", {"bio": "hello"}).json()["profile"]
    assert profile["bio"] == "hello"
    assert organization_of(elsa) == 41  # what was cached before


def test_no_account_is_erased_with_the_password_of_another_organisation(
    elsa: Caller, simulator: Simulator
) -> None:
    assert elsa.get("/api/session").status_code == 200
    simulator.faults.set("session", "other-organization")
    assert outcome(elsa.delete("/api/account", {"password": "elsa-demo"})) == CHANGED
    assert Account.objects.count() == 1
    assert live(simulator) == 1  # the one that was opened for the check was ended


def test_without_numbers_in_the_list_the_first_answer_decides(
    unnumbered: None, caller: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.SESSION_CHECK_SECONDS = 0
    caller.sign_in()
    assert organization_of(caller) == 41
    simulator.faults.set("session", "other-organization", organization=42)
    assert outcome(caller.get("/api/session")) == CHANGED
    assert outcome(Caller().post("/api/login", ELSA)) == CHANGED
    simulator.faults.set("session", "no-organization")
    assert outcome(caller.get("/api/session")) == CHANGED
    assert ServiceSession.objects.count() == 1


def test_without_numbers_the_first_answer_decides_for_a_pair_without_a_record(
    unnumbered: None, pair: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.SESSION_CHECK_SECONDS = 0
    assert organization_of(pair) == 41
    simulator.faults.set("session", "other-organization", organization=42)
    assert outcome(pair.get("/api/session")) == CHANGED


def test_an_answer_without_one_is_accepted_where_nothing_is_known(
    unnumbered: None, caller: Caller, simulator: Simulator
) -> None:
    simulator.faults.set("session", "no-organization")
    caller.sign_in()
    assert organization_of(caller) is None


def test_the_first_answer_decides_for_an_account_of_an_older_version(
    unnumbered: None, elsa: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.SESSION_CHECK_SECONDS = 0
    Account.objects.update(organization_id=None)
    assert elsa.get("/api/session").status_code == 200
    simulator.faults.set("session", "other-organization", organization=42)
    assert outcome(elsa.get("/api/session")) == CHANGED


def test_signed_in_people_do_not_need_the_list(
    elsa: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.SESSION_CHECK_SECONDS = 0
    simulator.requests.clear()
    schools._local.clear()
    simulator.faults.set("schools", "500")
    for _ in range(3):
        assert elsa.get("/api/session").status_code == 200
    assert simulator.requests.count("schoollist") == 0
