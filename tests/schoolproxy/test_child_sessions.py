"""The web sessions that are made for a guardian's children."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from pytest_django.fixtures import Settings

import store
from accounts.models import ServiceSession
from accounts.services.suspension import suspend_account, unsuspend_account
from tests.accounts.stored_data import store_contents
from tests.concurrency import at_once, crowd, wait_until
from tests.conftest import Caller, signed_in
from tests.schoolproxy.family import (
    ALVA,
    BO,
    GUARDIAN,
    assert_about,
    outcome,
    person,
    week_of,
)
from tests.store_away import take_the_store_away
from upstream.simulator.server import Simulator

NO_CACHE = {"Cache-Control": "no-cache"}


@pytest.fixture(params=["specified", "observed"])
def eva(request: Any, simulator: Simulator, settings: Settings, db: None) -> Caller:
    """Eva, the guardian of Bo and Alva, in both dialects."""
    settings.UPSTREAM_DIALECT = {"": request.param}
    return signed_in(GUARDIAN)


def sessions(simulator: Simulator) -> int:
    return simulator.state.web_sessions.count_live(person(simulator))


def bearer(caller: Caller) -> dict[str, str]:
    return {"Authorization": f"Bearer {caller.post('/api/token').json()['access_token']}"}


def test_a_read_with_a_live_session_is_one_call_and_a_cached_one_none(
    eva: Caller, simulator: Simulator
) -> None:
    """There is one session for each child and login, and one for the login itself."""
    for child in (BO, ALVA):
        eva.get(week_of(child))
    assert sessions(simulator) == 3
    for week in (12, 13):
        for child in (BO, ALVA):
            simulator.requests.clear()
            for _ in range(2):
                assert_about(simulator, eva.get(week_of(child, week)), child, week=week)
            assert [each.operation for each in simulator.requests] == ["lessons"]
    assert sessions(simulator) == 3


def test_requests_at_once_make_one_session(transactional_db: None, simulator: Simulator) -> None:
    eva = signed_in(GUARDIAN)
    eva.get("/api/children")
    before = simulator.requests.count_operation("login.session")
    weeks = range(2, 8)
    answers = at_once([partial(eva.twin().get, week_of(BO, week)) for week in weeks])
    for week, answer in zip(weeks, answers, strict=True):
        assert_about(simulator, answer, BO, week=week)
    assert simulator.requests.count_operation("login.session") == before + 1


def test_a_session_that_dies_is_made_and_proven_anew(eva: Caller, simulator: Simulator) -> None:
    for child in (BO, ALVA):
        eva.get(week_of(child))
    headers = bearer(eva)
    eva = Caller()
    eva.get("/api/session", **headers)
    simulator.state.kill_web_sessions(person(simulator))
    for child in (BO, ALVA):
        assert_about(simulator, eva.get(week_of(child, 12), **headers), child, week=12)
    simulator.requests.clear()
    assert_about(simulator, eva.get(week_of(BO, 13), **headers), BO, week=13)
    assert len(simulator.requests) == 1


def test_a_session_is_made_anew_before_upstream_ends_it(eva: Caller, simulator: Simulator) -> None:
    eva.get(week_of(BO))
    with time_machine.travel(timezone.now() + timedelta(minutes=51), tick=False):
        eva.post("/api/refresh")
        simulator.requests.clear()
        assert_about(simulator, eva.get(week_of(BO, 12)), BO, week=12)
        assert simulator.requests.count_operation("login.session") == 1


def test_a_logout_ends_the_sessions_of_the_children(eva: Caller, simulator: Simulator) -> None:
    for child in (BO, ALVA):
        eva.get(week_of(child))
    assert sessions(simulator) == 3
    eva.post("/api/logout")
    wait_until(lambda: sessions(simulator) == 0)
    assert b"child-sessions" not in store_contents()


def test_a_revoked_login_ends_its_own_sessions_only(eva: Caller, simulator: Simulator) -> None:
    phone = signed_in(GUARDIAN)
    for device in (eva, phone):
        device.get("/api/children")
        device.get(week_of(BO), **NO_CACHE)
    assert sessions(simulator) == 4
    other = next(s for s in eva.get("/api/sessions").json()["sessions"] if not s["current"])
    assert eva.delete(f"/api/sessions/{other['id']}").status_code == 200
    wait_until(lambda: sessions(simulator) <= 3)
    assert outcome(phone.get(week_of(ALVA))) == (401, "not_signed_in")
    simulator.requests.clear()
    assert_about(simulator, eva.get(week_of(BO, 12)), BO, week=12)
    assert simulator.requests.count_operation("login.session") == 0


def test_a_suspension_ends_them(eva: Caller, simulator: Simulator) -> None:
    eva.get(week_of(BO))
    account = ServiceSession.objects.get().account_id
    suspend_account(account)
    wait_until(lambda: sessions(simulator) == 1)
    assert outcome(eva.get(week_of(BO))) == (403, "account_suspended")
    unsuspend_account(account)
    assert_about(simulator, eva.get(week_of(BO)), BO)


def test_an_erasure_leaves_nothing(eva: Caller, simulator: Simulator) -> None:
    eva.get(week_of(BO))
    eva.put("/api/children/default", {"id": BO})
    assert eva.delete("/api/account", {"password": "eva-demo"}).status_code == 200
    wait_until(lambda: sessions(simulator) == 0)
    left = store_contents()
    assert b"child-sessions" not in left
    assert b"children:" not in left


@pytest.mark.parametrize("held", ["login.session", "child", "lessons"])
def test_a_logout_ends_a_session_that_is_just_being_made(
    transactional_db: None, simulator: Simulator, held: str
) -> None:
    eva = signed_in(GUARDIAN)
    eva.get("/api/children")
    waiting = simulator.faults.hold(held, after=True)
    with crowd(1) as start:
        read = start(lambda: eva.twin().get(week_of(BO)))
        waiting.wait_for(1)
        assert eva.post("/api/logout").status_code == 200
        if held == "lessons":  # the session is stored by then, and ended soon after the answer
            wait_until(lambda: sessions(simulator) == 0)
        waiting.release()
        assert read.result(30).status_code in (401, 502)
    wait_until(lambda: sessions(simulator) == 0)
    assert b"child-sessions" not in store_contents()


def test_without_a_token_a_child_is_401_until_the_refresh(
    simulator: Simulator, settings: Settings, db: None
) -> None:
    settings.UPSTREAM_DIALECT = {"": "observed"}
    eva = signed_in(GUARDIAN)
    assert_about(simulator, eva.get(week_of(BO)), BO)
    simulator.state.clock.advance(16 * 60)
    assert_about(simulator, eva.get(week_of(BO, 12)), BO, week=12)
    assert outcome(eva.get(week_of(ALVA))) == (401, "not_signed_in")
    assert eva.post("/api/refresh").status_code == 200
    assert_about(simulator, eva.get(week_of(ALVA)), ALVA)


def test_without_the_store_a_guardian_gets_503(
    simulator: Simulator, settings: Settings, db: None
) -> None:
    eva = signed_in(GUARDIAN)
    take_the_store_away(settings)
    assert outcome(eva.get(week_of(BO))) == (503, "store_unavailable")
    assert eva.get("/api/session").json()["children"] is None
    elsa = signed_in("elsa.nordvall")
    assert elsa.get("/api/schedule?week=11").status_code == 200


def test_nothing_in_the_store_is_readable(eva: Caller, simulator: Simulator) -> None:
    eva.get(week_of(BO))
    held = store_contents()
    for web in simulator.state.web_sessions.all():
        assert web.jsessionid.encode() not in held
    assert b"Bo Ek" not in held
    assert GUARDIAN.encode() not in held
    assert store.get("anything") is None
