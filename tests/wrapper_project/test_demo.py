"""`make demo`: what it prints, and that the printed commands work."""

import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from tests.concurrency import wait_until
from tests.ports import free_port
from wrapper_project.demo.processes import ROOT

# A job of another version, which is tried later, and notifications of people without quiet hours.
PREPARE_WORK = """
INSERT INTO django_tasks_database_dbtaskresult
    (id, status, enqueued_at, args_kwargs, priority, task_path, worker_ids, queue_name,
    backend_name, run_after, exception_class_path, traceback)
    VALUES ('{id}', 'READY', '2026-01-01', '{{}}', 0, 'gone', '[]', 'default', 'default',
    '2026-01-01', '', '');
INSERT OR REPLACE INTO notifications_notificationsettings
    (account_id, preview, language, watch)
    SELECT id, 0, '', 0 FROM accounts_account;
UPDATE notifications_notification SET push = 'held';
"""
WORK_LEFT = """
SELECT (SELECT count(*) FROM django_tasks_database_dbtaskresult WHERE worker_ids = '[]')
    + (SELECT count(*) FROM notifications_notification WHERE push = 'held')
"""


@pytest.mark.parametrize("name", ["PORT", "SIMULATOR_PORT"])
def test_a_used_port_is_reported_before_anything_starts(
    name: str, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.DEBUG = True
    ports = {"PORT": free_port(), "SIMULATOR_PORT": free_port()}
    for each, port in ports.items():
        monkeypatch.setenv(each, str(port))
    refused = rf"^Port {ports[name]} cannot be used .*make demo {name}="
    with (
        socket.create_server(("127.0.0.1", ports[name])),
        pytest.raises(CommandError, match=refused),
    ):
        call_command("demo")


def test_an_invalid_port_is_reported(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    settings.DEBUG = True
    monkeypatch.setenv("PORT", "http")
    with pytest.raises(CommandError, match="PORT is not a port number: 'http'"):
        call_command("demo")


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running demo, and what it has printed."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    tmp_path.chmod(0o755)
    own = {"DEBUG": "1", "DATA_DIR": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    ports = {"PORT": str(free_port()), "SIMULATOR_PORT": str(free_port())}
    process = subprocess.Popen(
        [sys.executable, "manage.py", "demo"],
        cwd=ROOT,
        env=kept | own | ports,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    printed = ""
    for line in process.stdout:
        printed += line
        if "Ctrl-C stops everything" in line:
            break
    yield process, printed
    process.send_signal(signal.SIGINT)
    process.wait(30)
    process.stdout.close()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="the lines are for curl")
def test_the_printed_lines_work_and_a_worker_runs(
    demo: tuple[subprocess.Popen[str], str], tmp_path: Path
) -> None:
    process, printed = demo
    lines = re.findall(r"^  (curl .*)$", printed, re.MULTILINE)
    jar = re.search(r"-c (\S+)", lines[0])
    assert jar is not None
    answers = [
        json.loads(
            subprocess.check_output(
                line.replace(jar[1], str(tmp_path / "jar")), shell=True, timeout=30
            )
        )
        for line in lines
    ]
    assert [answer["success"] for answer in answers] == [True, True, True]
    assert answers[0]["user"]["username"] == "elsa.nordvall"
    assert "schedule" in answers[1]
    opened = re.search(r"^Open (http://\S+/) in a browser\.$", printed, re.MULTILINE)
    assert opened is not None
    assert b'<div id="app">' in subprocess.check_output(["curl", "-sL", opened[1]], timeout=30)
    assert answers[2]["userId"] == 730214
    shared = re.search(r"http://\S+/shared/\S+", printed)
    assert shared is not None
    page = subprocess.check_output(["curl", "-s", shared[0]], timeout=30).decode()
    assert "Plugglista" in page
    assert_its_threads_work(tmp_path)
    readable = [path for path in [tmp_path, *tmp_path.glob("db*")] if path.stat().st_mode & 0o077]
    assert readable == [], "what people of the demo write is nobody else's on this machine"
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0


def assert_its_threads_work(data: Path) -> None:
    """The worker tries a job, and what quiet hours held back is taken up, as by a timer."""
    with closing(sqlite3.connect(data / "db.sqlite3", timeout=30)) as database:
        with database:
            database.executescript(PREPARE_WORK.format(id=uuid4().hex))
        wait_until(lambda: database.execute(WORK_LEFT).fetchone() == (0,), 60)
