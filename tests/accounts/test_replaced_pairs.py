"""The cookie pair that a refresh has replaced: valid for a minute, then ended."""

from datetime import timedelta

import pytest
from time_machine import Traveller

import store
from accounts.models import Account, ServiceSession
from accounts.services.ended_sessions import purge_ended_pairs, purge_expired_sessions
from tests.accounts.conftest import live
from tests.conftest import Caller, signed_in
from upstream.simulator.server import Simulator

PASSWORD = {"password": "elsa-demo"}


@pytest.fixture
def replaced(elsa: Caller, clock: Traveller) -> Caller:
    """A browser with the pair that Elsa's refresh has replaced, two minutes ago."""
    old = elsa.twin()
    assert elsa.post("/api/refresh").status_code == 200
    clock.shift(timedelta(minutes=2))
    return old


def assert_ended(old: Caller, simulator: Simulator) -> None:
    simulator.requests.clear()
    for path in ("/api/session", "/api/schedule", "/api/sessions"):
        answer = old.get(path)
        assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in"), path
    assert len(simulator.requests) == 0


def test_it_is_valid_for_a_minute(elsa: Caller, clock: Traveller) -> None:
    old = elsa.twin()
    assert elsa.post("/api/refresh").status_code == 200
    clock.shift(timedelta(seconds=59))
    assert old.get("/api/session").status_code == 200
    assert old.get("/api/schedule").status_code == 200


def test_then_it_is_refused_without_a_call(
    elsa: Caller, replaced: Caller, simulator: Simulator
) -> None:
    assert_ended(replaced, simulator)
    assert elsa.get("/api/session").status_code == 200


def test_it_stays_refused_when_the_record_has_forgotten_it(
    replaced: Caller, simulator: Simulator, clock: Traveller
) -> None:
    for _ in range(6):
        clock.shift(timedelta(minutes=55))
        purge_expired_sessions()
        purge_ended_pairs()
        store.clear()
        assert_ended(replaced, simulator)


def test_ending_all_others_leaves_only_this_login(
    elsa: Caller, replaced: Caller, simulator: Simulator
) -> None:
    signed_in()
    assert elsa.delete("/api/sessions").status_code == 200
    assert_ended(replaced, simulator)
    assert elsa.get("/api/session").status_code == 200


def test_it_survives_no_logout(elsa: Caller, replaced: Caller, simulator: Simulator) -> None:
    assert elsa.post("/api/logout").status_code == 200
    assert_ended(replaced, simulator)


def test_it_makes_no_account_after_an_erasure(
    elsa: Caller, replaced: Caller, simulator: Simulator, clock: Traveller
) -> None:
    clock.shift(timedelta(minutes=62))
    purge_expired_sessions()
    assert elsa.post("/api/refresh").status_code == 200
    assert elsa.delete("/api/account", PASSWORD).status_code == 200
    store.clear()
    assert_ended(replaced, simulator)
    assert not Account.objects.exists()


def test_a_logout_with_it_ends_the_login(
    elsa: Caller, replaced: Caller, simulator: Simulator
) -> None:
    """A device that did not hear of the refresh signs out."""
    assert replaced.post("/api/logout").status_code == 200
    assert not ServiceSession.objects.exists()
    assert elsa.get("/api/session").status_code == 401
    assert live(simulator) == 0
