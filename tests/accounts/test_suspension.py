"""A suspended account is refused everywhere, from the next request on."""

import pytest

import store
from accounts.models import Account, ServiceSession
from accounts.services.suspension import suspend_account, unsuspend_account
from accounts.signals import account_refused, session_ended
from tests.accounts.conftest import answer_when, hearing, unrecorded
from tests.conftest import Caller
from upstream.simulator.server import Simulator


def suspend() -> None:
    suspend_account(Account.objects.get().pk)


def assert_suspended(caller: Caller, **headers: str) -> None:
    answers = [
        caller.get("/api/session", **headers),
        caller.get("/api/schedule?week=11", **headers),
        caller.get("/api/sessions", **headers),
        caller.post("/api/token", **headers),
        caller.post("/api/refresh", **headers),
        caller.post("/api/v2/token-refresh", **headers),
    ]
    told = {(answer.status_code, answer.json()["code"]) for answer in answers}
    assert told == {(403, "account_suspended")}


def test_the_next_request_is_refused(elsa: Caller) -> None:
    assert elsa.get("/api/schedule?week=11").status_code == 200
    suspend()
    assert_suspended(elsa)


def test_a_bearer_caller_is_refused(bearer: dict[str, str]) -> None:
    assert Caller().get("/api/session", **bearer).status_code == 200
    suspend()
    assert_suspended(Caller(), **bearer)


def test_a_pair_that_is_first_seen_after_the_suspension_is_refused(
    elsa: Caller, simulator: Simulator
) -> None:
    suspend()
    answer = unrecorded(simulator, "elsa.nordvall", "bjorkdalen").get("/api/session")
    assert (answer.status_code, answer.json()["code"]) == (403, "account_suspended")


@pytest.mark.django_db(transaction=True)
def test_a_validation_in_flight_is_refused(elsa: Caller, simulator: Simulator) -> None:
    store.clear()
    answer = answer_when(simulator, "session", lambda: elsa.get("/api/session"), suspend)
    assert answer.status_code in (200, 403)
    assert_suspended(elsa)


def test_it_is_refused_in_an_outage_too(elsa: Caller, simulator: Simulator) -> None:
    assert elsa.get("/api/session").status_code == 200
    suspend()
    simulator.faults.set("traffic", "500")
    assert_suspended(elsa)


def test_others_are_not_affected(elsa: Caller) -> None:
    bo = Caller()
    suspend()
    bo.sign_in("bo.ek")
    assert bo.get("/api/session").status_code == 200


def test_who_is_suspended_may_still_sign_out(elsa: Caller) -> None:
    suspend()
    assert elsa.post("/api/logout").status_code == 200
    assert ServiceSession.objects.count() == 0


def test_sockets_are_told_and_cached_data_is_dropped(elsa: Caller, simulator: Simulator) -> None:
    for _ in range(2):
        assert elsa.get("/api/schedule?week=11").status_code == 200
    assert simulator.requests.count("lessons") == 1
    account, record = Account.objects.get(), ServiceSession.objects.get()
    with hearing(session_ended) as ended, hearing(account_refused) as refused:
        suspend()
    news = {"account_id": account.pk, "reason": "suspended"}
    assert ended == [news | {"session_key": record.pk}]
    assert refused == [news]
    unsuspend_account(account.pk)
    assert elsa.get("/api/schedule?week=11").status_code == 200
    assert simulator.requests.count("lessons") == 2


def test_sessions_work_again_after_the_suspension(elsa: Caller) -> None:
    suspend()
    assert_suspended(elsa)
    unsuspend_account(Account.objects.get().pk)
    assert elsa.get("/api/session").status_code == 200
    assert Caller().sign_in().status_code == 200
