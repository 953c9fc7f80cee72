"""The database restarts: every pooled connection is dead, and no request notices."""

from pathlib import Path

import pytest
from django.db import connection

from tests.concurrency import at_once
from tests.service_process import running
from upstream.simulator.server import Simulator

pytestmark = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no connections"),
    pytest.mark.django_db(transaction=True),
]
ELSA = {"username": "elsa.nordvall", "password": "elsa-demo", "school": "bjorkdalen"}
END_OTHERS = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = %s
"""


def test_dead_connections_of_the_pool_cost_no_request(
    simulator: Simulator, transactional_db: None, tmp_path: Path
) -> None:
    with running(tmp_path, simulator.url, PGAPPNAME="restarted") as server:
        _, _, cookies = server.request("POST", "/api/login", ELSA)

        def read_profile() -> int:
            return server.request("GET", "/api/profile", cookies=cookies)[0]

        at_once([read_profile] * 8)  # so that there are several connections
        with connection.cursor() as cursor:
            cursor.execute(END_OTHERS, ["restarted"])
            assert cursor.fetchone()[0] >= 2
        assert [read_profile() for _ in range(15)] == [200] * 15
