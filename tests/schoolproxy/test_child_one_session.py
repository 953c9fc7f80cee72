"""Where upstream allows one web session at a time, and cookies that are the only session."""

from functools import partial
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from tests.concurrency import at_once, crowd
from tests.conftest import Caller, signed_in
from tests.schoolproxy.family import (
    ALVA,
    BO,
    GUARDIAN,
    SCHOOL,
    assert_about,
    outcome,
    person,
    week_of,
)
from upstream.simulator.server import Simulator


@pytest.fixture(params=["specified", "observed"])
def dialect(request: Any, settings: Settings) -> str:
    settings.UPSTREAM_DIALECT = {"": request.param}
    return str(request.param)


@pytest.fixture
def eva(simulator: Simulator, dialect: str, db: None) -> Caller:
    """Eva, whose school system ends the older of two web sessions."""
    simulator.state.settings.set("web_sessions", "one")
    return signed_in(GUARDIAN)


@pytest.fixture
def pair(simulator: Simulator, db: None) -> Caller:
    """A browser with Eva's cookies, which no record knows."""
    caller = Caller()
    web = simulator.state.open_web_session(person(simulator), "specified")
    caller.set_cookie("jsessionid", web.jsessionid)
    caller.set_cookie("hash", web.hash)
    caller.set_cookie("school", SCHOOL)
    return caller


def shown_child(simulator: Simulator) -> str:
    """The child that Eva's only web session shows."""
    [web] = [web for web in simulator.state.web_sessions.all() if web.person == person(simulator)]
    return {"bo.ek": BO, "alva.lind": ALVA}[str(web.child)]


def test_each_childs_session_is_made_anew_when_it_is_needed(
    eva: Caller, simulator: Simulator
) -> None:
    eva.get("/api/children")
    simulator.requests.clear()
    for week in (12, 13):
        for child in (BO, ALVA):
            assert_about(simulator, eva.get(week_of(child, week)), child, week=week)
            assert simulator.state.web_sessions.count_live(person(simulator)) == 1
    assert simulator.requests.count_operation("login.session") == 4


def test_reads_of_the_same_child_share_a_session(eva: Caller, simulator: Simulator) -> None:
    eva.get(week_of(ALVA))
    simulator.requests.clear()
    for week in (12, 13, 14):
        assert_about(simulator, eva.get(week_of(ALVA, week)), ALVA, week=week)
    assert [each.operation for each in simulator.requests] == ["lessons"] * 3


def test_a_refresh_revives_the_session_that_ended(
    eva: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.SESSION_CHECK_SECONDS = 0
    assert_about(simulator, eva.get(week_of(ALVA)), ALVA)
    assert outcome(eva.get("/api/session")) == (401, "not_signed_in")
    assert eva.post("/api/refresh").status_code == 200
    assert eva.get("/api/session").status_code == 200
    assert_about(simulator, eva.get(week_of(BO)), BO)


@pytest.mark.parametrize("before", ["/api/children", week_of(ALVA, 9)])
def test_reads_at_once_are_about_their_child_or_502(
    transactional_db: None, simulator: Simulator, dialect: str, before: str
) -> None:
    simulator.state.settings.set("web_sessions", "one")
    eva = signed_in(GUARDIAN)
    eva.get(before)
    reads = [(child, week) for week in (2, 3, 4) for child in (BO, ALVA)]
    answers = at_once([partial(eva.twin().get, week_of(child, week)) for child, week in reads])
    for (child, week), answer in zip(reads, answers, strict=True):
        if answer.status_code == 200:
            assert_about(simulator, answer, child, week=week)
        else:
            assert outcome(answer) == (502, "upstream_changed")
    assert any(answer.status_code == 200 for answer in answers)


# --- Cookies that no record knows ----------------------------------------------------------------


def test_cookies_that_no_record_knows_serve_the_child_that_they_show(
    pair: Caller, simulator: Simulator
) -> None:
    before = dict(pair.cookies)
    shown = shown_child(simulator)
    other = BO if shown == ALVA else ALVA
    for week in (11, 12):
        assert_about(simulator, pair.get(week_of(shown, week)), shown, week=week)
        assert outcome(pair.get(week_of(other, week))) == (409, "sign_in_needed")
    operations = {each.operation for each in simulator.requests}
    assert not {"login.session", "child.switch"} & operations
    assert dict(pair.cookies) == before


def test_another_child_chosen_during_a_read_is_502(
    transactional_db: None, simulator: Simulator, pair: Caller
) -> None:
    shown = shown_child(simulator)
    pair.get("/api/children")
    held = simulator.faults.hold("lessons")
    with crowd(1) as start:
        read = start(lambda: pair.get(week_of(shown)))
        held.wait_for(1)
        simulator.state.focus(person(simulator), "alva.lind" if shown == BO else "bo.ek")
        held.release()
        answer = read.result(30)
    assert outcome(answer) == (502, "upstream_changed")
    assert b"eventId" not in answer.content


def test_cookies_that_no_record_knows_cannot_be_renewed(pair: Caller, simulator: Simulator) -> None:
    shown = shown_child(simulator)
    assert_about(simulator, pair.get(week_of(shown)), shown)
    simulator.state.kill_web_sessions(person(simulator))
    assert outcome(pair.get(week_of(shown, 12))) == (401, "not_signed_in")
