"""A person erases one account of theirs a day, so that new ones are no way around anything."""

from functools import partial
from typing import Any

import pytest
from django.core.management import call_command
from time_machine import Traveller

from accounts.models import Account
from tests.concurrency import at_once
from tests.conftest import Caller, signed_in
from upstream.simulator.server import Simulator

DAY = 24 * 60 * 60
PASSWORD = {"password": "elsa-demo"}


def erase(caller: Caller, body: Any = PASSWORD) -> Any:
    return caller.delete("/api/account", body)


def assert_refused(answer: Any) -> None:
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_requests")
    assert DAY - 600 < int(answer.headers["Retry-After"]) <= DAY


@pytest.mark.parametrize("body", [PASSWORD, {"password": "wrong"}, {}, {"password": 5}])
def test_a_second_one_is_refused_whatever_the_body(
    elsa: Caller, simulator: Simulator, body: Any
) -> None:
    assert erase(elsa).status_code == 200
    again = signed_in()
    asked = simulator.requests.count("login.password")
    assert_refused(erase(again, body))
    assert simulator.requests.count("login.password") == asked
    assert Account.objects.filter(erasure_started_at=None).count() == 1
    assert again.get("/api/profile").status_code == 200


def test_another_device_and_the_token_change_nothing(elsa: Caller) -> None:
    assert erase(elsa).status_code == 200
    token = Caller().sign_in().json()["token"]
    answer = Caller().delete("/api/account", PASSWORD, Authorization=f"Bearer {token}")
    assert_refused(answer)


def test_neither_what_was_refused_nor_others_are_counted(
    elsa: Caller, bo: Caller, simulator: Simulator
) -> None:
    assert erase(elsa, {}).status_code == 400
    assert erase(elsa, {"password": "wrong"}).status_code == 403
    simulator.faults.set("login.password", "500", times=1)
    assert erase(elsa).status_code in (502, 503)
    assert erase(elsa).status_code == 200
    assert erase(bo, {"password": "bo-demo"}).status_code == 200


def test_it_is_possible_again_a_day_later(elsa: Caller, own_clock: None, clock: Traveller) -> None:
    assert erase(elsa).status_code == 200
    clock.shift(DAY - 1)
    again = signed_in()
    assert erase(again).status_code == 429
    clock.shift(2)
    assert erase(again).status_code == 200


def test_an_operator_erases_whenever_it_is_asked_for(elsa: Caller) -> None:
    for _ in range(2):
        name = Account.objects.get().username
        call_command("erase_account", name, "--yes")
        assert not Account.objects.exists()
        elsa = signed_in()
    # What an operator did is not counted for the person.
    assert erase(elsa).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_of_several_at_once_one_erases(elsa: Caller) -> None:
    answers = at_once([partial(erase, elsa.twin()) for _ in range(4)])
    statuses = [answer.status_code for answer in answers]
    assert statuses.count(200) == 1
    # 401: the account is being erased already.
    assert set(statuses) <= {200, 401, 429}
    assert not Account.objects.exists()
    assert_refused(erase(signed_in()))
