"""Redis, or the database, is away while messages are sent and pushed: none is lost or doubled.

The long form is away for a minute.
"""

import subprocess
import time
from functools import partial
from pathlib import Path

import pytest
from django.db import connection

from tests import redis_server
from tests.concurrency import at_once
from tests.jobs.workers import long_form
from tests.notifications.actions import PATH
from tests.notifications.certificates import Certificates
from tests.notifications.push_service import PushService
from tests.notifications.pushing_site import PushingSite, WorkerLoad, pushing_site
from tests.postgres_server import MISSING, TemporaryPostgres, program
from tests.service_process import database_url
from tests.wrapper_project.test_errors import is_error_body
from upstream.simulator.server import Simulator

pytestmark = [
    pytest.mark.slow,
    pytest.mark.soak,
    pytest.mark.django_db(transaction=True),
]
AWAY_SECONDS, PAUSE = (60, 0.5) if long_form() else (5, 0.25)


def test_redis_is_away(
    simulator: Simulator,
    transactional_db: None,
    push_service: PushService,
    certificates: Certificates,
    tmp_path: Path,
) -> None:
    with redis_server.running() as redis:
        # A limit that the writers would reach, if anybody could count.
        changes = {"REDIS_URL": redis.url, "LIMITS": "messages=8/30"}
        with pushing_site(tmp_path, simulator.url, push_service, certificates, **changes) as site:
            with site.writing(pause=PAUSE) as book:
                with site.pushes_under_way():
                    redis.kill()
                site.refused.clear()  # until now, and after it, there is somebody to count
                load, end = WorkerLoad(site.worker), time.monotonic() + AWAY_SECONDS
                while time.monotonic() < end:
                    book.wait_for(4, seconds=30)
                    site.wait_for_pushes()
                read_without_redis(site)
                site.try_each_browser()
                load.assert_at_most(cpu=0.9, lines=2)
                assert site.refused == []
                redis.start()
                book.wait_for(4, seconds=30)
            assert {status for status, _ in site.refused} <= {429}
            site.assert_each_message_was_pushed_once()


def read_without_redis(site: PushingSite) -> None:
    status, answer, _ = site.server.request("GET", "/readyz?verbose")
    assert (status, answer["database"], answer["store"]) == (200, "ok", "away")
    for receiver in site.receivers:
        assert site.call("GET", PATH, receiver.cookies)["unread"] > 0


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite is a file, and never away")
@pytest.mark.skipif(program("initdb") is None, reason=MISSING)
def test_the_database_is_away(
    simulator: Simulator,
    transactional_db: None,
    push_service: PushService,
    certificates: Certificates,
    tmp_path: Path,
) -> None:
    with TemporaryPostgres() as postgres:
        copy_tables(postgres)
        changes = {"DATABASE_URL": postgres.url, "RATE_LIMITS": "off", "ALLOW_UNLIMITED": "1"}
        with pushing_site(tmp_path, simulator.url, push_service, certificates, **changes) as site:
            with site.writing(pause=PAUSE) as book:
                with site.pushes_under_way():
                    postgres.kill()
                load, end = WorkerLoad(site.worker), time.monotonic() + AWAY_SECONDS
                while time.monotonic() < end:
                    read_without_database(site)
                load.assert_at_most(cpu=0.6, lines=1)
                postgres.start()
                book.wait_for(4, seconds=30)
            assert site.refused
            for status, answer in site.refused:
                assert (status, answer["code"]) == (503, "database_unavailable")
                assert is_error_body(answer)
            site.assert_each_message_was_pushed_once()
            # A short outage may pass while the worker waits for a connection.
            assert site.worker.logged("is back") == site.worker.logged("cannot be used") <= 1


def read_without_database(site: PushingSite) -> None:
    """Each request waits five seconds for a connection."""
    cookies = site.receivers[0].cookies
    paths = ("/readyz?verbose", PATH)
    for status, answer, _ in at_once(
        [partial(site.server.request, "GET", path, cookies=cookies) for path in paths]
    ):
        assert (status, answer["code"]) == (503, "database_unavailable")
        assert is_error_body(answer)


def copy_tables(postgres: TemporaryPostgres) -> None:
    """The tables of the test's database: to make them by `migrate` takes ten seconds."""
    dump = [program("pg_dump") or "pg_dump", "--no-owner", "--no-privileges", database_url()]
    tables = subprocess.run(dump, capture_output=True, check=True).stdout
    psql = [program("psql") or "psql", "--quiet", postgres.url]
    subprocess.run(psql, input=tables, stdout=subprocess.DEVNULL, check=True)
