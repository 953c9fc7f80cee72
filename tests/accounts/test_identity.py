"""Identity: what the cookies may say, and what only upstream decides."""

import pytest
from pytest_django.fixtures import Settings

import store
from accounts.models import Account, ServiceSession
from tests.accounts.conftest import unrecorded
from tests.conftest import Caller, signed_in
from upstream.simulator.server import Simulator

PAIR = "wrapper_jsessionid={jsessionid}; wrapper_hash={hash}; wrapper_school={school}"


def assert_not_signed_in(caller: Caller, **headers: str) -> None:
    answer = caller.get("/api/session", **headers)
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in"), headers


@pytest.mark.parametrize("validated", [False, True])
def test_the_pair_under_another_school_is_401_without_a_call(
    elsa: Caller, simulator: Simulator, validated: bool
) -> None:
    if not validated:
        store.clear()
    elsa.set_cookie("school", "nyvang")
    simulator.requests.clear()
    assert_not_signed_in(elsa)
    assert elsa.post("/api/refresh").status_code == 401
    assert len(simulator.requests) == 0


@pytest.mark.parametrize("seen", [True, False])
def test_a_cookie_that_was_edited_is_401(elsa: Caller, seen: bool) -> None:
    assert elsa.get("/api/session").status_code == 200
    for name in ("username", "usertype"):
        for value in ("bo.ek", "2", "3", "Elsa.Nordvall", "x%00", "01"):
            edited = elsa.twin() if seen else signed_in()
            edited.set_cookie(name, value)
            assert_not_signed_in(edited)


def test_another_hash_is_401_while_the_session_is_cached(elsa: Caller) -> None:
    assert elsa.get("/api/session").status_code == 200
    elsa.set_cookie("hash", "0123456789abcdef0123")
    assert_not_signed_in(elsa)


@pytest.mark.parametrize("name", ["username", "usertype"])
def test_a_redundant_cookie_may_be_missing(elsa: Caller, name: str) -> None:
    del elsa.http.cookies[f"wrapper_{name}"]
    assert elsa.get("/api/session").json()["userId"] == 730214


@pytest.mark.parametrize("name", ["jsessionid", "hash", "school"])
def test_a_required_cookie_may_not_be_missing(elsa: Caller, name: str) -> None:
    del elsa.http.cookies[f"wrapper_{name}"]
    assert_not_signed_in(elsa)


def test_a_cookie_of_ours_that_comes_twice_is_401(elsa: Caller, simulator: Simulator) -> None:
    pairs = [f"wrapper_{each}={value}" for each, value in elsa.cookies.items()]
    simulator.requests.clear()
    for name, own in elsa.cookies.items():
        for twice in (f"wrapper_{name}={own}", f"wrapper_{name}=1"):
            for header in ("; ".join([*pairs, twice]), "; ".join([twice, *pairs])):
                assert_not_signed_in(Caller(), Cookie=header)
    assert len(simulator.requests) == 0


MALFORMED = ["", "a b", 'a"b', "a,b", "a\\b", "a\tb", "a\x7fb", "å", "a\r\nX: 1", "\x00"]


def test_a_cookie_of_ours_that_is_malformed_is_401(elsa: Caller, simulator: Simulator) -> None:
    simulator.requests.clear()
    for name in elsa.cookies:
        pairs = [f"wrapper_{each}={kept}" for each, kept in elsa.cookies.items() if each != name]
        for value in [*MALFORMED, "x" * 5000]:
            assert_not_signed_in(Caller(), Cookie="; ".join([*pairs, f"wrapper_{name}={value}"]))
    assert len(simulator.requests) == 0


def test_nothing_can_be_injected_into_the_cookies_for_upstream(
    elsa: Caller, simulator: Simulator
) -> None:
    own = elsa.cookies
    injected = own | {"jsessionid": f"nothing; JSESSIONID={own['jsessionid']}"}
    assert_not_signed_in(Caller(), Cookie=PAIR.format(**injected))
    quoted = own | {"hash": f'"{own["hash"]}; hash=other"'}
    assert_not_signed_in(Caller(), Cookie=PAIR.format(**quoted))


def test_cookies_with_names_like_ours_do_not_count(elsa: Caller) -> None:
    noise = "xwrapper_hash=1; WRAPPER_HASH=2; wrapper_hash2=3; hash=4; =; a; wrapper_=5; "
    header = noise + PAIR.format(**elsa.cookies)
    assert Caller().get("/api/session", Cookie=header).json()["userId"] == 730214


def test_the_bearer_token_takes_precedence_over_cookies(bearer: dict[str, str], bo: Caller) -> None:
    assert bo.get("/api/session", **bearer).json()["userId"] == 730214
    assert_not_signed_in(bo, Authorization="Bearer unknown")
    assert bo.get("/api/session").json()["userId"] == 730217


NO_TOKENS = [
    "Bearer", "Bearer ", "Bearer a b", "Bearer å", "Bearer " + "x" * 9000, "Bearer unknown",
    "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiI3MzAyMTQifQ.",
]  # fmt: skip


def test_a_token_that_is_none_is_401_without_a_call(elsa: Caller, simulator: Simulator) -> None:
    simulator.requests.clear()
    for header in NO_TOKENS:
        assert_not_signed_in(elsa, Authorization=header)
    assert len(simulator.requests) == 0


@pytest.mark.parametrize("header", ["Basic ZWxzYTplbHNh", "Digest x", "x", "Bearerx", ""])
def test_another_scheme_is_not_for_us(elsa: Caller, header: str) -> None:
    """A browser sends Basic to a test site behind a password, beside the cookies."""
    assert elsa.get("/api/session", Authorization=header).json()["userId"] == 730214
    assert_not_signed_in(Caller(), Authorization=header)


def test_the_scheme_is_read_in_any_case(bearer: dict[str, str]) -> None:
    token = bearer["Authorization"].split(" ")[1]
    assert Caller().get("/api/session", Authorization=f"bEARER  {token}").status_code == 200


def test_a_pair_without_a_record_is_validated_and_accepted(db: None, simulator: Simulator) -> None:
    caller = unrecorded(simulator, "zoe.åkerman", "nyvang")
    body = caller.get("/api/session").json()
    assert (body["userId"], body["school"], body["expiresAt"]) == (730300, "nyvang", None)
    assert Account.objects.get().profile.first_name == "Zoe"
    assert ServiceSession.objects.count() == 0
    assert simulator.requests.count("rest-api/session") == 1
    assert caller.get("/api/schedule?week=11").status_code == 200
    for path in ("/api/token", "/api/refresh", "/api/v2/token-refresh"):
        answer = caller.post(path)
        assert (answer.status_code, answer.json()["code"]) == (401, "nothing_to_refresh"), path
    assert caller.get("/api/sessions").json() == {"success": True, "sessions": []}


def test_a_pair_is_valid_only_at_its_own_school(elsa: Caller, simulator: Simulator) -> None:
    ServiceSession.objects.all().delete()
    elsa.set_cookie("school", "nyvang")
    assert_not_signed_in(elsa)


def test_the_pair_that_a_refresh_replaced_is_valid_for_a_minute(elsa: Caller) -> None:
    old = elsa.twin()
    elsa.post("/api/refresh")
    assert old.cookies["jsessionid"] != elsa.cookies["jsessionid"]
    assert old.get("/api/sessions").json()["sessions"][0]["current"] is True
    assert old.post("/api/token").status_code == 200


def test_the_account_is_the_one_that_upstream_names_now(
    elsa: Caller, simulator: Simulator, settings: Settings
) -> None:
    """Another person who signs in in the same web session is not taken for the previous one."""
    settings.SESSION_CHECK_SECONDS = 0
    del elsa.http.cookies["wrapper_username"]  # it would contradict the answer, too
    web = simulator.state.web_sessions.get(elsa.cookies["jsessionid"])
    web.person = simulator.state.person("bjorkdalen", "bo.ek")
    assert_not_signed_in(elsa)


def test_a_pair_of_an_unknown_school_is_refused_without_a_call(
    simulator: Simulator, elsa: Caller
) -> None:
    elsa.set_cookie("jsessionid", "F" * 32)
    elsa.set_cookie("school", "nowhere")
    simulator.requests.clear()

    assert elsa.get("/api/session").status_code == 401
    assert simulator.requests.count("/nowhere/") == 0
