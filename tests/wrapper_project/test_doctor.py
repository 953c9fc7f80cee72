"""The doctor finds problems, even if everything is down, and shows no secret."""

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import redis
from cryptography.fernet import Fernet
from django.conf import settings as django_settings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django.fixtures import Settings

from staff.models import StaffDevice
from staff.services.members import enrol_staff, remove_staff, set_roles
from tests import redis_server
from tests.conftest import Caller
from tests.jobs import worker_jobs
from tests.ports import free_port
from upstream.simulator.server import Simulator
from wrapper_project.doctor import CHECKS, examine
from wrapper_project.doctor_findings import Findings, ok
from wrapper_project.doctor_machine import judge_clock

ROOT = Path(__file__).resolve().parents[2]
SOUND = {
    "PUBLIC_URL": f"http://127.0.0.1:{free_port()}",
    "ALLOWED_HOSTS": ["school.example", "127.0.0.1"],
    "TRUSTED_PROXIES": ["10.0.0.0/8", "127.0.0.1", "fc00::/7"],
    "METRICS_ALLOWED": ["192.168.0.0/16"],
    "REPORTS_TO": ["moa@school.example"],
    "EMAIL_URL": "smtp://mail.example",
}
# (settings, check, state, what it says). What keeps a server from starting is in test_checks.py.
BROKEN: list[tuple[dict[str, Any], str, str, str]] = [
    ({"SECRET_KEY": "short"}, "settings", "fail", "SECRET_KEY is shorter"),
    ({"DEBUG": True}, "settings", "warn", "DEBUG is on"),
    ({"ALLOWED_HOSTS": ["other.example"]}, "addresses", "fail", "is not in ALLOWED_HOSTS"),
    ({"ALLOWED_HOSTS": ["localhost"]}, "addresses", "warn", "only this machine"),
    ({"PUBLIC_URL": ""}, "addresses", "warn", "PUBLIC_URL is not set"),
    ({"TRUSTED_PROXIES": []}, "proxies", "warn", "TRUSTED_PROXIES is empty"),
    ({"TRUSTED_PROXIES": ["0.0.0.0/0"]}, "proxies", "fail", "TRUSTED_PROXIES trusts everyone"),
    ({"METRICS_ALLOWED": ["128.0.0.0/1"]}, "proxies", "fail", "to everyone (128.0.0.0/1)"),
    ({"DEFAULT_SCHOOL": "elsewhere"}, "upstream", "warn", "elsewhere is not in their list"),
    ({"REPORTS_TO": []}, "staff", "warn", "nobody hears of a new report"),
]


def said(check: str, state: str) -> str:
    """What a check finds in this state, as one text."""
    return "\n".join(f"{line.what} {line.hint}" for line in CHECKS[check]() if line.state == state)


@pytest.fixture
def sound(settings: Settings, simulator: Simulator, db: None) -> Settings:
    for name, value in SOUND.items():
        setattr(settings, name, value)
    return settings


def test_a_healthy_deployment_has_no_failures(sound: Settings) -> None:
    sound.DEBUG = not sound.REDIS_URL  # without Redis it runs for development only
    silent = {
        "addresses",
        "proxies",
        "hosts",
        "sentinels",
        "standby",
        *(["back-ups"] if sound.DEBUG else []),
    }
    findings = list(examine())
    assert [finding for finding in findings if finding.state == "fail"] == []
    assert {finding.check for finding in findings} == set(CHECKS) - silent
    out = StringIO()
    call_command("doctor", stdout=out)
    assert f"{len(findings)} checks: 0 fail" in out.getvalue().splitlines()[-1]


def test_each_finding_is_printed_before_the_next_check(monkeypatch: pytest.MonkeyPatch) -> None:
    out = StringIO()

    def slow() -> Findings:
        yield ok(f"{out.getvalue().count('settings')} lines of the first check are printed.")

    monkeypatch.setitem(CHECKS, "addresses", slow)
    with suppress(SystemExit):
        call_command("doctor", stdout=out)
    assert "0 lines of the first check" not in out.getvalue()
    assert "lines of the first check are printed." in out.getvalue()


def test_it_says_what_is_down_and_no_secret() -> None:
    secret, port = "canary-" + "s" * 40, free_port()
    variables = {
        "SECRET_KEY": secret,
        "DATABASE_URL": f"postgres://service:canary-database@127.0.0.1:{port}/school",
        "REDIS_URL": f"redis://:canary-redis@127.0.0.1:{port}/0",
        "UPSTREAM_URL": f"http://127.0.0.1:{port}",
        "SENTRY_DSN": "nonsense-canary-dsn",
    }
    ran = subprocess.run(
        [sys.executable, "manage.py", "doctor", "--json"],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    report = json.loads(ran.stdout)
    failed = {line["check"]: line["what"] for line in report["findings"] if line["state"] == "fail"}
    assert report["ok"] is False
    assert set(failed) == {"settings", "database", "redis", "upstream"}
    assert "Connection refused" in failed["database"]
    for word in ("canary", secret, django_settings.FIELD_ENCRYPTION_KEYS[0]):
        assert word not in ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("changes", "check", "state", "words"), BROKEN, ids=[f"{line[0]}" for line in BROKEN]
)
def test_it_names_what_is_broken(
    sound: Settings, changes: dict[str, Any], check: str, state: str, words: str
) -> None:
    assert words not in said(check, state)
    for name, value in changes.items():
        setattr(sound, name, value)
    assert words in said(check, state)


def test_an_old_or_lost_key_is_reported(elsa: Caller, settings: Settings) -> None:
    assert said("keys", "warn") + said("keys", "fail") == ""
    old, new = settings.FIELD_ENCRYPTION_KEYS[0], Fernet.generate_key().decode()
    settings.FIELD_ENCRYPTION_KEYS = [new, old]
    assert "use an older key" in said("keys", "warn")
    settings.FIELD_ENCRYPTION_KEYS = [new]
    assert "cannot be decrypted with any key" in said("keys", "fail")


def test_a_changed_secret_key_is_reported(elsa: Caller, settings: Settings) -> None:
    settings.SECRET_KEY = "another " + "y" * 50
    assert "does not match the existing sessions" in said("keys", "fail")


def test_missing_and_unknown_migrations_are_reported(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE django_migrations SET name = 'later' WHERE name = '0001_counters'")
    assert "1 migrations are not applied, for example stats.0001" in said("database", "fail")
    assert "stats.later" in said("database", "warn")
    assert [line.check for line in examine() if line.check in ("keys", "jobs", "staff")] == []


def test_an_evicting_redis_is_reported(settings: Settings) -> None:
    with redis_server.running() as url:
        settings.REDIS_URL = url
        assert "maxmemory-policy is noeviction" in said("redis", "ok")
        with redis.Redis.from_url(url) as client:
            client.config_set("maxmemory-policy", "allkeys-lru")
        assert "maxmemory-policy is allkeys-lru" in said("redis", "fail")


@pytest.mark.parametrize(("off", "state"), [(0, "ok"), (-60, "fail"), (60, "fail")])
def test_another_clock_is_compared(off: float, state: str) -> None:
    assert judge_clock(time.time() + off).state == state


@pytest.mark.parametrize(("age", "state"), [(50, "ok"), (90, "fail")])
def test_late_and_failed_jobs_are_reported(db: None, age: int, state: str) -> None:
    worker_jobs.note.enqueue("x", "y")
    DBTaskResult.objects.update(enqueued_at=timezone.now() - timedelta(seconds=age))
    assert f"{age}" in said("jobs", state)
    DBTaskResult.objects.update(status="FAILED", finished_at=timezone.now())
    assert "1 jobs have failed within a day" in said("jobs", "warn")


def test_it_says_when_nobody_can_handle_reports(db: None) -> None:
    set_roles()
    enrol_staff(username="ole", role="operator")
    assert "there is no moderator" in said("staff", "warn")
    enrol_staff(username="moa", role="moderator")
    assert "1 moderators, each" in said("staff", "ok")
    enrol_staff(username="mio", role="moderator")
    StaffDevice.objects.filter(user__username="mio").delete()
    assert "1 of 2 moderators have no second factor" in said("staff", "warn")
    remove_staff(StaffDevice.objects.get(user__username="moa").user_id)
    assert "1 of 1 moderators have no second factor" in said("staff", "warn")
