"""Attacks by a stranger, or by one pupil on others."""

from concurrent.futures import FIRST_COMPLETED, wait
from threading import Event

import pytest
from pytest_django.fixtures import Settings

from accounts.models import ServiceSession
from accounts.single_flight import single_flight
from tests.concurrency import crowd
from tests.conftest import Caller
from upstream.errors import BulkheadFull
from upstream.simulator.server import Simulator


def test_a_replaced_token_is_refused(simulator: Simulator, caller: Caller) -> None:
    simulator.state.settings.refresh_tokens = True
    first = {"Authorization": f"Bearer {caller.sign_in().json()['token']}"}
    native = Caller()
    assert native.get("/api/session", **first).status_code == 200

    second = native.post("/api/v2/token-refresh", **first).json()["access_token"]
    assert native.get("/api/session", **first).status_code == 401
    native.post("/api/logout", Authorization=f"Bearer {second}")

    assert native.get("/api/session", **first).status_code == 401
    assert not ServiceSession.objects.exists()


def test_an_ended_pair_does_not_count_against_its_owners_limit(
    elsa: Caller, settings: Settings
) -> None:
    left_behind = elsa.twin()
    assert left_behind.get("/api/session").status_code == 200
    elsa.post("/api/logout")
    elsa.sign_in()
    settings.LIMITS = {"reads": "5/600"}

    for _ in range(10):
        assert left_behind.get("/api/session").status_code == 401

    assert elsa.get("/api/session").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_at_most_half_of_the_threads_wait_for_one_result(settings: Settings) -> None:
    settings.WEB_THREADS = 4
    working, done = Event(), Event()

    def work() -> str:
        working.set()
        assert done.wait(20)
        return "done"

    def ask() -> str:
        return single_flight("one thing", work, wait=20)

    with crowd(4) as start:
        leader = start(ask)
        assert working.wait(20)
        followers = [start(ask) for _ in range(3)]
        refused, _ = wait(followers, timeout=20, return_when=FIRST_COMPLETED)
        with pytest.raises(BulkheadFull):
            refused.pop().result()
        done.set()
        assert leader.result(20) == "done"
        assert sorted(each.exception(20) is None for each in followers) == [False, True, True]
