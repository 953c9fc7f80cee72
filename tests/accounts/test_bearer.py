"""Native apps: an access token, for which the service gets web cookies and caches them."""

import pytest
from pytest_django.fixtures import Settings
from time_machine import Traveller

import store
from accounts.models import ServiceSession
from tests.accounts.stored_data import store_contents, tables
from tests.concurrency import crowd
from tests.conftest import Caller
from upstream.simulator.people import Person
from upstream.simulator.server import Simulator

Header = dict[str, str]


@pytest.fixture
def native(bearer: Header, simulator: Simulator) -> Caller:
    """An app in which Elsa has signed in, of whose session nothing is cached."""
    store.clear()
    simulator.requests.clear()
    return Caller(headers=bearer)


def test_a_token_is_translated_once(native: Caller, simulator: Simulator) -> None:
    for path in ("/api/session", "/api/schedule?week=11", "/api/sessions", "/api/session"):
        assert native.get(path).status_code == 200
    assert simulator.requests.count("login.session") == 1
    assert simulator.requests.count("rest-api/session") == 1


@pytest.mark.django_db(transaction=True)
def test_ten_requests_at_once_translate_once(
    bearer: Header, native: Caller, simulator: Simulator
) -> None:
    with crowd(10) as start, simulator.faults.hold("login.session") as held:
        running = [start(lambda: Caller().get("/api/session", **bearer)) for _ in range(10)]
        held.wait_for(1)
        with pytest.raises(TimeoutError):
            held.wait_for(2, timeout=0.3)
        held.release()
        assert [one.result(10).status_code for one in running] == [200] * 10
    assert simulator.requests.count("login.session") == 1


def test_it_is_translated_again_when_a_data_route_finds_the_cookies_expired(
    native: Caller, simulator: Simulator, elsa_upstream: Person
) -> None:
    assert native.get("/api/schedule?week=11").status_code == 200
    simulator.state.kill_web_sessions(elsa_upstream)
    assert native.get("/api/schedule?week=12").status_code == 200
    assert simulator.requests.count("login.session") == 2
    assert native.get("/api/schedule?week=13").status_code == 200
    assert simulator.requests.count("login.session") == 2


@pytest.mark.django_db(transaction=True)
def test_requests_that_find_the_cookies_expired_share_one_translation(
    bearer: Header, native: Caller, simulator: Simulator, elsa_upstream: Person
) -> None:
    assert native.get("/api/session").status_code == 200
    simulator.state.kill_web_sessions(elsa_upstream)
    with crowd(6) as start, simulator.faults.hold("lessons") as held:
        running = [
            start(lambda week=week: Caller().get(f"/api/schedule?week={week}", **bearer))  # type: ignore[misc]
            for week in range(11, 17)
        ]
        held.wait_for(6)
        held.release()
        assert [one.result(10).status_code for one in running] == [200] * 6
    assert simulator.requests.count("login.session") == 2


def test_it_is_translated_again_when_the_check_finds_the_cookies_expired(
    native: Caller, simulator: Simulator, elsa_upstream: Person, settings: Settings
) -> None:
    settings.SESSION_CHECK_SECONDS = 0
    assert native.get("/api/session").status_code == 200
    simulator.state.kill_web_sessions(elsa_upstream)
    assert native.get("/api/session").status_code == 200
    assert simulator.requests.count("login.session") == 2


def test_a_token_that_upstream_revoked_is_401(
    native: Caller, simulator: Simulator, elsa_upstream: Person
) -> None:
    assert native.get("/api/session").status_code == 200
    simulator.state.kill_tokens(elsa_upstream)
    simulator.state.kill_web_sessions(elsa_upstream)
    assert native.get("/api/schedule?week=11").status_code == 401
    assert native.get("/api/session").status_code == 401


def test_an_expired_token_is_401_without_a_call(native: Caller, simulator: Simulator) -> None:
    for record in ServiceSession.objects.all():
        record.token_expires_at = "2020-01-01T00:00:00+00:00"
        record.save()
    assert native.get("/api/session").status_code == 401
    assert len(simulator.requests) == 0


def test_the_cookies_leave_the_cache_before_they_expire(
    native: Caller, simulator: Simulator, own_clock: None, clock: Traveller
) -> None:
    for _ in range(12):
        assert native.get("/api/session").status_code == 200
        clock.shift(5 * 60)
    assert simulator.requests.count("login.session") == 2


def test_the_cached_cookies_are_encrypted(
    native: Caller, simulator: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    answer = native.get("/api/schedule?week=11")
    assert not answer.cookies
    sinks = store_contents() + tables() + caplog.text.encode() + answer.content
    for web in simulator.state.web_sessions.all():
        assert web.jsessionid.encode() not in sinks
        assert web.hash.encode() not in sinks


def test_a_cached_session_is_valid_during_an_outage(
    native: Caller, simulator: Simulator, clock: Traveller
) -> None:
    assert native.get("/api/sessions").status_code == 200
    simulator.faults.set("traffic", "500")
    clock.shift(899)
    assert native.get("/api/sessions").status_code == 200


@pytest.mark.parametrize("fault", ["500", "429", "reset"])
def test_a_failing_translation_is_never_401(
    native: Caller, simulator: Simulator, fault: str
) -> None:
    simulator.faults.set("login.session", fault)
    assert native.get("/api/session").status_code == 503
    simulator.faults.clear()
    assert native.get("/api/session").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_logout_during_a_request_is_401(
    bearer: Header, native: Caller, simulator: Simulator
) -> None:
    assert native.get("/api/session").status_code == 200
    with crowd(1) as start, simulator.faults.hold("lessons") as held:
        running = start(lambda: Caller().get("/api/schedule?week=11", **bearer))
        held.wait_for(1)
        assert native.post("/api/logout").status_code == 200
        held.release()
        assert running.result(10).status_code == 401


def test_a_browser_elsewhere_cannot_forge_a_bearer_request(native: Caller) -> None:
    answer = native.post("/api/token", Origin="https://evil.example")
    assert answer.status_code == 200  # a page cannot add the header without a preflight request
