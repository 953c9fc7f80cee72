"""POST /api/login refused: the status, and that nothing is left behind."""

from typing import Any

import pytest
from pytest_django.fixtures import Settings

from tests.accounts.stored_data import left_behind
from tests.conftest import ELSA, Caller
from upstream.simulator.server import Simulator

SLUGS_NOT = [
    "../nyvang", "bjorkdalen/../nyvang", "bjorkdalen/rest-api", "bjorkdalen#", "bjorkdalen?x=1",
    "bjorkdalen%2f..", "//evil.example", "http://evil.example", "evil.example", "evil.example:80",
    "user@evil", "Bjorkdalen", "björkdalen", "bjorkdalen\n", "bjorkdalen\r\nX-A: b", "bjork dalen",
    "\tbjorkdalen\x1b", "-bjorkdalen", "_bjorkdalen", ".", "..", "a" * 64, "a" * 5000,
    "bjorkdalen\u2028", "bjorkdalen;",
]  # fmt: skip


def assert_refused(answer: Any, status: int, code: str) -> None:
    body = answer.json()
    assert (answer.status_code, body["success"], body["code"]) == (status, False, code)
    assert body["error"] == body["message"] != ""
    assert not answer.cookies
    assert left_behind() == []


def test_a_wrong_password_and_an_unknown_person_get_the_same_bytes(caller: Caller) -> None:
    wrong = caller.post("/api/login", ELSA | {"password": "not it"})
    unknown = caller.post("/api/login", ELSA | {"username": "no.one"})
    assert_refused(wrong, 401, "invalid_credentials")
    assert_refused(unknown, 401, "invalid_credentials")
    assert wrong.content == unknown.content


def test_an_unknown_school_is_404_without_a_login_call(
    caller: Caller, simulator: Simulator
) -> None:
    answer = caller.post("/api/login", ELSA | {"school": "nowhere"})
    assert_refused(answer, 404, "school_unknown")
    assert simulator.requests.count("login.") == 0


def test_a_school_that_is_not_on_the_operators_list_is_unknown(
    caller: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.UPSTREAM_SCHOOLS = ["nyvang"]
    assert_refused(caller.post("/api/login", ELSA), 404, "school_unknown")
    assert simulator.requests.count("login.") == 0


def test_a_listed_school_signs_in_while_the_school_list_is_away(
    caller: Caller, simulator: Simulator, settings: Settings
) -> None:
    simulator.faults.set("schools", "500")
    assert_refused(caller.post("/api/login", ELSA), 503, "upstream_failing")
    settings.UPSTREAM_SCHOOLS = ["bjorkdalen"]
    assert caller.post("/api/login", ELSA).status_code == 200


def test_a_school_without_password_login_never_gets_the_password(
    caller: Caller, simulator: Simulator
) -> None:
    body = {"username": "tove.gran", "password": "tove-demo", "school": "granskolan"}
    assert_refused(caller.post("/api/login", body), 403, "password_login_disabled")
    assert simulator.requests.count_operation("login.password") == 0


@pytest.mark.parametrize("listed", [True, False])
def test_an_invalid_slug_is_not_sent_upstream(
    caller: Caller, simulator: Simulator, settings: Settings, listed: bool
) -> None:
    for slug in SLUGS_NOT:
        settings.UPSTREAM_SCHOOLS = [slug] if listed else []
        answer = caller.post("/api/login", ELSA | {"school": slug})
        assert answer.status_code in (400, 404), slug
        assert not answer.cookies
    assert len(simulator.requests) == 0


def test_an_invalid_slug_in_the_header_is_not_sent_upstream(
    caller: Caller, simulator: Simulator
) -> None:
    body = {name: ELSA[name] for name in ("username", "password")}
    for slug in ("../nyvang", "evil.example", "a" * 64, "bj\u00f6rkdalen", "A"):
        answer = caller.post("/api/login", body, **{"x-school": slug})
        assert_refused(answer, 404, "school_unknown")
    assert len(simulator.requests) == 0


INVALID: list[tuple[str, Any]] = [
    *[("username", value) for value in (None, "", 7, True, ["x"], {"a": "b"}, 1.5, "x" * 5000)],
    *[("password", value) for value in (None, "", 7, True, ["x"], {"a": "b"}, 1.5, "x" * 5000)],
    *[("school", value) for value in (None, 7, ["bjorkdalen"])],
]


def test_an_invalid_field_is_named(caller: Caller, simulator: Simulator) -> None:
    for name, value in INVALID:
        answer = caller.post("/api/login", ELSA | {name: value})
        assert_refused(answer, 400, "invalid_input")
        assert list(answer.json()["fields"]) == [name], value
    assert len(simulator.requests) == 0


def test_missing_fields_are_all_named(caller: Caller) -> None:
    answer = caller.post("/api/login", {})
    assert_refused(answer, 400, "invalid_input")
    assert set(answer.json()["fields"]) == {"username", "password"}


NO_OBJECTS = [
    "",
    "[]",
    "null",
    "{",
    '{"username":"elsa\\u0000","password":"p","school":"bjorkdalen"}',
    '{"username":"elsa\\ud800","password":"p","school":"bjorkdalen"}',
    '{"username":"elsa","password":"\\udfff","school":"bjorkdalen"}',
    '{"username":"elsa","password":NaN,"school":"bjorkdalen"}',
    '{"username":' + "[" * 4000 + "]" * 4000 + "}",
    '{"username":' + "9" * 5000 + "}",
]


def test_a_body_that_is_not_a_json_object_is_400(caller: Caller, simulator: Simulator) -> None:
    for text in NO_OBJECTS:
        answer = caller.http.post("/api/login", text, content_type="application/json")
        assert answer.status_code == 400, text[:80]
        assert answer.json()["code"] in ("invalid_json", "invalid_input")
    assert len(simulator.requests) == 0


def test_a_huge_body_is_413(caller: Caller) -> None:
    answer = caller.post("/api/login", ELSA | {"note": "x" * 300_000})
    assert_refused(answer, 413, "too_large")


# By operation and status.
FAULTS: dict[tuple[str, int], list[str]] = {
    ("login.password", 503): ["500", "502", "429", "reset", "cut"],
    ("login.password", 502): [
        "200-no-code", "no-state", "state-echo-wrong", "redirect-uri-wrong", "200-html", "not-json",
        "empty", "400", "redirect-elsewhere", "302-login", "huge", "gzip-bomb",
    ],
    ("login.token", 503): ["500", "429", "reset"],
    ("login.token", 502): [
        "400", "401", "404", "200-html", "nonsense-lifetime", "empty", "truncated",
    ],
    ("login.session", 503): ["500", "reset"],
    ("login.session", 502): ["401", "missing-hash", "bad-cookie-value"],
    ("session", 503): ["500"],
    ("session", 502): ["401", "200-no-user", "200-html", "not-json"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("operation", "value", "status"),
    [(operation, value, status) for (operation, status), all_ in FAULTS.items() for value in all_],
)
def test_a_failure_of_upstream_is_never_401_and_leaves_nothing_behind(
    caller: Caller, simulator: Simulator, operation: str, value: str, status: int
) -> None:
    simulator.faults.set(operation, value)
    answer = caller.post("/api/login", ELSA)
    assert (answer.status_code, answer.json()["success"]) == (status, False)
    assert not answer.cookies
    assert left_behind() == []
    assert ("Retry-After" in answer.headers) is (status == 503)
    assert simulator.requests.count("login.password") <= 1  # never retried


@pytest.mark.parametrize("lifetime", [-1, 0, "soon", "1e9", 10**10, True, [], 1.5, {"s": 1}])
def test_an_invalid_lifetime_is_502(caller: Caller, simulator: Simulator, lifetime: object) -> None:
    simulator.faults.set("login.token", "nonsense-lifetime", lifetime=lifetime)
    assert_refused(caller.post("/api/login", ELSA), 502, "upstream_invalid")


def test_a_throttled_school_says_when_to_try_again(caller: Caller, simulator: Simulator) -> None:
    simulator.faults.set("login.password", "429", retry_after=17)
    answer = caller.post("/api/login", ELSA)
    assert_refused(answer, 503, "upstream_throttled")
    assert answer.headers["Retry-After"] == "17"
    simulator.faults.clear()
    assert caller.post("/api/login", ELSA).status_code == 200  # others are not affected


def test_after_another_state_the_token_endpoint_is_not_called(
    caller: Caller, simulator: Simulator
) -> None:
    simulator.faults.set("login.password", "state-echo-wrong")
    caller.post("/api/login", ELSA)
    assert simulator.requests.count("login.token") == 0


@pytest.mark.slow
def test_a_school_that_does_not_answer_is_504(caller: Caller, simulator: Simulator) -> None:
    simulator.faults.set("login.password", "timeout")
    assert_refused(caller.post("/api/login", ELSA), 504, "upstream_timeout")


def test_a_refused_connection_is_503(caller: Caller, settings: Settings) -> None:
    settings.UPSTREAM_SCHOOLS = ["bjorkdalen"]
    settings.UPSTREAM_URL = "http://127.0.0.1:9"
    assert_refused(caller.post("/api/login", ELSA), 503, "upstream_unreachable")
