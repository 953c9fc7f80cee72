"""A session that was ended stays ended, whatever was on its way: a refresh that runs at the moment
of a logout, of a revocation or of an erasure revives nothing and makes no account.

`make soak` runs two hundred rounds of each race; a twentieth of them runs with the other tests.
"""

import os
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from django.db.models.signals import post_save

import store
from accounts.models import Account, RetiredName, ServiceSession
from tests.accounts.conftest import live
from tests.concurrency import at_once, crowd
from tests.conftest import ELSA, Caller, signed_in
from upstream.simulator.server import Simulator

ROUNDS = 200 if os.environ.get("SOAK") else 10
PASSWORD = {"password": "elsa-demo"}
transactional = pytest.mark.django_db(transaction=True)


def _log_out(_other: Caller, own: Caller) -> Any:
    return own.post("/api/logout")


def _revoke(other: Caller, own: Caller) -> Any:
    sessions = other.get("/api/sessions").json()["sessions"]
    (session_id,) = [each["id"] for each in sessions if not each["current"]]
    return other.delete(f"/api/sessions/{session_id}")


def _erase(other: Caller, _own: Caller) -> Any:
    return other.delete("/api/account", PASSWORD)


ENDS = {"logout": _log_out, "revocation": _revoke, "erasure": _erase}


def _credentials(*callers: Caller, tokens: tuple[str, ...]) -> list[dict[str, str]]:
    """The headers of every credential that a client could have kept."""
    bearers = [{"Authorization": f"Bearer {token}"} for token in tokens]
    cookies = [
        {"Cookie": "; ".join(f"wrapper_{name}={value}" for name, value in caller.cookies.items())}
        for caller in callers
        if caller.cookies.get("hash")
    ]
    return [*bearers, *cookies]


def _survivors(credentials: list[dict[str, str]]) -> list[tuple[str, int]]:
    routes = [("get", "/api/session"), ("post", "/api/refresh"), ("post", "/api/token")]
    answers = [
        (path, getattr(Caller(), method)(path, **headers).status_code)
        for headers in credentials
        for method, path in routes
    ]
    return [answer for answer in answers if answer[1] != 401]


@transactional
@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS.keys())
def test_a_refresh_at_the_same_moment_revives_nothing(
    end: Callable[[Caller, Caller], Any], simulator: Simulator
) -> None:
    simulator.state.settings.refresh_tokens = True
    for _ in range(ROUNDS):
        _race(end)
        assert live(simulator) == 0


def _race(end: Callable[[Caller, Caller], Any]) -> None:
    other, own = signed_in(), signed_in()
    old, refreshing = own.twin(), own.twin()
    token = own.post("/api/token").json()["access_token"]
    ended, refreshed = at_once([lambda: end(other, own), lambda: refreshing.post("/api/refresh")])
    assert ended.status_code == 200, ended.content
    assert refreshed.status_code in (200, 401), refreshed.content
    tokens = (token, refreshed.json().get("access_token", "none"))
    assert _survivors(_credentials(old, refreshing, tokens=tokens)) == []
    if end is _erase:
        assert not Account.objects.exists()
        RetiredName.objects.all().delete()  # a hundred erasures use up the names of one person
    else:
        other.post("/api/logout")
    assert not ServiceSession.objects.exists()
    store.clear()  # the next round is another day: so many refreshes and erasures are limited


@transactional
def test_a_web_session_that_comes_too_late_is_ended(elsa: Caller, simulator: Simulator) -> None:
    """The logout is over when upstream answers the refresh."""
    phone = elsa.twin()
    with simulator.faults.hold("login.session") as held, crowd(1) as start:
        refreshing = start(lambda: phone.post("/api/refresh"))
        held.wait_for(1, timeout=60)
        assert elsa.post("/api/logout").status_code == 200
        held.release()
        assert refreshing.result(60).status_code == 401
    assert live(simulator) == 0


@transactional
@pytest.mark.parametrize("path", ["/api/refresh", "/api/login"])
def test_one_that_is_saved_and_not_cached_yet_is_ended(
    elsa: Caller, simulator: Simulator, path: str
) -> None:
    """The logout finds the record, and not the cookies."""
    phone, other = elsa.twin(), signed_in()

    def end_all(**_: Any) -> None:
        post_save.disconnect(end_all, sender=ServiceSession)
        transaction.on_commit(lambda: other.delete("/api/sessions"))

    post_save.connect(end_all, sender=ServiceSession)
    assert phone.post(path, ELSA).status_code == 401
    assert live(simulator) == 1
    assert other.get("/api/session").status_code == 200


@pytest.mark.parametrize("recorded", [True, False])
def test_an_ended_pair_stays_ended_without_redis_and_upstream(
    elsa: Caller, simulator: Simulator, recorded: bool
) -> None:
    """Upstream cannot end the web session, and the store starts empty."""
    if not recorded:
        ServiceSession.objects.all().delete()
        store.clear()
        assert elsa.get("/api/session").status_code == 200
    copy = elsa.twin()
    simulator.faults.set("login.page", "500")
    assert elsa.post("/api/logout").status_code == 200
    store.clear()
    assert live(simulator) == 1
    assert copy.get("/api/session").status_code == 401
    assert copy.get("/api/schedule").status_code == 401


def test_so_does_a_pair_that_a_refresh_replaced_long_ago(
    elsa: Caller, simulator: Simulator
) -> None:
    first = elsa.twin()
    simulator.faults.set("login.page", "500")
    for _ in range(2):
        assert elsa.post("/api/refresh").status_code == 200
    store.clear()
    assert first.get("/api/session").status_code == 401
    assert elsa.get("/api/session").status_code == 200


def test_a_pair_that_upstream_issues_again_begins_anew(
    caller: Caller, simulator: Simulator
) -> None:
    caller.sign_in()
    copy = caller.twin()
    caller.post("/api/logout")
    simulator.state.settings.refresh_tokens = True
    assert copy.get("/api/session").status_code == 401
    caller.sign_in()
    assert caller.get("/api/session").status_code == 200
