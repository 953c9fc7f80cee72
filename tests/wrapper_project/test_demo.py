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

import pytest

from tests.concurrency import wait_until
from tests.ports import free_port
from wrapper_project.demo.processes import ROOT


def environment(data: Path, port: int, simulator_port: int) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return kept | {
        "DEBUG": "1",
        "DATA_DIR": str(data),
        "PORT": str(port),
        "SIMULATOR_PORT": str(simulator_port),
        "PYTHONUNBUFFERED": "1",
    }


def run_demo(env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", "demo"]
    return subprocess.run(
        command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False
    )


def test_a_used_port_is_reported_before_anything_starts(tmp_path: Path) -> None:
    port, simulator_port = free_port(), free_port()
    for name, taken in (("PORT", port), ("SIMULATOR_PORT", simulator_port)):
        with socket.create_server(("127.0.0.1", taken)):
            done = run_demo(environment(tmp_path, port, simulator_port))
        assert done.returncode == 1
        assert f"Port {taken} cannot be used" in done.stderr
        assert f"make demo {name}=" in done.stderr
        assert done.stdout == ""


def test_an_invalid_port_is_reported(tmp_path: Path) -> None:
    env = environment(tmp_path, 1, 2) | {"PORT": "http"}
    done = run_demo(env)
    assert done.returncode == 1
    assert "PORT is not a port number: 'http'" in done.stderr


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running demo, and what it has printed."""
    process = subprocess.Popen(
        [sys.executable, "manage.py", "demo"],
        cwd=ROOT,
        env=environment(tmp_path, free_port(), free_port()),
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
def test_the_printed_lines_log_in_and_read_a_week(
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
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0


@pytest.mark.slow
def test_a_worker_does_the_jobs_and_ends_with_the_demo(
    demo: tuple[subprocess.Popen[str], str], tmp_path: Path
) -> None:
    """It needs no Redis, and the lock of the server does not refuse it."""
    process, _ = demo
    pid = worker_of(tmp_path)
    assert Path(f"/proc/{pid}").exists()
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0
    assert not Path(f"/proc/{pid}").exists()
    with closing(sqlite3.connect(tmp_path / "db.sqlite3")) as database:
        # It has ended of its own accord.
        assert database.execute("SELECT count(*) FROM accounts_jobworker").fetchone() == (0,)


def worker_of(data: Path) -> int:
    """The process id of the demo's worker, once it has begun."""
    with closing(sqlite3.connect(data / "db.sqlite3")) as database:
        found: list[tuple[int]] = []

        def begun() -> bool:
            found.extend(database.execute("SELECT pid FROM accounts_jobworker"))
            return bool(found)

        wait_until(begun)
    return found[0][0]
