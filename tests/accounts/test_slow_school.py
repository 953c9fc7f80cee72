"""A school that is slow: what waits for it holds no database connection, and gets its turn."""

from typing import Any

import pytest
from django.db import connection
from django.test import override_settings
from pytest_django.fixtures import Settings

import store
from tests.concurrency import crowd, wait_until
from tests.conftest import ELSA, Caller
from upstream.shared_client import client
from upstream.simulator.server import Simulator

# More than the pool has connections, fewer than the threads that one school may use.
WAITING = 24


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no pool to run dry")
@pytest.mark.django_db(transaction=True)
@override_settings(RATE_LIMITS=False)
def test_a_request_that_waits_for_upstream_holds_no_database_connection(
    zoe: Caller, simulator: Simulator
) -> None:
    callers = [Caller() for _ in range(WAITING)]
    for caller in callers:
        caller.sign_in()
    store.clear()  # so that each of them asks upstream again
    with crowd(WAITING + 1) as start, simulator.faults.hold("session", school="bjorkdalen") as held:
        waiting = [start(lambda one=one: one.get("/api/session")) for one in callers]  # type: ignore[misc]
        held.wait_for(WAITING)
        assert start(lambda: zoe.get("/api/sessions")).result(3).status_code == 200
        held.release()
        assert [one.result(20).status_code for one in waiting] == [200] * WAITING


@pytest.mark.django_db(transaction=True)
@override_settings(RATE_LIMITS=False)
def test_a_class_that_signs_in_from_one_network_waits_for_its_turn(
    simulator: Simulator, settings: Settings
) -> None:
    """The computers of a school share one address, which may hold nine of these threads."""
    settings.WEB_THREADS = 24
    shares: Any = client().guards.of("bjorkdalen")._shares

    def waits() -> bool:
        return any(share.threads._cond._waiters for share in shares.values())

    with crowd(10) as start, simulator.faults.hold("login.password") as held:
        running = [start(lambda: Caller().post("/api/login", ELSA)) for _ in range(9)]
        held.wait_for(9)
        tenth = start(lambda: Caller().post("/api/login", ELSA))
        wait_until(lambda: tenth.done() or waits())
        held.release()
        assert [login.result(20).status_code for login in (*running, tenth)] == [200] * 10
