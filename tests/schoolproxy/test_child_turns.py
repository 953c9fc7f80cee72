"""Where a login has only one web session: its reads take turns."""

from functools import partial
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from tests.concurrency import at_once
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
from tests.schoolproxy.test_assignment import assignment_of
from tests.social.factories import group_of
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


def test_the_new_cookies_go_out_once_on_the_same_answer(eva: Caller, simulator: Simulator) -> None:
    before = dict(eva.cookies)
    assert_about(simulator, eva.get(week_of(ALVA)), ALVA)
    assert eva.cookies["jsessionid"] != before["jsessionid"]
    assert simulator.state.web_sessions.count_live(person(simulator)) == 1
    kept = dict(eva.cookies)
    simulator.requests.clear()
    for week in (12, 13):
        for child in (BO, ALVA):
            assert_about(simulator, eva.get(week_of(child, week)), child, week=week)
    assert simulator.requests.count_operation("login.session") == 0
    assert dict(eva.cookies) == kept
    assert eva.get("/api/session").status_code == 200


def test_they_go_out_on_an_error_too(eva: Caller, simulator: Simulator) -> None:
    simulator.faults.set("lessons", "500")
    before = eva.cookies["jsessionid"]
    assert eva.get(week_of(ALVA)).status_code == 503
    assert eva.cookies["jsessionid"] != before
    simulator.faults.clear()
    assert_about(simulator, eva.get(week_of(ALVA)), ALVA)


@pytest.mark.parametrize("path", ["", "/messages"])
def test_they_go_out_with_a_message_that_shows_a_grade(
    eva: Caller, simulator: Simulator, path: str
) -> None:
    assert eva.put("/api/children/default", {"id": ALVA}).status_code == 200
    group = group_of(GUARDIAN)
    before = eva.cookies["jsessionid"]
    test = assignment_of(simulator, 0, "alva.lind")
    card = {"type": "grade", "assignmentId": str(test.id)}
    answer = eva.post(f"/api/conversations/{group.pk.hex}{path}", {"shareCard": card})
    assert answer.status_code == 201, answer.content
    assert eva.cookies["jsessionid"] != before
    assert eva.get("/api/session").status_code == 200


def test_a_session_that_dies_is_renewed(eva: Caller, simulator: Simulator) -> None:
    eva.get(week_of(ALVA))
    before = eva.cookies["jsessionid"]
    eva.get("/api/session")
    simulator.state.kill_web_sessions(person(simulator))
    assert_about(simulator, eva.get(week_of(BO)), BO)
    assert eva.cookies["jsessionid"] != before
    assert eva.get("/api/session").status_code == 200


def test_a_refresh_is_followed(eva: Caller, simulator: Simulator) -> None:
    eva.get(week_of(ALVA))
    for week, child in ((12, BO), (13, ALVA)):
        assert eva.post("/api/refresh").status_code == 200
        kept = dict(eva.cookies)
        assert_about(simulator, eva.get(week_of(child, week)), child, week=week)
        assert dict(eva.cookies) == kept


def test_a_client_that_lost_the_new_cookies_gets_them_by_a_refresh(
    eva: Caller, simulator: Simulator
) -> None:
    eva.get(week_of(ALVA))
    assert eva.post("/api/refresh").status_code == 200
    lost = eva.twin()
    eva.get("/api/session")
    simulator.state.kill_web_sessions(person(simulator))
    assert_about(simulator, eva.get(week_of(BO)), BO)
    assert lost.post("/api/refresh").status_code == 200
    assert lost.cookies["jsessionid"] == eva.cookies["jsessionid"]
    assert_about(simulator, lost.get(week_of(BO, 12)), BO, week=12)


def test_a_native_app_takes_turns_too(eva: Caller, simulator: Simulator) -> None:
    headers = {"Authorization": f"Bearer {eva.post('/api/token').json()['access_token']}"}
    app = Caller()
    for week in (11, 12, 13):
        for child in (BO, ALVA):
            answer = app.get(week_of(child, week), **headers)
            assert_about(simulator, answer, child, week=week)
            assert not answer.cookies


@pytest.mark.parametrize("before", ["/api/children", week_of(ALVA, 9)])
def test_reads_at_once_take_turns(
    transactional_db: None, simulator: Simulator, dialect: str, before: str
) -> None:
    simulator.state.settings.set("web_sessions", "one")
    eva = signed_in(GUARDIAN)
    eva.get(before)
    reads = [(child, week) for week in (2, 3, 4) for child in (BO, ALVA)]
    answers = at_once([partial(eva.twin().get, week_of(child, week)) for child, week in reads])
    for (child, week), answer in zip(reads, answers, strict=True):
        assert_about(simulator, answer, child, week=week)


def test_cookies_that_no_record_knows_take_turns(pair: Caller, simulator: Simulator) -> None:
    before = dict(pair.cookies)
    for week in (11, 12):
        for child in (BO, ALVA, BO):
            assert_about(simulator, pair.get(week_of(child, week)), child, week=week)
    assert simulator.requests.count_operation("login.session") == 0
    assert simulator.state.web_sessions.count_live(person(simulator)) == 1
    assert dict(pair.cookies) == before


def test_cookies_that_no_record_knows_cannot_be_renewed(pair: Caller, simulator: Simulator) -> None:
    assert_about(simulator, pair.get(week_of(BO)), BO)
    simulator.state.kill_web_sessions(person(simulator))
    assert outcome(pair.get(week_of(ALVA))) == (401, "not_signed_in")


def test_a_switch_without_effect_is_502(pair: Caller, simulator: Simulator) -> None:
    pair.get("/api/children")
    simulator.faults.set("child.switch", "empty")
    assert outcome(pair.get(week_of(ALVA))) == (502, "upstream_changed")
    assert simulator.requests.count_operation("lessons") == 0
