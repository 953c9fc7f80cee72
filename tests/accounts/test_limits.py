"""Rate limits: failed logins, requests by account, and limits without the store."""

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.addresses import network_of
from tests.accounts import stored_data
from tests.accounts.conftest import invented_pair
from tests.concurrency import at_once
from tests.conftest import ELSA, Caller, signed_in
from tests.store_away import take_the_store_away
from upstream.simulator.server import Simulator

WRONG = ELSA | {"password": "wrong"}


@pytest.fixture
def one_window() -> Iterator[None]:
    """Stop the clock: reads and writes are counted by its minute."""
    with time_machine.travel(timezone.now(), tick=False):
        yield


def statuses(answers: list[Any]) -> list[int]:
    return [answer.status_code for answer in answers]


def assert_limited(answer: Any, *, at_most: int) -> None:
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_requests")
    assert 1 <= int(answer.headers["Retry-After"]) <= at_most
    assert not answer.cookies


def test_after_five_failures_the_right_password_is_refused_too(
    caller: Caller, simulator: Simulator
) -> None:
    assert statuses([caller.post("/api/login", WRONG) for _ in range(5)]) == [401] * 5
    assert_limited(caller.post("/api/login", ELSA), at_most=1800)
    assert_limited(caller.post("/api/v2/initiate", ELSA), at_most=1800)
    assert simulator.requests.count("login.password") == 5


SPELLINGS = [
    {"username": " ELSA.nordvall "},
    {"username": "ｅｌｓａ．nordvall"},
    {"orgid": "bjorkdalen"},
]


@pytest.mark.parametrize("change", SPELLINGS)
def test_another_spelling_is_the_same_account(caller: Caller, change: dict[str, str]) -> None:
    for _ in range(5):
        caller.post("/api/login", WRONG)
    assert_limited(caller.post("/api/login", ELSA | change), at_most=1800)


def test_both_forms_of_an_accent_are_one_user_name(caller: Caller) -> None:
    names = ["ömer.sjölin", "o\u0308mer.sjo\u0308lin"]
    tries = [caller.post("/api/login", WRONG | {"username": names[n % 2]}) for n in range(6)]
    assert statuses(tries) == [401] * 5 + [429]


def test_the_owner_elsewhere_is_not_locked_out(caller: Caller) -> None:
    for _ in range(6):
        caller.post("/api/login", WRONG)
    elsewhere = Caller(REMOTE_ADDR="198.51.100.7")
    assert elsewhere.post("/api/login", ELSA).status_code == 200
    caller.sign_in("bo.ek")  # neither are others at the same address


def test_successes_are_not_counted(caller: Caller) -> None:
    for _ in range(8):
        assert caller.post("/api/login", ELSA).status_code == 200
    assert statuses([caller.post("/api/login", WRONG) for _ in range(5)]) == [401] * 5


@pytest.mark.django_db(transaction=True)
def test_forty_right_passwords_at_once_lock_nobody_out(caller: Caller) -> None:
    answers = at_once([lambda: Caller().post("/api/login", ELSA) for _ in range(40)])
    # 503: more logins at once than the school's system gets from us.
    assert set(statuses(answers)) <= {200, 429, 503}
    assert caller.post("/api/login", ELSA).status_code == 200
    assert statuses([caller.post("/api/login", WRONG) for _ in range(6)]) == [401] * 5 + [429]


def test_answers_that_nobody_can_read_count_for_the_address(
    caller: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.LIMITS = {"login_address": "3/86400"}
    simulator.faults.set("login.password", "not-json")
    answers = statuses([caller.post("/api/login", ELSA) for _ in range(5)])
    assert answers == [502, 502, 502, 429, 429]


def test_refused_logins_with_random_names_leave_no_counters(
    caller: Caller, settings: Settings
) -> None:
    settings.LIMITS = {"login_address": "3/86400"}
    for number in range(3):
        caller.post("/api/login", WRONG | {"username": f"guess{number}"})
    before = stored_data.store_counters()
    for number in range(20):
        refused = caller.post("/api/login", WRONG | {"username": f"random{number}"})
        assert refused.status_code == 429
    assert stored_data.store_counters() == before


def test_random_cookies_are_limited_by_address_and_stop_no_logins_from_there(
    caller: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.LIMITS = {"login_address": "2/86400", "unknown_cookies": "3/86400"}
    tries = [Caller().get("/api/session", Cookie=invented_pair(each)) for each in range(6)]
    assert statuses(tries) == [401] * 3 + [429] * 3
    assert simulator.requests.count("rest-api/session") == 3
    assert caller.post("/api/login", ELSA).status_code == 200


def test_a_failure_of_upstream_is_not_counted(caller: Caller, simulator: Simulator) -> None:
    for _ in range(7):
        simulator.faults.set("login.password", "not-json", times=1)
        assert caller.post("/api/login", ELSA).status_code == 502
    assert caller.post("/api/login", ELSA).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_of_twenty_guesses_at_once_five_reach_upstream(
    caller: Caller, simulator: Simulator
) -> None:
    answers = at_once([lambda: Caller().post("/api/login", WRONG) for _ in range(20)])
    assert sorted(statuses(answers)) == [401] * 5 + [429] * 15
    assert simulator.requests.count("login.password") == 5


def test_an_address_has_a_limit_of_its_own(
    caller: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.LIMITS = {"login_address": "3/86400"}
    for number in range(3):
        assert caller.post("/api/login", WRONG | {"username": f"guess{number}"}).status_code == 401
    assert_limited(caller.post("/api/login", ELSA), at_most=86400)
    assert simulator.requests.count("login.password") == 3
    assert Caller(REMOTE_ADDR="198.51.100.7").post("/api/login", ELSA).status_code == 200


def test_a_header_cannot_change_the_address(caller: Caller) -> None:
    for number in range(5):
        caller.post("/api/login", WRONG, **{"X-Forwarded-For": f"203.0.113.{number}"})
    answer = caller.post("/api/login", ELSA, **{"X-Forwarded-For": "203.0.113.99"})
    assert_limited(answer, at_most=1800)


def test_a_trusted_proxy_names_the_address(
    simulator: Simulator, db: None, settings: Settings
) -> None:
    settings.TRUSTED_PROXIES = ["10.0.0.0/8"]
    proxied = Caller(REMOTE_ADDR="10.0.0.1")
    for _ in range(5):
        proxied.post("/api/login", WRONG, **{"X-Forwarded-For": "203.0.113.5"})
    # The client's value is left of the proxy's.
    forged = {"X-Forwarded-For": "192.0.2.1, 203.0.113.5"}
    assert_limited(proxied.post("/api/login", ELSA, **forged), at_most=1800)
    other = {"X-Forwarded-For": "203.0.113.6"}
    assert proxied.post("/api/login", ELSA, **other).status_code == 200


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("", "", True),
    ],
)
def test_a_client_is_an_address_or_a_network(one: str, other: str, same: bool) -> None:
    assert (network_of(one) == network_of(other)) is same


def test_reads_are_limited_by_account(one_window: None, elsa: Caller, settings: Settings) -> None:
    settings.LIMITS = {"reads": "4/86400"}
    answers = [elsa.get("/api/session") for _ in range(6)]
    assert statuses(answers) == [200] * 4 + [429] * 2
    assert_limited(answers[-1], at_most=86400)
    assert elsa.get("/api/schedule").status_code == 429
    assert elsa.post("/api/token").status_code == 200  # a write
    second = signed_in()
    assert second.get("/api/session").status_code == 429  # the same account
    bo = signed_in("bo.ek")
    assert bo.get("/api/session").status_code == 200


def test_writes_are_limited_by_account(one_window: None, elsa: Caller, settings: Settings) -> None:
    settings.LIMITS = {"writes": "2/86400"}
    assert statuses([elsa.post("/api/token") for _ in range(3)]) == [200, 200, 429]
    assert elsa.get("/api/session").status_code == 200


def test_refreshes_are_limited_by_account(elsa: Caller, settings: Settings) -> None:
    settings.LIMITS = {"refresh": "2/86400"}
    answers = [elsa.post("/api/refresh") for _ in range(2)]
    answers.append(elsa.post("/api/v2/token-refresh"))
    assert statuses(answers) == [200, 200, 429]


def test_the_operator_may_turn_limits_off(elsa: Caller, settings: Settings) -> None:
    settings.RATE_LIMITS = False
    settings.LIMITS = {"reads": "1/86400", "login": "1/86400"}
    assert statuses([elsa.get("/api/session") for _ in range(4)]) == [200] * 4
    assert statuses([elsa.post("/api/login", WRONG) for _ in range(4)]) == [401] * 4


def test_without_the_store_logins_are_counted_in_the_process(
    caller: Caller, simulator: Simulator, settings: Settings
) -> None:
    take_the_store_away(settings)
    assert statuses([caller.post("/api/login", WRONG) for _ in range(6)]) == [401] * 5 + [429]
    assert simulator.requests.count("login.password") == 5


def test_without_the_store_one_can_sign_in_read_and_sign_out(
    caller: Caller, settings: Settings
) -> None:
    settings.LIMITS = {"reads": "1/86400", "writes": "1/86400", "refresh": "1/86400"}
    take_the_store_away(settings)
    token = caller.sign_in().json()["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    for _ in range(2):
        assert caller.get("/api/session").status_code == 200
        assert caller.get("/api/schedule?week=11").status_code == 200
        assert caller.get("/api/sessions").status_code == 200
        assert Caller().get("/api/session", **bearer).status_code == 200
        assert caller.post("/api/token").status_code == 200
        assert caller.post("/api/refresh").status_code == 200
    assert caller.get("/api/schools").status_code == 200
    assert caller.post("/api/logout").status_code == 200
    assert Caller().get("/api/session", **bearer).status_code == 401


def test_without_the_store_there_is_no_login_in_two_halves(
    caller: Caller, simulator: Simulator, settings: Settings
) -> None:
    take_the_store_away(settings)
    for path, body in (
        ("/api/v2/initiate", ELSA),
        ("/api/v2/callback", {"code": "x", "state": "y", "school": "bjorkdalen"}),
    ):
        answer = caller.post(path, body)
        assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
        assert "Retry-After" in answer.headers


def test_a_store_that_goes_away_later_does_not_matter(elsa: Caller, settings: Settings) -> None:
    assert elsa.get("/api/schedule?week=11").status_code == 200
    take_the_store_away(settings)
    assert elsa.get("/api/schedule?week=11").status_code == 200
    assert elsa.get("/api/session").status_code == 200
