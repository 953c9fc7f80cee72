"""Validating a session with upstream: how often, by whom, and during an outage."""

import pytest
from pytest_django.fixtures import Settings
from time_machine import Traveller

import store
from tests.accounts.conftest import invented_pair, with_pair
from tests.concurrency import crowd
from tests.conftest import Caller
from upstream.simulator.people import Person
from upstream.simulator.server import Simulator


@pytest.fixture
def unchecked(elsa: Caller) -> Caller:
    """Elsa, signed in, of whose session nothing is cached."""
    store.clear()
    return elsa


def test_a_validation_is_valid_for_half_a_minute(
    caller: Caller, simulator: Simulator, clock: Traveller
) -> None:
    """A login is one: it asks upstream whose session it is."""
    caller.sign_in()
    for seconds, calls in ((0, 1), (10, 1), (19, 1), (2, 2), (29, 2), (2, 3)):
        clock.shift(seconds)
        assert caller.get("/api/session").status_code == 200
        assert simulator.requests.count("rest-api/session") == calls


def test_so_is_a_refresh(caller: Caller, simulator: Simulator, clock: Traveller) -> None:
    token = caller.sign_in().json()["token"]
    native = Caller(headers={"Authorization": f"Bearer {token}"})
    for client in (caller, native):
        clock.shift(600)
        assert client.post("/api/refresh").status_code == 200
        simulator.requests.clear()
        clock.shift(29)
        assert client.get("/api/session").status_code == 200
        assert simulator.requests.count("rest-api/session") == 0


def test_just_after_a_login_an_outage_signs_nobody_out(elsa: Caller, simulator: Simulator) -> None:
    simulator.faults.set("traffic", "500")
    assert elsa.get("/api/sessions").status_code == 200


def test_every_request_can_be_validated_by_a_setting(
    elsa: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.SESSION_CHECK_SECONDS = 0
    simulator.requests.clear()
    for _ in range(3):
        assert elsa.get("/api/session").status_code == 200
    assert simulator.requests.count("rest-api/session") == 3


@pytest.mark.django_db(transaction=True)
def test_ten_requests_at_once_share_one_validation(unchecked: Caller, simulator: Simulator) -> None:
    simulator.requests.clear()
    with crowd(10) as start, simulator.faults.hold("session") as held:
        running = [start(lambda: unchecked.twin().get("/api/session")) for _ in range(10)]
        held.wait_for(1)
        with pytest.raises(TimeoutError):
            held.wait_for(2, timeout=0.3)
        held.release()
        assert [one.result(10).status_code for one in running] == [200] * 10
    assert simulator.requests.count("rest-api/session") == 1


@pytest.mark.django_db(transaction=True)
def test_a_failed_validation_fails_for_all_who_share_it(
    unchecked: Caller, simulator: Simulator
) -> None:
    simulator.faults.set("session", "500")
    with crowd(5) as start, simulator.faults.hold("session") as held:
        running = [start(lambda: unchecked.twin().get("/api/session")) for _ in range(5)]
        held.wait_for(1)
        held.release()
        assert [one.result(10).status_code for one in running] == [503] * 5
    simulator.faults.clear()
    assert unchecked.get("/api/session").status_code == 200


@pytest.mark.parametrize(
    "fault", ["401", "403", "302-login", "302-login-relative", "200-html", "200-no-user"]
)
def test_every_form_of_an_expired_session_is_401(
    unchecked: Caller, simulator: Simulator, fault: str
) -> None:
    simulator.faults.set("session", fault)
    answer = unchecked.get("/api/session")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        ("500", 503),
        ("503", 503),
        ("429", 503),
        ("reset", 503),
        ("not-json", 502),
        ("truncated", 502),
        ("redirect-elsewhere", 502),
        ("huge", 502),
        ("gzip-bomb", 502),
    ],
)
def test_a_failure_of_upstream_is_never_401(
    unchecked: Caller, simulator: Simulator, fault: str, status: int
) -> None:
    simulator.faults.set("session", fault)
    assert unchecked.get("/api/session").status_code == status
    simulator.faults.clear()


def test_a_401_on_a_data_route_drops_the_cached_session(
    elsa: Caller, simulator: Simulator, elsa_upstream: Person
) -> None:
    assert elsa.get("/api/session").status_code == 200
    simulator.state.kill_web_sessions(elsa_upstream)
    assert elsa.get("/api/session").status_code == 200  # not noticed yet
    answer = elsa.get("/api/schedule?week=11")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
    simulator.requests.clear()
    assert elsa.get("/api/session").status_code == 401
    assert simulator.requests.count("rest-api/session") == 1
    assert elsa.post("/api/refresh").status_code == 200
    assert elsa.get("/api/schedule?week=11").status_code == 200


@pytest.mark.parametrize("fault", ["500", "reset", "not-json", "429"])
def test_cached_sessions_are_valid_for_a_quarter_of_an_hour_of_outage(
    elsa: Caller, simulator: Simulator, clock: Traveller, fault: str
) -> None:
    assert elsa.get("/api/sessions").status_code == 200
    simulator.faults.set("traffic", fault)
    for seconds in (60, 540, 290):
        clock.shift(seconds)
        assert elsa.get("/api/sessions").status_code == 200
        assert elsa.get("/api/session").status_code == 200
    clock.shift(11)
    assert elsa.get("/api/sessions").status_code in (502, 503)


def test_in_an_outage_not_every_request_calls_upstream(
    elsa: Caller, simulator: Simulator, clock: Traveller
) -> None:
    assert elsa.get("/api/sessions").status_code == 200
    simulator.faults.set("traffic", "500")
    clock.shift(60)
    simulator.requests.clear()
    for _ in range(5):
        assert elsa.get("/api/sessions").status_code == 200
    assert simulator.requests.count("rest-api/session") == 1
    simulator.faults.clear()
    clock.shift(6)
    assert elsa.get("/api/sessions").status_code == 200
    assert simulator.requests.count("rest-api/session") == 2


def test_an_outage_does_not_hide_that_a_session_is_over(
    elsa: Caller, simulator: Simulator, elsa_upstream: Person, clock: Traveller
) -> None:
    assert elsa.get("/api/sessions").status_code == 200
    simulator.faults.set("traffic", "500")
    clock.shift(60)
    assert elsa.get("/api/sessions").status_code == 200
    simulator.faults.clear()
    simulator.state.kill_web_sessions(elsa_upstream)
    clock.shift(10)
    assert elsa.get("/api/sessions").status_code == 401


def test_the_grace_in_an_outage_can_be_turned_off(
    elsa: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.SESSION_CHECK_SECONDS = settings.OUTAGE_GRACE_SECONDS = 0
    assert elsa.get("/api/sessions").status_code == 200
    simulator.faults.set("traffic", "500")
    assert elsa.get("/api/sessions").status_code == 503


def test_an_unknown_session_gets_upstreams_error(unchecked: Caller, simulator: Simulator) -> None:
    simulator.faults.set("traffic", "500")
    answer = unchecked.get("/api/sessions")
    assert (answer.status_code, answer.json()["code"]) == (503, "upstream_failing")
    assert "Retry-After" in answer.headers


@pytest.mark.parametrize(
    ("fault", "answers"), [("500", [503] * 4), ("not-json", [502, 502, 429, 429])]
)
def test_an_outage_does_not_count_as_a_guess_but_an_answer_that_nobody_can_read_does(
    caller: Caller, simulator: Simulator, settings: Settings, fault: str, answers: list[int]
) -> None:
    settings.LIMITS = {"unknown_cookies": "2/86400"}
    simulator.faults.set("session", fault)
    guesses = [caller.get("/api/session", Cookie=invented_pair()) for _ in range(4)]
    assert [guess.status_code for guess in guesses] == answers


@pytest.mark.parametrize("fault", ["429", "500"])
def test_an_unknown_pair_cannot_make_the_school_unavailable(
    elsa: Caller, simulator: Simulator, fault: str
) -> None:
    simulator.faults.set("traffic", fault)
    for number in range(6):
        pair = invented_pair(number)
        assert Caller().get("/api/session", Cookie=pair).status_code == 503
        assert Caller().post("/api/logout", Cookie=pair).status_code == 200
    simulator.faults.clear()
    assert elsa.get("/api/session").status_code == 200


def test_a_long_cookie_of_upstream_is_accepted(
    db: None, simulator: Simulator, elsa_upstream: Person
) -> None:
    web = simulator.state.open_web_session(elsa_upstream, "specified")
    web.jsessionid = "A" * 1024
    simulator.state.web_sessions.add(web)
    assert with_pair(web).get("/api/session").status_code == 200
