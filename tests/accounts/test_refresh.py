"""POST /api/refresh and /api/v2/token-refresh."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings
from time_machine import Traveller

import store
from accounts.models import ServiceSession
from tests.concurrency import at_once, crowd
from tests.conftest import Caller
from upstream.simulator.people import Person
from upstream.simulator.server import Simulator


@pytest.fixture
def rotating(simulator: Simulator) -> Simulator:
    """An upstream that issues a refresh token with every token."""
    simulator.state.settings.refresh_tokens = True
    return simulator


def test_it_makes_a_new_web_session_from_the_valid_token(
    caller: Caller, simulator: Simulator, elsa_upstream: Person
) -> None:
    token = caller.sign_in().json()["token"]
    old, record = caller.cookies, ServiceSession.objects.get()
    simulator.state.kill_web_sessions(elsa_upstream)
    store.clear()
    assert caller.get("/api/session").status_code == 401
    answer = caller.post("/api/refresh")
    body = answer.json()
    assert 2_591_900 < body.pop("expires_in") <= 2_592_000
    assert body == {"success": True, "access_token": token, "token_type": "Bearer"}
    assert sorted(answer.cookies) == sorted(f"wrapper_{name}" for name in old)
    for morsel in answer.cookies.values():
        assert (morsel["httponly"], morsel["samesite"], morsel["path"]) == (True, "Lax", "/")
        assert 2_591_900 < morsel["max-age"] <= 2_592_000
    for name in ("school", "username", "usertype"):
        assert caller.cookies[name] == old[name]
    for name in ("jsessionid", "hash"):
        assert caller.cookies[name] != old[name]
    assert caller.get("/api/session").status_code == 200
    assert simulator.requests.count("login.password") == 1
    kept = ServiceSession.objects.get()
    assert (kept.pk, kept.created_at) == (record.pk, record.created_at)


def test_a_native_app_gets_its_token_and_no_cookies(bearer: dict[str, str]) -> None:
    token = bearer["Authorization"].split(" ")[1]
    for path in ("/api/refresh", "/api/v2/token-refresh"):
        answer = Caller().post(path, {"school": "bjorkdalen"}, **bearer)
        assert answer.json()["access_token"] == token
        assert not answer.cookies
    assert Caller().get("/api/session", **bearer).status_code == 200


def test_without_a_refresh_token_the_v2_route_makes_no_call(
    elsa: Caller, simulator: Simulator
) -> None:
    simulator.requests.clear()
    assert elsa.post("/api/v2/token-refresh").status_code == 200
    assert len(simulator.requests) == 0


def test_a_refresh_token_brings_a_new_token(
    rotating: Simulator, caller: Caller, elsa_upstream: Person
) -> None:
    first = caller.sign_in().json()["token"]
    tokens = [first]
    for path in ("/api/refresh", "/api/v2/token-refresh", "/api/refresh"):
        # Makes the next refresh newer than the shared result of the last.
        caller.get("/api/session")
        tokens.append(caller.post(path).json()["access_token"])
        assert caller.get("/api/session").status_code == 200
    assert len(set(tokens)) == 4
    bearer = [{"Authorization": f"Bearer {token}"} for token in tokens]
    assert Caller().get("/api/session", **bearer[3]).status_code == 200
    assert Caller().get("/api/session", **bearer[0]).status_code == 401


def test_a_login_lasts_for_thirty_days_after_its_last_renewal(
    rotating: Simulator, elsa: Caller, clock: Traveller
) -> None:
    rotating.state.settings.token_seconds = 3600
    for path in ("/api/v2/token-refresh", "/api/refresh"):
        clock.shift(timedelta(seconds=100))
        answer = elsa.post(path)
        assert answer.json()["expires_in"] == 3600
        ends = datetime.fromisoformat(elsa.get("/api/session").json()["expiresAt"])
        assert abs(ends - timezone.now() - timedelta(days=30)) < timedelta(seconds=2)
    assert {morsel["max-age"] for morsel in answer.cookies.values()} == {30 * 24 * 3600}


def test_the_rotated_token_is_saved_before_it_is_used(rotating: Simulator, elsa: Caller) -> None:
    before = ServiceSession.objects.get()
    rotating.faults.set("login.session", "500")
    assert elsa.post("/api/refresh").status_code == 503
    after = ServiceSession.objects.get()
    assert after.refresh_token != before.refresh_token
    assert after.access_token != before.access_token
    rotating.faults.clear()
    assert elsa.post("/api/refresh").status_code == 200


def test_a_refused_refresh_token_leaves_the_access_token(
    rotating: Simulator, caller: Caller
) -> None:
    token = caller.sign_in().json()["token"]
    rotating.state.tokens.revoke_all_refresh_tokens()
    for _ in range(2):
        answer = caller.post("/api/refresh")
        assert (answer.status_code, answer.json()["access_token"]) == (200, token)
    # One at the login, and one that was refused and is not stored any more.
    assert rotating.requests.count("login.token") == 2


def test_when_nothing_is_left_it_is_401(
    simulator: Simulator, elsa: Caller, elsa_upstream: Person
) -> None:
    simulator.state.kill_tokens(elsa_upstream)
    answer = elsa.post("/api/refresh")
    assert (answer.status_code, answer.json()["code"]) == (401, "nothing_to_refresh")
    assert elsa.post("/api/refresh").status_code == 401
    assert ServiceSession.objects.count() == 0


@pytest.mark.parametrize("path", ["/api/refresh", "/api/v2/token-refresh"])
def test_an_expired_token_is_401(elsa: Caller, clock: Traveller, path: str) -> None:
    clock.shift(timedelta(days=31))
    answer = elsa.post(path)
    assert (answer.status_code, answer.json()["code"]) == (401, "nothing_to_refresh")


@pytest.mark.parametrize("path", ["/api/refresh", "/api/v2/token-refresh"])
def test_without_a_session_it_is_401(caller: Caller, simulator: Simulator, path: str) -> None:
    for headers in ({}, {"Authorization": "Bearer unknown"}, {"Authorization": "Basic eDp5"}):
        assert caller.post(path, **headers).status_code == 401
    assert len(simulator.requests) == 0


@pytest.mark.parametrize(("fault", "status"), [("500", 503), ("429", 503), ("not-json", 502)])
def test_a_failure_of_upstream_is_never_401(
    rotating: Simulator, elsa: Caller, fault: str, status: int
) -> None:
    rotating.faults.set("login.token", fault)
    assert elsa.post("/api/refresh").status_code == status
    rotating.faults.clear()
    assert elsa.post("/api/refresh").status_code == 200


@pytest.mark.parametrize("rotates", [True, False])
def test_the_previous_pair_can_refresh_for_a_minute(
    simulator: Simulator, caller: Caller, clock: Traveller, rotates: bool
) -> None:
    simulator.state.settings.refresh_tokens = rotates
    caller.sign_in()
    early, late = caller.twin(), caller.twin()
    assert caller.post("/api/refresh").status_code == 200
    clock.shift(59)
    simulator.requests.clear()
    assert early.post("/api/refresh").status_code == 200
    assert early.cookies["jsessionid"] == caller.cookies["jsessionid"]
    assert len(simulator.requests) == 0
    clock.shift(2)
    assert late.post("/api/refresh").status_code == 401


def test_the_previous_pair_is_valid_only_at_its_school(elsa: Caller) -> None:
    old = elsa.twin()
    elsa.post("/api/refresh")
    old.set_cookie("school", "nyvang")
    assert old.post("/api/refresh").status_code == 401


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("rotates", [True, False])
def test_two_at_once_are_one_call_and_two_working_callers(
    simulator: Simulator, caller: Caller, rotates: bool
) -> None:
    simulator.state.settings.refresh_tokens = rotates
    caller.sign_in()
    callers = [caller.twin(), caller.twin()]
    simulator.requests.clear()
    answers = at_once([lambda one=one: one.post("/api/refresh") for one in callers])  # type: ignore[misc]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json()["access_token"] == answers[1].json()["access_token"]
    assert [one.get("/api/session").status_code for one in callers] == [200, 200]
    assert simulator.requests.count("login.token") == (1 if rotates else 0)
    assert simulator.requests.count("login.session") == 1


@pytest.mark.django_db(transaction=True)
def test_a_refresh_that_fails_releases_the_one_that_waits(
    simulator: Simulator, elsa: Caller
) -> None:
    simulator.faults.set("login.session", "500")
    with crowd(2) as start, simulator.faults.hold("login.session") as held:
        running = [start(lambda: elsa.twin().post("/api/refresh")) for _ in range(2)]
        held.wait_for(1)
        held.release()
        assert [one.result(10).status_code for one in running] == [503, 503]


@pytest.mark.django_db(transaction=True)
def test_a_browser_and_an_app_can_refresh_at_once(rotating: Simulator, caller: Caller) -> None:
    token = caller.sign_in().json()["token"]
    browser = caller.twin()
    answers = at_once(
        [
            lambda: browser.post("/api/refresh"),
            lambda: Caller().post("/api/refresh", Authorization=f"Bearer {token}"),
        ]
    )
    assert [answer.status_code for answer in answers] == [200, 200]
    assert browser.get("/api/session").status_code == 200
    fresh = {"Authorization": f"Bearer {answers[1].json()['access_token']}"}
    assert Caller().get("/api/session", **fresh).status_code == 200
    assert rotating.requests.count("login.token") == 2  # one was the login


def test_the_other_dialect_refreshes_too(caller: Caller, settings: Settings) -> None:
    settings.UPSTREAM_DIALECT = {"": "observed"}
    first = caller.sign_in().json()["token"]
    answer = caller.post("/api/refresh")
    assert answer.json()["access_token"] != first
    assert answer.json()["expires_in"] in (899, 900)
    assert caller.get("/api/session").status_code == 200
