"""Native apps that sign in through the school's own page, in the system's browser (RFC 8252)."""

from typing import Any

import pytest
from pytest_django.fixtures import Settings
from time_machine import Traveller

from accounts.models import ServiceSession
from tests.accounts.page_login import (
    APP,
    CHALLENGE,
    VERIFIER,
    app_start,
    authorize,
    begin,
    come_back,
    visit,
)
from tests.concurrency import at_once
from tests.conftest import Caller
from tests.school_page import callback_values, cancel_at_school
from upstream.simulator.server import Simulator

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _listed(settings: Settings) -> None:
    settings.LOGIN_REDIRECTS = [APP, "http://[::1]/back", "com.example.app:/back?x=1"]


def ticket_of(answer: Any) -> str:
    """The ticket that a callback has sent to the app."""
    assert answer.status_code == 303
    values = callback_values(answer["Location"])
    assert values.pop("state") == "app state/1"
    [(name, ticket)] = values.items()
    assert name == "ticket", values
    return ticket


def redeem(ticket: str, **changes: str) -> Any:
    body = {"ticket": ticket, "codeVerifier": VERIFIER} | changes
    return Caller().post("/api/v2/callback", body)


def assert_no_attempt(answer: Any) -> None:
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_attempt")
    assert not answer.cookies
    assert not ServiceSession.objects.exists()


@pytest.mark.parametrize(
    ("kind", "username", "user_id"),
    [("student", "tove.gran", 640001), ("guardian", "moa.gran", 640301)],
)
def test_an_app_signs_in_with_its_ticket(
    simulator: Simulator, kind: str, username: str, user_id: int
) -> None:
    done = visit(username, kind, **app_start())
    answer = done.finish()
    assert answer["Location"].startswith("http://127.0.0.1:43117/back?ticket=")
    assert not {"wrapper_jsessionid", "wrapper_hash"} & answer.cookies.keys()
    assert not ServiceSession.objects.exists()
    assert simulator.requests.count_operation("login.token") == 0
    signed_in = redeem(ticket_of(answer), state="app state/1")
    assert signed_in.status_code == 200
    body = signed_in.json()
    assert (body["token_type"], body["expires_in"]) == ("Bearer", 900)
    bearer = {"Authorization": f"Bearer {body['access_token']}"}
    session = Caller().get("/api/session", **bearer).json()
    assert (session["userId"], session["role"]) == (user_id, kind)


def test_a_redirect_may_have_a_query_and_a_scheme_of_its_own(simulator: Simulator) -> None:
    done = visit(**app_start(redirectUri="com.example.app:/back?x=1"))
    location = done.finish()["Location"]
    assert location.startswith("com.example.app:/back?x=1&ticket=")


def test_a_ticket_works_once(simulator: Simulator) -> None:
    ticket = ticket_of(visit(**app_start()).finish())
    assert redeem(ticket).status_code == 200
    assert redeem(ticket).status_code == 400
    assert simulator.requests.count_operation("login.token") == 1


@pytest.mark.django_db(transaction=True)
def test_of_ten_with_one_ticket_one_signs_in(simulator: Simulator) -> None:
    ticket = ticket_of(visit(**app_start()).finish())
    answers = at_once([lambda: redeem(ticket) for _ in range(10)])
    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 9
    assert ServiceSession.objects.count() == 1


def test_whoever_sees_the_ticket_can_do_nothing_with_it(simulator: Simulator) -> None:
    ticket = ticket_of(visit(**app_start()).finish())
    for changes in (
        {"codeVerifier": "x" * 43},
        {"codeVerifier": CHALLENGE},
        {"state": "another"},
        {"ticket": "x" * 43},
        {"ticket": ""},
        {"codeVerifier": ""},
        {"codeVerifier": "ö" * 43},
    ):
        answer = redeem(**({"ticket": ticket} | changes))
        assert answer.status_code == 400
    assert simulator.requests.count_operation("login.token") == 0
    assert redeem(ticket).status_code == 200


def test_a_ticket_is_valid_for_a_minute(
    simulator: Simulator, own_clock: None, clock: Traveller
) -> None:
    simulator.state.settings.code_seconds = 1000
    early = ticket_of(visit(**app_start()).finish())
    late = ticket_of(visit(**app_start()).finish())
    clock.shift(59)
    assert redeem(early).status_code == 200
    ServiceSession.objects.all().delete()
    clock.shift(2)
    assert_no_attempt(redeem(late))


def test_a_code_that_the_school_refuses_is_refused(simulator: Simulator) -> None:
    """Not an invalid attempt: an app would start again, and be refused again."""
    ticket = ticket_of(visit(**app_start()).finish())
    simulator.state.clock.advance(61)
    answer = redeem(ticket)
    assert (answer.status_code, answer.json()["code"]) == (403, "refused")
    assert not answer.cookies
    assert not ServiceSession.objects.exists()


@pytest.mark.parametrize("name", ["redirectUri", "state", "codeChallenge"])
def test_an_app_that_leaves_something_out_is_no_browser(simulator: Simulator, name: str) -> None:
    start = {key: value for key, value in app_start().items() if key != name}
    answer = authorize(Caller(), **start)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, [name])


@pytest.mark.parametrize(("kind", "status", "code"), [("PARENT", 403, "wrong_kind")])
def test_a_token_of_the_wrong_kind_is_refused(
    simulator: Simulator, kind: str, status: int, code: str
) -> None:
    ticket = ticket_of(visit(**app_start()).finish())
    simulator.state.settings.set("token_kind", kind)
    answer = redeem(ticket)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not ServiceSession.objects.exists()


def test_a_failure_goes_to_the_app_with_its_state(simulator: Simulator) -> None:
    browser = Caller()
    page = begin(browser, **app_start())
    answer = come_back(browser, **callback_values(cancel_at_school(page)))
    assert answer["Location"] == ("http://127.0.0.1:43117/back?error=cancelled&state=app+state%2F1")
    simulator.state.settings.set("authorize", "error")
    failed = callback_values(visit(**app_start()).finish()["Location"])
    assert failed == {"error": "refused", "state": "app state/1"}


@pytest.mark.parametrize("port", ["", ":1", ":65535"])
@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]"])
def test_loopback_may_have_any_port(simulator: Simulator, host: str, port: str) -> None:
    address = f"http://{host}{port}/back"
    assert authorize(Caller(), **app_start(redirectUri=address)).status_code == 303


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:43117/other",
        "http://127.0.0.1:43117/back/",
        "http://127.0.0.1:43117/back#x",
        "http://127.0.0.1:43117/back?x=1",
        "http://127.0.0.1:x/back",
        "http://127.0.0.1:43117@evil.example/back",
        "http://localhost:43117/back",
        "http://127.0.0.2/back",
        "https://127.0.0.1/back",
        "http://evil.example/back",
        "com.example.app:/back",
        "com.example.app:8000/back?x=1",
        "COM.example.app:/back?x=1",
        "javascript:alert(1)",
        "",
    ],
)
def test_an_address_that_is_not_listed_is_refused(simulator: Simulator, address: str) -> None:
    answer = authorize(Caller(), **app_start(redirectUri=address))
    assert answer.status_code == 400
    assert "redirectUri" in answer.json()["fields"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"state": ""}, "state"),
        ({"state": "x" * 513}, "state"),
        ({"state": "a\nb"}, "state"),
        ({"codeChallenge": ""}, "codeChallenge"),
        ({"codeChallenge": "x" * 42}, "codeChallenge"),
        ({"codeChallenge": "x" * 43 + "="}, "codeChallenge"),
    ],
)
def test_an_app_brings_a_state_and_a_challenge_of_its_own(
    simulator: Simulator, changes: dict[str, str], field: str
) -> None:
    assert field in authorize(Caller(), **app_start(**changes)).json()["fields"]
    without = {name: value for name, value in app_start().items() if name != field}
    assert field in authorize(Caller(), **without).json()["fields"]
