"""The doctor finds problems, even if everything is down, and shows no secret."""

import json
import os
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.conf import settings as django_settings
from django.core.management import call_command
from django.db import connection
from pytest_django.fixtures import Settings

from tests.conftest import Caller
from upstream.simulator.server import Simulator
from wrapper_project.doctor import clocks, database, keys, redis, run_checks_in_parallel, setup
from wrapper_project.doctor.findings import Finding

ROOT = Path(__file__).resolve().parents[2]
NEW_KEY = Fernet.generate_key().decode()


def states(findings: Any) -> dict[str, set[str]]:
    """Check -> the states of its findings."""
    found: dict[str, set[str]] = {}
    for finding in findings:
        found.setdefault(finding.check, set()).add(finding.state)
    return found


def told(findings: Any, state: str) -> str:
    """The findings in this state, as one text."""
    return "\n".join(f"{one.what} {one.hint}" for one in findings if one.state == state)


@contextmanager
def closed_port() -> Iterator[int]:
    """A port on which nothing listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


def test_a_healthy_deployment_has_no_failures(simulator: Simulator, db: None) -> None:
    findings = list(run_checks_in_parallel())
    assert told(findings, "fail") == ""
    assert set(states(findings)) >= {"settings", "database", "redis", "keys", "upstream", "clock"}
    out = StringIO()
    call_command("doctor", stdout=out)
    last = out.getvalue().splitlines()[-1]
    assert f"{len(findings)} checks: 0 fail" in last


def doctor(*options: str, **changes: str) -> "subprocess.CompletedProcess[str]":
    """Run the command with these environment variables."""
    command = [sys.executable, "manage.py", "doctor", *options]
    environment = {**os.environ, **changes}
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_it_reports_everything_if_all_systems_are_down(tmp_path: Path) -> None:
    secret = "canary-" + "s" * 40
    with closed_port() as port:
        ran = doctor(
            "--json",
            SECRET_KEY=secret,
            DATABASE_URL=f"postgres://service:canary-database@127.0.0.1:{port}/school",
            REDIS_URL=f"redis://:canary-redis@127.0.0.1:{port}/0",
            UPSTREAM_URL=f"http://127.0.0.1:{port}",
            SENTRY_DSN="nonsense-canary-dsn",
            DATA_DIR=str(tmp_path / "missing"),
            WEB_WORKERS="99",
        )
    assert ran.returncode == 1
    report = json.loads(ran.stdout)
    findings = [Finding(**row) for row in report["findings"]]
    assert report["ok"] is False
    found = states(findings)
    for check in ("settings", "database", "redis", "upstream"):
        assert "fail" in found[check], check
    assert found["keys"] == {"ok", "warn"}
    assert "nothing listens on that port" in told(findings, "fail")
    assert "99" in told(findings, "warn")
    for word in ("canary", secret, django_settings.FIELD_ENCRYPTION_KEYS[0]):
        assert word not in ran.stdout + ran.stderr


def test_invalid_settings_are_reported_without_a_traceback() -> None:
    ran = doctor(UPSTREAM_PER_REQUEST="canary")
    assert ran.returncode == 1
    assert ran.stderr == (
        "The settings cannot be read: UPSTREAM_PER_REQUEST has an invalid value.\n"
    )


def test_a_host_that_never_responds_does_not_block_the_doctor(settings: Settings, db: None) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent:
        port = silent.getsockname()[1]
        settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
        settings.UPSTREAM_URL = f"http://127.0.0.1:{port}"
        findings = list(run_checks_in_parallel(timeout=0.2))
        said = {one.check for one in findings if "no result within" in one.what}
        assert {"redis", "upstream"} <= said
    for thread in threading.enumerate():
        if thread.name == "doctor":
            thread.join(30)
            assert not thread.is_alive()


def test_an_old_or_lost_key_is_reported(
    transactional_db: None, caller: Caller, settings: Settings
) -> None:
    caller.sign_in()
    assert {one.state for one in keys.check()} == {"ok"}
    old = settings.FIELD_ENCRYPTION_KEYS[0]
    settings.FIELD_ENCRYPTION_KEYS = [NEW_KEY, old]
    assert "use an older key" in told(keys.check(), "warn")
    settings.FIELD_ENCRYPTION_KEYS = [NEW_KEY]
    assert "cannot be decrypted with any key" in told(keys.check(), "fail")
    settings.FIELD_ENCRYPTION_KEYS = ["nonsense"]
    assert "contains an invalid key" in told(keys.check(), "fail")


def test_a_changed_secret_key_is_reported(
    transactional_db: None, caller: Caller, settings: Settings
) -> None:
    caller.sign_in()
    settings.SECRET_KEY = "another " + "y" * 50
    assert "does not match the existing sessions" in told(keys.check(), "fail")


def test_missing_and_unknown_migrations_are_reported(transactional_db: None) -> None:
    one = ("stats", "0001_counters")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE django_migrations SET name = 'later' WHERE app=%s AND name=%s", one)
    try:
        findings = list(database.check())
        assert "1 migrations are not applied, for example stats.0001" in told(findings, "fail")
        assert "stats.later" in told(findings, "warn")
    finally:
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE django_migrations SET name=%s WHERE app=%s AND name = 'later'", one[::-1]
            )
    assert told(database.check(), "fail") == ""


def test_files_that_others_can_read_are_reported(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    secret = tmp_path / "secret_key"
    secret.write_text("canary")
    secret.chmod(0o644)
    findings = list(setup.check_files())
    assert "secret_key can be read by others" in told(findings, "fail")
    assert "canary" not in told(findings, "fail")
    secret.chmod(stat.S_IRUSR | stat.S_IWUSR)
    assert {one.state for one in setup.check_files()} == {"ok"}


@pytest.mark.parametrize(
    ("info", "state", "words"),
    [
        ({"redis_version": "6.0.16", "maxmemory_policy": "noeviction"}, "fail", "GETDEL"),
        ({"redis_version": "7.0.15", "maxmemory_policy": "allkeys-lru"}, "fail", "allkeys-lru"),
        (
            {
                "redis_version": "7.2",
                "maxmemory_policy": "noeviction",
                "used_memory": 90,
                "maxmemory": 100,
            },
            "warn",
            "90 %",
        ),
        ({"redis_version": "7.2.1", "maxmemory_policy": "noeviction"}, "ok", "7.2.1"),
    ],
)
def test_redis_findings(info: dict[str, Any], state: str, words: str) -> None:
    assert words in told(redis._server(info), state)


@pytest.mark.parametrize(("off", "state"), [(0.5, "ok"), (5.0, "warn"), (60.0, "fail")])
def test_clock_findings(off: float, state: str) -> None:
    assert clocks._judged("Redis", off).state == state
