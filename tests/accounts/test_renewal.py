"""A login through the school's own page lasts, though its access tokens live for 15 minutes."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from pytest_django.fixtures import Settings
from time_machine import Traveller

import store
from accounts.models import ServiceSession
from accounts.services.ended_sessions import purge_expired_sessions
from accounts.signals import session_ended
from tests.accounts.conftest import hearing
from tests.accounts.page_login import signed_in_through_page, visit
from tests.concurrency import at_once
from tests.conftest import Caller
from tests.schoolproxy.feeds import lessons, new_feed, subscribed
from tests.store_away import take_the_store_away
from upstream.simulator.server import Simulator

pytestmark = pytest.mark.django_db
WEEK = "/api/schedule?week=11"
CHAIN = "login.token"


@pytest.fixture
def app(simulator: Simulator, clock: Traveller) -> dict[str, str]:
    """The header of a native app in which Tove has signed in, with the token that it got first."""
    token = signed_in_through_page().post("/api/token").json()["access_token"]
    return {"Authorization": f"Bearer {token}"}


def later(simulator: Simulator, clock: Traveller, **time: float) -> None:
    """After some time the store has forgotten the web session, too."""
    clock.shift(timedelta(**time))
    store.clear()
    simulator.requests.clear()


def renewals(simulator: Simulator) -> int:
    return simulator.requests.count_operation(CHAIN)


def test_the_first_token_of_an_app_works_for_a_month(
    simulator: Simulator, clock: Traveller, app: dict[str, str]
) -> None:
    for _ in range(40):
        later(simulator, clock, days=1)
        assert Caller().get(WEEK, **app).json()["schedule"]
        assert renewals(simulator) == 1
    assert ServiceSession.objects.count() == 1


def test_a_browser_never_has_to_sign_in_again(simulator: Simulator, clock: Traveller) -> None:
    browser = signed_in_through_page("moa.gran", "guardian")
    child = browser.get("/api/children").json()["children"][1]["id"]
    for _ in range(40):
        later(simulator, clock, days=1)
        assert browser.get("/api/session").status_code == 401
        answer = browser.post("/api/refresh")
        assert answer.status_code == 200
        assert answer.cookies["wrapper_hash"]["max-age"] == 30 * 24 * 3600
        assert browser.get("/api/session").json()["role"] == "guardian"
        assert browser.get(f"{WEEK}&child={child}").json()["schedule"]


def test_a_live_token_is_not_renewed(
    simulator: Simulator, clock: Traveller, app: dict[str, str]
) -> None:
    later(simulator, clock, minutes=13)
    assert Caller().get(WEEK, **app).status_code == 200
    assert renewals(simulator) == 0
    later(simulator, clock, minutes=1, seconds=30)  # less than a minute is left of it
    assert Caller().get(WEEK, **app).status_code == 200
    assert renewals(simulator) == 1


@pytest.mark.django_db(transaction=True)
def test_ten_at_once_renew_it_once(
    simulator: Simulator, clock: Traveller, app: dict[str, str]
) -> None:
    later(simulator, clock, hours=2)
    read: list[Callable[[], Any]] = [lambda: Caller().get(WEEK, **app) for _ in range(10)]
    assert [answer.status_code for answer in at_once(read)] == [200] * 10
    assert renewals(simulator) == 1


def test_new_tokens_are_saved_before_they_are_used(
    simulator: Simulator, clock: Traveller, app: dict[str, str]
) -> None:
    before = ServiceSession.objects.get()
    later(simulator, clock, hours=1)
    simulator.faults.set("login.session", "500")
    assert Caller().get(WEEK, **app).status_code == 503
    after = ServiceSession.objects.get()
    assert after.refresh_token != before.refresh_token
    assert after.access_token != before.access_token
    assert after.token_hash == before.token_hash
    simulator.faults.clear()
    assert Caller().get(WEEK, **app).status_code == 200
    assert renewals(simulator) == 1


@pytest.mark.parametrize("fault", ["400", "401", "404", "revoked", "reused"])
def test_a_refused_refresh_token_ends_the_login(
    simulator: Simulator, clock: Traveller, app: dict[str, str], fault: str
) -> None:
    later(simulator, clock, hours=1)
    if fault == "revoked":
        simulator.state.tokens.revoke_all_refresh_tokens()
    elif fault == "reused":
        token = ServiceSession.objects.get().refresh_token or ""
        assert simulator.state.tokens.redeem_refresh_token("granskolan", token, "refused")
    else:
        simulator.faults.set(CHAIN, fault)
    with hearing(session_ended) as ended:
        for _ in range(2):
            assert Caller().get(WEEK, **app).status_code == 401
    assert not ServiceSession.objects.exists()
    assert [each["reason"] for each in ended] == ["expired"]
    assert renewals(simulator) == 1


@pytest.mark.parametrize("fault", ["400", "401", "404"])
def test_a_refresh_that_upstream_refuses_ends_it_too(
    simulator: Simulator, clock: Traveller, fault: str
) -> None:
    browser = signed_in_through_page()
    simulator.faults.set(CHAIN, fault)
    answer = browser.post("/api/refresh")
    assert (answer.status_code, answer.json()["code"]) == (401, "nothing_to_refresh")
    assert not ServiceSession.objects.exists()


@pytest.mark.parametrize("fault", ["403", "404"])
def test_a_bridge_that_refuses_a_new_token_ends_nothing(
    simulator: Simulator, clock: Traveller, fault: str
) -> None:
    browser = signed_in_through_page("moa.gran", "guardian")
    simulator.faults.set("parent", fault)
    simulator.faults.set("login.session", fault)
    assert browser.post("/api/refresh").status_code == 502
    assert ServiceSession.objects.count() == 1
    simulator.faults.clear()
    assert browser.post("/api/refresh").status_code == 200


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        ("403", 502),
        ("500", 503),
        ("503", 503),
        ("429", 503),
        ("not-json", 502),
        ("200-html", 502),
    ],
)
def test_a_failure_ends_nothing(
    simulator: Simulator, clock: Traveller, app: dict[str, str], fault: str, status: int
) -> None:
    later(simulator, clock, hours=1)
    simulator.faults.set(CHAIN, fault, times=1)
    assert Caller().get(WEEK, **app).status_code == status
    assert ServiceSession.objects.count() == 1
    simulator.faults.clear()
    store.clear()
    assert Caller().get(WEEK, **app).status_code == 200


@pytest.mark.parametrize("fault", ["500", "reset", "not-json"])
def test_a_token_is_used_to_its_end_while_upstream_renews_none(
    simulator: Simulator, clock: Traveller, app: dict[str, str], fault: str
) -> None:
    later(simulator, clock, minutes=14, seconds=30)
    simulator.faults.set(CHAIN, fault)
    assert Caller().get(WEEK, **app).status_code == 200


def test_a_refusal_without_the_store_ends_nothing(
    simulator: Simulator, clock: Traveller, app: dict[str, str], settings: Settings
) -> None:
    """Two processes may have used the refresh token at once."""
    later(simulator, clock, hours=1)
    simulator.faults.set(CHAIN, "404")
    take_the_store_away(settings)
    assert Caller().get(WEEK, **app).status_code == 503
    assert ServiceSession.objects.count() == 1


def test_the_token_that_is_given_out_is_a_live_one(
    simulator: Simulator, clock: Traveller, app: dict[str, str]
) -> None:
    later(simulator, clock, hours=1)
    answer = Caller().post("/api/token", **app).json()
    assert answer["expires_in"] == 900
    fresh = {"Authorization": f"Bearer {answer['access_token']}"}
    assert Caller().get(WEEK, **fresh).status_code == 200
    assert Caller().get("/api/session", **app).status_code == 401
    # For a minute more, for an answer that was lost.
    assert Caller().post("/api/v2/token-refresh", **app).status_code == 200


def test_nobody_purges_it_before_its_time(
    simulator: Simulator, clock: Traveller, app: dict[str, str]
) -> None:
    later(simulator, clock, days=29)
    assert purge_expired_sessions().expired == 0
    later(simulator, clock, days=2)
    assert Caller().get("/api/session", **app).status_code == 401
    assert purge_expired_sessions().expired == 1
    assert renewals(simulator) == 0


def test_a_calendar_feed_goes_on(simulator: Simulator, clock: Traveller) -> None:
    path = new_feed(signed_in_through_page())
    later(simulator, clock, days=3)
    assert lessons(subscribed(path))


def test_signing_out_ends_it(simulator: Simulator, clock: Traveller, app: dict[str, str]) -> None:
    assert Caller().post("/api/logout", **app).status_code == 200
    later(simulator, clock, hours=1)
    assert Caller().get(WEEK, **app).status_code == 401
    assert renewals(simulator) == 0


@pytest.mark.parametrize("dialect", ["specified", "observed"])
def test_the_role_of_a_guardian_stays_what_it_is(
    simulator: Simulator, clock: Traveller, settings: Settings, dialect: str
) -> None:
    """The number of a guardian in one dialect is a teacher's in the other."""
    settings.UPSTREAM_DIALECT = {"": dialect}
    browser = signed_in_through_page("moa.gran", "guardian")
    assert browser.put("/api/profile", {"bio": "Hej"}).status_code == 200
    for _ in range(2):
        later(simulator, clock, seconds=40)
        assert browser.get("/api/session").json()["role"] == "guardian"
    later(simulator, clock, hours=1)
    assert browser.post("/api/refresh").status_code == 200
    assert browser.get("/api/profile").json()["profile"]["userType"] == "guardian"


def test_a_password_login_with_short_tokens_lasts_as_well(
    simulator: Simulator, clock: Traveller, settings: Settings
) -> None:
    settings.UPSTREAM_DIALECT = {"": "observed"}
    token = Caller().sign_in().json()["token"]
    app = {"Authorization": f"Bearer {token}"}
    for _ in range(3):
        later(simulator, clock, days=1)
        assert Caller().get(WEEK, **app).status_code == 200
        assert renewals(simulator) == 1


def test_one_person_may_have_both_kinds_of_logins(simulator: Simulator, clock: Traveller) -> None:
    done = visit("zoe.åkerman", "student", "nyvang")
    assert done.finish()["Location"] == "/app/"
    password = Caller()
    password.sign_in("zoe.åkerman", "nyvang")
    later(simulator, clock, hours=2)
    for browser in (done.browser, password):
        assert browser.post("/api/refresh").status_code == 200
        assert browser.get(WEEK).status_code == 200
