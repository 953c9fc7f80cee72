"""A school that does not answer must not use up the database connections."""

import pytest
from django.db import connection
from django.test import override_settings

from tests.concurrency import crowd
from tests.conftest import Caller
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
    with crowd(WAITING + 1) as start, simulator.faults.hold("session", school="bjorkdalen") as held:
        waiting = [start(lambda one=one: one.get("/api/session")) for one in callers]  # type: ignore[misc]
        held.wait_for(WAITING)
        assert start(lambda: zoe.get("/api/sessions")).result(3).status_code == 200
        held.release()
        assert [one.result(20).status_code for one in waiting] == [200] * WAITING
