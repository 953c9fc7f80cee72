"""/api/v2/initiate and /api/v2/callback: a login in two halves."""

from typing import Any

import pytest
from django.core.cache import caches
from time_machine import Traveller

from accounts.models import Account, ServiceSession
from tests.accounts.stored_data import store_contents, store_keys, tables
from tests.concurrency import at_once
from tests.conftest import ELSA, Caller
from upstream.simulator.server import Simulator


def initiate(caller: Caller) -> dict[str, str]:
    """Begin a login; returns the body for the callback."""
    body: dict[str, str] = caller.post("/api/v2/initiate", ELSA).json()
    assert body.pop("success")
    return body | {"school": "bjorkdalen"}


def assert_no_attempt(answer: Any) -> None:
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_attempt")
    assert not answer.cookies
    assert ServiceSession.objects.count() == 0


def test_the_two_halves_make_a_login(caller: Caller) -> None:
    first = caller.post("/api/v2/initiate", ELSA)
    body = first.json()
    assert (first.status_code, sorted(body)) == (200, ["code", "state", "success"])
    assert len(bytes.fromhex(body["state"])) == 16
    assert not first.cookies
    second = caller.post("/api/v2/callback", body | {"school": "bjorkdalen"})
    answer = second.json()
    token = answer.pop("access_token")
    assert answer == {"success": True, "token_type": "Bearer", "expires_in": 2_592_000}
    assert len(second.cookies) == 5
    assert caller.get("/api/session").json()["userId"] == 730214
    assert Caller().get("/api/session", Authorization=f"Bearer {token}").status_code == 200
    assert Account.objects.get().profile.first_name == "Elsa"


def test_a_callback_on_another_device_is_fine(caller: Caller) -> None:
    assert Caller().post("/api/v2/callback", initiate(caller)).status_code == 200


@pytest.mark.parametrize(
    "wrong",
    [
        {"state": "0" * 32},
        {"state": "ö"},
        {"code": "wrong"},
        {"code": "ö" * 200},
        {"school": "nyvang"},
        {"school": "../x"},
    ],
)
def test_a_wrong_field_is_refused_without_a_call(
    caller: Caller, simulator: Simulator, wrong: dict[str, str]
) -> None:
    attempt = initiate(caller)
    assert_no_attempt(caller.post("/api/v2/callback", attempt | wrong))
    assert simulator.requests.count("login.token") == 0
    assert caller.post("/api/v2/callback", attempt).status_code == 200


@pytest.mark.parametrize("name", ["code", "state"])
def test_an_invalid_field_is_named(caller: Caller, name: str) -> None:
    attempt: dict[str, Any] = initiate(caller)
    for value in (None, "", 7, ["x"], "x" * 10_000):
        answer = caller.post("/api/v2/callback", attempt | {name: value})
        assert answer.status_code == 400
        assert list(answer.json()["fields"]) == [name], value


@pytest.mark.parametrize("name", ["code", "school"])
@pytest.mark.parametrize("tries", [2, 3])
def test_the_third_wrong_try_deletes_the_attempt(
    caller: Caller, simulator: Simulator, name: str, tries: int
) -> None:
    attempt = initiate(caller)
    for _ in range(tries):
        assert_no_attempt(caller.post("/api/v2/callback", attempt | {name: "wrong"}))
    assert simulator.requests.count("login.token") == 0
    answer = caller.post("/api/v2/callback", attempt)
    assert answer.status_code == (200 if tries == 2 else 400)
    assert ServiceSession.objects.count() == (1 if tries == 2 else 0)


def test_the_code_of_another_attempt_is_refused(caller: Caller) -> None:
    first, second = initiate(caller), initiate(caller)
    assert_no_attempt(caller.post("/api/v2/callback", first | {"code": second["code"]}))


def test_an_attempt_is_used_once(caller: Caller, simulator: Simulator) -> None:
    attempt = initiate(caller)
    assert caller.post("/api/v2/callback", attempt).status_code == 200
    again = Caller().post("/api/v2/callback", attempt)
    assert (again.status_code, again.json()["code"]) == (400, "invalid_attempt")
    assert simulator.requests.count("login.token") == 1


def test_an_attempt_is_valid_for_five_minutes(
    caller: Caller, simulator: Simulator, own_clock: None, clock: Traveller
) -> None:
    simulator.state.settings.code_seconds = 10_000
    early, late = initiate(caller), initiate(caller)
    clock.shift(299)
    assert caller.post("/api/v2/callback", early).status_code == 200
    clock.shift(2)
    calls = simulator.requests.count("login.token")
    answer = Caller().post("/api/v2/callback", late)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_attempt")
    assert simulator.requests.count("login.token") == calls


def test_an_attempt_in_redis_expires(caller: Caller, settings: Any) -> None:
    if not settings.REDIS_URL:
        pytest.skip("needs REDIS_URL")
    initiate(caller)
    cache: Any = caches["default"]
    client = cache._cache.get_client()
    (key,) = client.scan_iter("wrapper:*:attempt:*")
    assert 290_000 < client.pttl(key) <= 300_000


def test_a_code_that_is_too_old_for_upstream_is_refused(
    caller: Caller, simulator: Simulator
) -> None:
    attempt = initiate(caller)
    simulator.state.clock.advance(61)
    assert_no_attempt(caller.post("/api/v2/callback", attempt))


@pytest.mark.django_db(transaction=True)
def test_of_twenty_callbacks_at_once_one_succeeds(caller: Caller, simulator: Simulator) -> None:
    attempt = initiate(caller)
    answers = at_once([lambda: Caller().post("/api/v2/callback", attempt) for _ in range(20)])
    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 19
    assert {one.json()["code"] for one in answers if one.status_code == 400} == {"invalid_attempt"}
    assert simulator.requests.count("login.token") == 1
    assert ServiceSession.objects.count() == 1


def test_an_attempt_is_encrypted_and_in_no_table(
    caller: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    before = tables()
    attempt = initiate(caller)
    assert tables() == before
    assert [key for key in store_keys() if key.startswith("attempt:")]
    for secret in (attempt["code"], attempt["state"], *ELSA.values()):
        if secret != "bjorkdalen":
            assert secret.encode() not in store_contents()
        assert secret not in caplog.text


def test_a_failure_of_upstream_in_the_second_half_leaves_nothing_behind(
    caller: Caller, simulator: Simulator
) -> None:
    attempt = initiate(caller)
    simulator.faults.set("login.token", "500")
    answer = caller.post("/api/v2/callback", attempt)
    assert (answer.status_code, answer.json()["code"]) == (503, "upstream_failing")
    assert not answer.cookies
    assert ServiceSession.objects.count() == 0
    assert not [key for key in store_keys() if key.startswith("attempt:")]


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"password": "wrong"}, 401, "invalid_credentials"),
        ({"school": "nowhere"}, 404, "school_unknown"),
        ({"school": "granskolan"}, 403, "password_login_disabled"),
        ({"username": 7}, 400, "invalid_input"),
    ],
)
def test_the_first_half_refuses_as_login_does(
    caller: Caller, change: dict[str, Any], status: int, code: str
) -> None:
    answer = caller.post("/api/v2/initiate", ELSA | change)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not [key for key in store_keys() if key.startswith("attempt:")]


@pytest.mark.parametrize("fault", ["500", "state-echo-wrong", "200-no-code"])
def test_no_attempt_is_stored_after_an_invalid_answer(
    caller: Caller, simulator: Simulator, fault: str
) -> None:
    simulator.faults.set("login.password", fault)
    assert caller.post("/api/v2/initiate", ELSA).status_code in (502, 503)
    assert not [key for key in store_keys() if key.startswith("attempt:")]
