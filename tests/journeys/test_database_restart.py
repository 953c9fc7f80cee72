"""The database restarts, or is away for a while."""

import time
from copy import deepcopy
from pathlib import Path

import pytest
from django.db import connection
from django.db.backends.postgresql import base

from tests.concurrency import at_once
from tests.database_away import postgresql_away
from tests.forgetful_proxy import forgetful_proxy
from tests.service_process import running
from upstream.simulator.server import Simulator

pytestmark = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no connections"),
    pytest.mark.django_db(transaction=True),
]
COUNT_OTHERS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = %s
"""
END_OTHERS = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = %s
"""


def test_dead_connections_of_the_pool_are_replaced(
    simulator: Simulator, transactional_db: None, tmp_path: Path
) -> None:
    with running(tmp_path, simulator.url, PGAPPNAME="restarted", WEB_THREADS="16") as server:
        cookies = server.sign_in()

        def read_profile() -> int:
            return server.request("GET", "/api/profile", cookies=cookies)[0]

        with connection.cursor() as cursor:
            ended = 0
            while ended < 10:  # more than a request tries one after the other
                at_once([read_profile] * 16)
                cursor.execute(COUNT_OTHERS, ["restarted"])
                (ended,) = cursor.fetchone()
            cursor.execute(END_OTHERS, ["restarted"])
            while ended:  # they end a moment later
                cursor.execute(COUNT_OTHERS, ["restarted"])
                (ended,) = cursor.fetchone()
        # A request that meets one waits a second before it takes another, and 503 is "try again".
        answers = [read_profile() for _ in range(15)]
        assert set(answers[:8]) <= {200, 503}
        assert answers[8:] == [200] * 7


def test_the_first_request_after_an_outage_is_served(
    simulator: Simulator, transactional_db: None, tmp_path: Path
) -> None:
    with running(tmp_path, simulator.url) as server:
        cookies = server.sign_in()
        with postgresql_away():
            until = time.monotonic() + 16
            while time.monotonic() < until:
                assert server.request("GET", "/api/profile", cookies=cookies)[0] == 503
        assert server.request("GET", "/api/profile", cookies=cookies)[0] == 200


def test_a_connection_that_was_lost_without_a_word_is_replaced() -> None:
    own = deepcopy(connection.settings_dict)
    with forgetful_proxy(own["HOST"] or "127.0.0.1", int(own["PORT"] or 5432)) as proxy:
        own |= {"HOST": "127.0.0.1", "PORT": str(proxy.port)}
        own["OPTIONS"] = own["OPTIONS"] | {"pool": {"min_size": 1, "max_size": 1, "timeout": 5}}
        through = base.DatabaseWrapper(own, alias="through the proxy")
        try:
            for forget in (False, True):
                if forget:
                    proxy.forget()
                with through.cursor() as cursor:
                    cursor.execute("SELECT 1")
                    assert cursor.fetchone() == (1,)
                through.close()
        finally:
            through.close_pool()
