"""Erasing one's account without a password: a fresh sign-in through the school's page confirms."""

import pytest
from time_machine import Traveller

from accounts.models import Account
from tests.accounts.page_login import signed_in_through_page
from tests.conftest import Caller
from upstream.simulator.server import Simulator

pytestmark = pytest.mark.django_db


def erase(caller: Caller, body: object = None) -> tuple[int, str]:
    answer = caller.delete("/api/account", body)
    return answer.status_code, answer.json().get("code", "")


def test_a_fresh_sign_in_confirms(simulator: Simulator, clock: Traveller) -> None:
    browser = signed_in_through_page()
    clock.shift(599)
    assert erase(browser, {}) == (200, "")
    assert not Account.objects.exists()


def test_an_older_one_does_not_but_another_one_does(simulator: Simulator, clock: Traveller) -> None:
    browser = signed_in_through_page()
    clock.shift(601)
    assert erase(browser, {}) == (403, "sign_in_again")
    assert browser.post("/api/refresh").status_code == 200
    assert erase(browser, {}) == (403, "sign_in_again")
    assert Account.objects.count() == 1
    assert erase(signed_in_through_page(), {}) == (200, "")
    assert not Account.objects.exists()


def test_a_password_login_needs_its_password(simulator: Simulator, elsa: Caller) -> None:
    assert erase(elsa, {}) == (400, "invalid_input")
    assert erase(elsa, {"password": "elsa-demo"}) == (200, "")


def test_a_password_that_is_sent_is_checked(simulator: Simulator) -> None:
    browser = signed_in_through_page()
    assert erase(browser, {"password": "tove-demo"}) == (403, "password_login_disabled")
    assert Account.objects.count() == 1
