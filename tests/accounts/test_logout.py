"""POST /api/logout: it always succeeds, and the session stays ended."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from pytest_django.fixtures import Settings

import store
from accounts.models import Account, ServiceSession
from accounts.signals import session_ended
from tests.accounts.conftest import Heard, answer_when, hearing, invented_pair, live
from tests.accounts.stored_data import store_keys
from tests.conftest import Caller
from upstream.simulator.server import Simulator

DONE = {"success": True, "message": "Signed out."}


@pytest.fixture
def heard() -> Iterator[Heard]:
    """The arguments of each `session_ended`."""
    with hearing(session_ended) as told:
        yield told


def test_it_ends_the_session_everywhere(caller: Caller, simulator: Simulator, heard: Heard) -> None:
    token = caller.sign_in().json()["token"]
    copy, bearer = caller.twin(), {"Authorization": f"Bearer {token}"}
    assert copy.get("/api/schedule").status_code == 200
    assert Caller().get("/api/session", **bearer).status_code == 200
    record = ServiceSession.objects.get()
    web_sessions = live(simulator)
    answer = caller.post("/api/logout")
    assert (answer.status_code, answer.json()) == (200, DONE)
    assert len(answer.cookies) == 5
    assert all(c["max-age"] == 0 and c.value == "" for c in answer.cookies.values())
    assert ServiceSession.objects.count() == 0
    assert copy.get("/api/session").status_code == 401
    assert copy.get("/api/schedule").status_code == 401
    assert copy.post("/api/token").status_code == 401
    assert copy.post("/api/refresh").status_code == 401
    assert Caller().get("/api/session", **bearer).status_code == 401
    assert Caller().post("/api/v2/token-refresh", **bearer).status_code == 401
    assert live(simulator) < web_sessions
    account = Account.objects.get()
    assert heard == [{"account_id": account.pk, "session_key": record.pk, "reason": "logout"}]
    assert not [key for key in store_keys() if key.startswith(("session:", "copies:"))]


def test_a_bearer_caller_signs_out_too(caller: Caller, simulator: Simulator) -> None:
    token = caller.sign_in().json()["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    assert Caller().get("/api/session", **bearer).status_code == 200
    assert Caller().post("/api/logout", **bearer).json() == DONE
    assert live(simulator) == 0
    assert Caller().get("/api/session", **bearer).status_code == 401
    assert caller.get("/api/session").status_code == 401


def test_it_succeeds_with_any_credential(caller: Caller) -> None:
    credentials = [
        {},
        {"Authorization": "Basic ZWxzYTplbHNh"},
        {"Authorization": "Bearer unknown"},
        {"Authorization": "Bearer"},
        {"Cookie": "wrapper_hash=1; wrapper_hash=2"},
        *({"Cookie": invented_pair(school=each)} for each in ("../x", "nowhere", "bjorkdalen")),
        {"Cookie": ";;==;wrapper_hash"},
    ]
    for headers in credentials * 2:
        answer = caller.post("/api/logout", **headers)
        assert (answer.status_code, answer.json()) == (200, DONE), headers
        assert len(answer.cookies) == 5


def test_the_body_does_not_matter(elsa: Caller) -> None:
    answer = elsa.http.post("/api/logout", "{not json", content_type="application/json")
    assert answer.json() == DONE
    assert elsa.get("/api/session").status_code == 401


@pytest.mark.parametrize("fault", ["500", "429", "404", "redirect-elsewhere"])
def test_it_works_while_upstream_is_down(elsa: Caller, simulator: Simulator, fault: str) -> None:
    copy = elsa.twin()
    simulator.faults.set("traffic", fault)
    assert elsa.post("/api/logout").json() == DONE
    simulator.faults.clear()
    # Upstream's session continues, but the service refuses the pair.
    assert live(simulator) == 1
    assert copy.get("/api/session").status_code == 401
    assert copy.post("/api/logout").json() == DONE


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["cookie", "bearer"])
def test_a_validation_in_flight_does_not_bring_the_session_back(
    caller: Caller, simulator: Simulator, kind: str
) -> None:
    token = caller.sign_in().json()["token"]
    copy = caller.twin()
    headers = {"Authorization": f"Bearer {token}"} if kind == "bearer" else {}
    store.clear()
    answer = answer_when(
        simulator,
        "session",
        lambda: copy.get("/api/session", **headers),
        lambda: caller.post("/api/logout"),
    )
    assert answer.status_code in (200, 401)
    assert live(simulator) == 0
    simulator.requests.clear()
    assert copy.get("/api/session", **headers).status_code == 401
    assert copy.get("/api/schedule", **headers).status_code == 401
    assert len(simulator.requests) == 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("operation", ["login.token", "login.session"])
def test_a_refresh_in_flight_does_not_bring_the_session_back(
    caller: Caller, simulator: Simulator, operation: str
) -> None:
    simulator.state.settings.refresh_tokens = True
    caller.sign_in()
    refresh = partial(caller.twin().post, "/api/refresh")
    answer = answer_when(simulator, operation, refresh, lambda: caller.post("/api/logout"))
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
    assert ServiceSession.objects.count() == 0


def test_the_previous_pair_is_ended_too(elsa: Caller) -> None:
    first, second = elsa.twin(), elsa.twin()
    second.post("/api/refresh")
    third = second.twin()
    third.post("/api/refresh")
    third.post("/api/logout")
    assert [old.get("/api/session").status_code for old in (first, second)] == [401, 401]


def test_a_pair_without_a_record_is_ended_too(
    elsa: Caller, simulator: Simulator, heard: Heard
) -> None:
    ServiceSession.objects.all().delete()
    assert elsa.get("/api/session").status_code == 200
    copy = elsa.twin()
    assert elsa.post("/api/logout").json() == DONE
    assert copy.get("/api/session").status_code == 401
    assert live(simulator) == 0
    assert [news["reason"] for news in heard] == ["logout"]


def test_logouts_with_unknown_pairs_are_limited(
    caller: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.LIMITS = {"unknown_cookies": "2/86400"}
    for school in ("bjorkdalen", "nowhere"):
        for number in range(5):
            pair = invented_pair(number, school)
            assert caller.post("/api/logout", Cookie=pair).json() == DONE
    assert simulator.requests.count("login.page") == 2
    assert len([key for key in store_keys() if key.startswith("ended:")]) == 2


def test_a_receiver_that_fails_does_not_fail_the_logout(elsa: Caller) -> None:
    def receiver(**news: Any) -> None:
        raise RuntimeError("the channel layer is away")

    session_ended.connect(receiver)
    try:
        assert elsa.post("/api/logout").json() == DONE
    finally:
        session_ended.disconnect(receiver)
    assert ServiceSession.objects.count() == 0
