"""A DATABASE_URL with a primary and its standbys, and what `doctor` says of a second machine."""

import os
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.db.backends.postgresql import base
from pytest_django.fixtures import Settings

from tests import redis_server
from tests.notifications.certificates import make_certificates
from tests.ports import free_port
from tests.postgres_server import MISSING, TemporaryPostgres, program
from tests.wrapper_project.databases import NEEDS_POSTGRESQL
from tests.wrapper_project.test_doctor import said
from wrapper_project.doctor_replication import judge_archive, judge_standby
from wrapper_project.environment import Environment
from wrapper_project.replication import Replication, read_replication

TWO = "postgresql://u@a.example:5432,b.example:5433/db"


@pytest.mark.parametrize(
    ("hosts", "host", "port"),
    [
        ("a.example:5432,b.example:5433", "a.example,b.example", "5432,5433"),
        ("a.example,b.example", "a.example,b.example", ""),
        ("[2001:db8::1]:5432,[2001:db8::2]:5432", "2001:db8::1,2001:db8::2", "5432,5432"),
    ],
)
def test_several_hosts_are_passed_on_to_the_driver(hosts: str, host: str, port: str) -> None:
    url = f"postgresql://u@{hosts}/db?target_session_attrs=read-write&sslmode=verify-full"
    config = Environment().db_url_config(url)
    assert (config["HOST"], config["PORT"]) == (host, port)
    options = {"target_session_attrs": "read-write", "sslmode": "verify-full"}
    assert config["OPTIONS"] == options


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        (TWO, "add .target_session_attrs=read-write"),
        (f"{TWO}?target_session_attrs=any", "add .target_session_attrs=read-write"),
        ("postgresql://u@a,b:5433/db?target_session_attrs=read-write", "a port for each host"),
    ],
)
def test_several_hosts_without_a_primary_are_refused(url: str, reason: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=reason):
        Environment().db_url_config(url)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no hosts")
def test_a_host_that_is_away_is_passed_over(db: None) -> None:
    own = deepcopy(connection.settings_dict)
    host, port = own["HOST"] or "127.0.0.1", own["PORT"] or 5432
    own |= {"HOST": f"127.0.0.1,{host}", "PORT": f"{free_port()},{port}"}
    own["OPTIONS"] = {"target_session_attrs": "read-write"}
    several = base.DatabaseWrapper(own, alias="several hosts")
    try:
        with several.cursor() as cursor:
            cursor.execute("SELECT pg_is_in_recovery()")
            assert cursor.fetchone() == (False,)
    finally:
        several.close()


def state(**changes: object) -> Replication:
    good = {"connected": 1, "synchronous": 1, "commits_wait": True}
    archive = {"archives": True, "archive_fails": False, "failed_wal": ""}
    return Replication(**(good | archive | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "verdict", "words", "confirming"),
    [
        ({}, "ok", "1 of 1 standbys confirm", 1),
        ({"connected": 0, "synchronous": 0}, "fail", "every write waits for a standby", 0),
        ({"synchronous": 0}, "fail", "every write waits for a standby", 0),
        ({"commits_wait": False}, "fail", "no standby confirms commits (1 are", 0),
    ],
)
def test_a_standby_that_is_away_is_reported(
    changes: dict[str, object], verdict: str, words: str, confirming: int
) -> None:
    finding = judge_standby(state(**changes))
    assert (finding.state, words in finding.what) == (verdict, True), finding
    assert state(**changes).confirming == confirming


def test_an_archive_that_is_stuck_is_reported() -> None:
    assert judge_archive(state()).state == "ok"
    finding = judge_archive(state(archive_fails=True, failed_wal="00000001000000000000000A"))
    assert finding.state == "fail"
    assert "since 00000001000000000000000A" in finding.what
    assert judge_archive(state(archive_waits=59.0)).state == "ok"
    finding = judge_archive(state(archive_waits=90.4))
    assert (finding.state, finding.what) == ("fail", "WAL has waited to be archived for 90 s.")


@pytest.mark.skipif(program("initdb") is None, reason=MISSING)
@pytest.mark.parametrize(("role", "sees"), [("postgres", True), ("service", False)])
def test_wal_whose_archive_command_hangs_is_seen(role: str, sees: bool) -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)
        hangs = f"archive_command=while [ ! -e {folder}/over ]; do sleep 0.1; done"
        server = stack.enter_context(TemporaryPostgres("archive_mode=on", hangs))
        stack.callback((folder / "over").touch)
        with psycopg.connect(server.url, autocommit=True) as database:
            database.execute("CREATE ROLE service LOGIN")
            database.execute("SELECT pg_switch_wal()")
        code = "from wrapper_project.replication import *; print(read_replication())"
        ran = subprocess.run(
            [sys.executable, "manage.py", "shell", "-v0", "-c", code],
            env={**os.environ, "DATABASE_URL": server.url.replace("postgres@", f"{role}@")},
            capture_output=True,
            text=True,
            check=True,
        )
    waits = float(ran.stdout.rpartition("archive_waits=")[2].strip(")\n"))
    assert ("archive_fails=False" in ran.stdout, waits > 0) == (True, sees), ran.stdout


@NEEDS_POSTGRESQL
@pytest.mark.parametrize(
    ("days", "verdict", "words"),
    [
        (90, "ok", "answers."),
        (9.5, "warn", "ends in 9 days."),
        (-1, "fail", "is refused: certificate has expired."),
    ],
)
def test_each_machine_of_the_database_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: float, verdict: str, words: str
) -> None:
    made = make_certificates(tmp_path, end=datetime.now(UTC) + timedelta(days=days))
    away = free_port()
    with TemporaryPostgres(certificate=made.server) as server:
        changes: dict[str, Any] = {"HOST": "localhost,127.0.0.1", "PORT": f"{server.port},{away}"}
        changes |= {"OPTIONS": {"sslrootcert": str(made.authority)}}
        for name, value in changes.items():
            monkeypatch.setitem(connection.settings_dict, name, value)
        assert f"PostgreSQL at localhost:{server.port}" in said("hosts", verdict)
        assert words in said("hosts", verdict)
        text = f"PostgreSQL at 127.0.0.1:{away} does not answer (ConnectionRefusedError)"
        assert text in said("hosts", "fail")


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no standby")
def test_a_primary_without_a_standby_and_an_archive_is_read(db: None) -> None:
    assert read_replication() == Replication(0, 0, False, False, False, "")


def test_a_replica_of_redis_is_reported(settings: Settings) -> None:
    with redis_server.running() as url:
        settings.REDIS_URL = url
        assert "is a replica" not in said("redis", "fail")
        with redis.Redis.from_url(url) as client:
            client.replicaof("127.0.0.1", free_port())
        assert "it is a replica and accepts no writes" in said("redis", "fail")


def test_redis_without_a_primary_is_told_from_one_that_is_away(settings: Settings) -> None:
    # As HAProxy does when it knows no primary: it accepts, and closes.
    with socket.create_server(("127.0.0.1", 0)) as listener:
        settings.REDIS_URL = f"redis://127.0.0.1:{listener.getsockname()[1]}/0"

        def close_each() -> None:
            for _ in range(2):
                listener.accept()[0].close()

        thread = threading.Thread(target=close_each)
        thread.start()
        assert "HAProxy without a primary?" in said("redis", "fail")
        thread.join()
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    assert "Check REDIS_URL and the log of Redis" in said("redis", "fail")
