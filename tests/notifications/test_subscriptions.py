"""/api/push: keys, subscriptions, and the end of a subscription with its login."""

from functools import partial
from typing import Any

import pytest
from pytest_django.fixtures import Settings

import store
from accounts.models import Account, ServiceSession
from accounts.services.ended_sessions import end_record
from accounts.services.suspension import suspend_account
from notifications.models import PushSubscription
from tests.concurrency import at_once
from tests.conftest import Caller
from tests.contract.permission_matrix import PUSH
from upstream.simulator.server import Simulator

PATH = "/api/push/subscriptions"


def subscribed(caller: Caller, number: int = 0, **fields: Any) -> dict[str, Any]:
    body = PUSH | {"endpoint": f"{PUSH['endpoint']}{number}"} | fields
    answer = caller.post(PATH, body)
    assert answer.status_code == 201, answer.content
    kept: dict[str, Any] = answer.json()["subscription"]
    return kept


def listed(caller: Caller) -> list[str]:
    return [each["id"] for each in caller.get(PATH).json()["subscriptions"]]


def test_a_device_without_a_name_is_named_in_the_language_of_the_reader(elsa: Caller) -> None:
    elsa.post(PATH, PUSH, **{"user-agent": "Mozilla/5.0 (Windows NT 10.0) Chrome/140 Safari/537"})
    for language, name in (("sv", "Chrome på Windows"), ("en", "Chrome on Windows")):
        answer = elsa.get(PATH, **{"accept-language": language}).json()
        assert [row["device"] for row in answer["subscriptions"]] == [name]


def test_a_subscription_is_kept_sealed(elsa: Caller) -> None:
    kept = subscribed(elsa, device="Elsas telefon")
    assert elsa.get(PATH).json()["subscriptions"] == [kept]
    assert kept == {
        "id": kept["id"],
        "device": "Elsas telefon",
        "host": "updates.push.services.mozilla.com",
        "createdAt": kept["createdAt"],
        "lastUsedAt": None,
        "failing": False,
    }
    row = PushSubscription.objects.get()
    stored = PushSubscription.objects.values_list("browser", flat=True).get()
    assert b"wpush" not in stored.stored
    browser = row.read_browser()
    assert browser is not None
    assert (browser.endpoint, len(browser.p256dh), len(browser.auth)) == (
        f"{PUSH['endpoint']}0",
        65,
        16,
    )


def test_the_same_endpoint_again_is_the_same_subscription(elsa: Caller) -> None:
    kept = subscribed(elsa)
    again = elsa.post(PATH, PUSH | {"endpoint": f"{PUSH['endpoint']}0", "device": "Dator"})
    assert again.status_code == 200
    assert again.json()["subscription"] == kept | {"device": "Dator"}
    assert listed(elsa) == [kept["id"]]


def test_the_same_endpoint_without_a_name_keeps_its_name(elsa: Caller) -> None:
    kept = subscribed(elsa, device="Elsas telefon")
    again = elsa.post(PATH, PUSH | {"endpoint": f"{PUSH['endpoint']}0"})
    assert (again.status_code, again.json()["subscription"]) == (200, kept)


def test_an_endpoint_of_another_account_moves_to_the_caller(elsa: Caller, bo: Caller) -> None:
    subscribed(elsa)
    moved = subscribed(bo)
    assert listed(elsa) == []
    assert listed(bo) == [moved["id"]]


def test_an_account_has_at_most_ten(elsa: Caller) -> None:
    for number in range(10):
        subscribed(elsa, number)
    answer = elsa.post(PATH, PUSH | {"endpoint": f"{PUSH['endpoint']}10"})
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_kept")
    assert elsa.post(PATH, PUSH | {"endpoint": f"{PUSH['endpoint']}9"}).status_code == 200


@pytest.mark.parametrize(
    "endpoint", ["https://127.0.0.1/x", "http://fcm.googleapis.com/x", "x", "https://évil.se/"]
)
def test_an_endpoint_inside_is_refused(elsa: Caller, endpoint: str) -> None:
    answer = elsa.post(PATH, PUSH | {"endpoint": endpoint})
    assert (answer.status_code, answer.json()["code"]) == (400, "push_endpoint_refused")


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"p256dh": PUSH["keys"]["p256dh"]},
        {"p256dh": PUSH["keys"]["auth"], "auth": PUSH["keys"]["auth"]},
        {"p256dh": "B" + "A" * 86, "auth": PUSH["keys"]["auth"]},
        {"p256dh": PUSH["keys"]["p256dh"], "auth": "AAAA"},
        {"p256dh": PUSH["keys"]["p256dh"], "auth": "!" * 22},
        {"p256dh": 5, "auth": None},
        [],
    ],
)
def test_wrong_keys_are_refused(elsa: Caller, keys: Any) -> None:
    answer = elsa.post(PATH, PUSH | {"keys": keys})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")


def test_keys_may_be_padded(elsa: Caller) -> None:
    keys = {"p256dh": f"{PUSH['keys']['p256dh']}=", "auth": f"{PUSH['keys']['auth']}=="}
    subscribed(elsa, keys=keys)


def test_without_a_key_of_the_operator_pushes_are_off(elsa: Caller, settings: Settings) -> None:
    assert len(elsa.get("/api/push/key").json()["key"]) == 87
    settings.VAPID_PRIVATE_KEY = ""
    for answer in (elsa.get("/api/push/key"), elsa.post(PATH, PUSH)):
        assert (answer.status_code, answer.json()["code"]) == (404, "push_off")


def test_somebody_elses_subscription_does_not_exist(elsa: Caller, bo: Caller) -> None:
    kept = subscribed(elsa)["id"]
    assert bo.delete(f"{PATH}/{kept}").status_code == 404
    assert bo.post(f"{PATH}/{kept}/test").status_code == 404
    assert elsa.delete(f"{PATH}/{kept}").json() == {"success": True}
    assert elsa.delete(f"{PATH}/{kept}").status_code == 404


def test_logging_out_ends_the_subscriptions_of_that_login(elsa: Caller) -> None:
    other = Caller()
    other.sign_in()
    subscribed(elsa, 1)
    kept = subscribed(other, 2)["id"]
    assert elsa.post("/api/logout").status_code == 200
    assert listed(other) == [kept]


def test_revoking_a_login_ends_its_subscriptions(elsa: Caller) -> None:
    other = Caller()
    other.sign_in()
    kept = subscribed(elsa, 1)["id"]
    subscribed(other, 2)
    assert elsa.delete("/api/sessions").status_code == 200
    assert listed(elsa) == [kept]


def test_a_suspension_and_an_erasure_end_them_at_once(elsa: Caller) -> None:
    subscribed(elsa)
    suspend_account(Account.objects.get(username="elsa.nordvall").pk, reason="", until=None)
    assert not PushSubscription.objects.exists()


def test_those_of_a_login_that_expired_wait_for_one_push(elsa: Caller) -> None:
    subscribed(elsa)
    end_record(ServiceSession.objects.get().pk, reason="expired")
    assert PushSubscription.objects.get().ends_since is not None


def test_two_accounts_with_one_endpoint_at_once_leave_it_with_one(
    simulator: Simulator, transactional_db: None
) -> None:
    callers = [Caller(), Caller()]
    for caller, name in zip(callers, ("elsa.nordvall", "bo.ek"), strict=True):
        caller.sign_in(name)
    answers = at_once([partial(caller.post, PATH, PUSH) for caller in callers])
    assert [answer.status_code for answer in answers] == [201, 201]
    assert PushSubscription.objects.count() == 1


def test_a_session_that_no_record_knows_cannot_subscribe(elsa: Caller) -> None:
    ServiceSession.objects.all().delete()
    store.clear()
    answer = elsa.post(PATH, PUSH)
    assert (answer.status_code, answer.json()["code"]) == (401, "nothing_to_refresh")


def test_a_login_that_was_just_ended_cannot_subscribe(elsa: Caller) -> None:
    """The request was identified before: nothing would end the subscription any more."""
    ServiceSession.objects.all().delete()
    answer = elsa.post(PATH, PUSH)
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
    assert not PushSubscription.objects.exists()
