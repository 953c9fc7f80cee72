"""The systemd units of deploy/: what they run, and what happens when that fails."""

import configparser
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from tests.architecture.test_docs import every_variable, first_column, read, section

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted(path for path in (DEPLOY / "systemd").iterdir() if path.is_file())
INSTALLED = "/srv/wrapper/"
FAILED = "wrapper-failed@.service"


def parsed(path: Path) -> configparser.ConfigParser:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(path)
    return unit


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_every_unit_runs_what_is_there(path: Path) -> None:
    unit = parsed(path)
    if path.suffix == ".timer":
        assert unit["Install"]["WantedBy"] == "timers.target"
        started = unit["Timer"]["Unit"]
        command = re.fullmatch(r"wrapper-command@(\w+)\.service", started)
        assert command is None or command[1] in get_commands()
        assert path.stem == (f"wrapper-{command[1]}" if command else started[: -len(".service")])
        assert command or (path.parent / started).exists()
        return
    service = unit["Service"]
    assert service["User"] == "wrapper"
    program = service["ExecStart"].split()[0]
    assert program.startswith(INSTALLED)
    assert os.access(ROOT / program.removeprefix(INSTALLED), os.X_OK)
    words = dict(word.split("=") for word in service.get("Environment", "").split())
    assert set(words) <= every_variable() | {"MALLOC_ARENA_MAX"}


def test_every_failure_is_reported_but_that_of_the_report() -> None:
    for path in UNITS:
        if path.suffix == ".service":
            wanted = None if path.name == FAILED else "wrapper-failed@%n.service"
            assert parsed(path)["Unit"].get("OnFailure") == wanted, path.name
    assert "StartLimitBurst" in parsed(DEPLOY / "systemd" / FAILED)["Unit"]


def test_every_http_server_behind_nginx_has_a_core_of_its_own() -> None:
    servers = section(read("deploy/nginx.conf").replace("upstream ", "\n## "), "wrapper_web {")
    ports = re.findall(r"server 127\.0\.0\.1:(\d+) ", servers)
    assert len(ports) == 2
    cores = {
        parsed(DEPLOY / "systemd" / f"wrapper-web@{port}.service.d" / "core.conf")["Service"][
            "CPUAffinity"
        ]
        for port in ports
    }
    assert cores == {"0", "1"}
    enabled = re.findall(r"wrapper-web@(\d+)", read("deploy/README.md"))
    assert enabled == ports


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is missing")
def test_systemd_finds_nothing_wrong(tmp_path: Path) -> None:
    copies = []
    for path in UNITS:
        copies.append(tmp_path / path.name)
        copies[-1].write_text(path.read_text().replace(INSTALLED, f"{ROOT}/"))
    command = ["systemd-analyze", "verify", "--man=no", *map(str, copies)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_every_timer_is_documented_and_compose_runs_the_same() -> None:
    timed = {path.stem.removeprefix("wrapper-") for path in UNITS if path.suffix == ".timer"}
    assert {"purge_expired", "enforce_retention", "backup"} <= timed
    commands = first_column(section(read("docs/operations.md"), "Commands"))
    assert timed - {"backup", "list_erasures"} <= commands
    enabled = set(re.findall(r"wrapper-(\w+)\.timer", read("deploy/README.md")))
    assert enabled == timed
    of_compose = set(re.findall(r"manage\.py (\w+)", read("deploy/compose.yaml")))
    # Files of the database, and for a person to read.
    assert timed - {"backup", "list_erasures", "doctor"} <= of_compose


def test_the_worker_is_enabled_and_may_end_its_jobs() -> None:
    unit = parsed(DEPLOY / "systemd" / "wrapper-worker.service")
    words = unit["Service"]["ExecStart"].split()[1:]
    assert words[:2] == ["manage.py", "run_worker"]
    parser = load_command_class("jobs", "run_worker").create_parser("manage.py", "run_worker")
    assert parser.parse_args(words[2:]).threads >= 1
    # Only the worker gets the signal, and it waits for its jobs.
    assert unit["Service"]["KillMode"] == "mixed"
    assert int(unit["Service"]["TimeoutStopSec"]) >= 60
    assert re.search(r"systemctl enable --now .*wrapper-worker$", read("deploy/README.md"), re.M)


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A `sendmail` that keeps the mail, and a `journalctl` that says what it was asked."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, text in {
        "sendmail": f'[ "$1" = -t ] && cat >{tmp_path}/mail',
        "journalctl": 'echo "journal: $*"',
    }.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    return folder


def report(unit: str, *, path: str, **changes: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(DEPLOY / "report_failure.sh"), unit],
        env={"PATH": path, **changes},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_failure_is_one_line_with_a_priority(programs: Path, tmp_path: Path) -> None:
    unit = "wrapper-command@doctor.service"
    ran = report(unit, path=f"{programs}:{os.environ['PATH']}")
    assert (ran.returncode, ran.stderr) == (0, f"<3>{unit} failed: systemctl status {unit}\n")
    assert not (tmp_path / "mail").exists()


def test_a_failure_is_mailed_to_whom_the_operator_named(programs: Path, tmp_path: Path) -> None:
    path = f"{programs}:{os.environ['PATH']}"
    ran = report("wrapper-backup.service", path=path, MAIL_TO="drift@school.example")
    assert ran.returncode == 0, ran.stderr
    head, _, body = (tmp_path / "mail").read_text().partition("\n\n")
    assert head.startswith("To: drift@school.example\nSubject: wrapper-backup.service failed on ")
    assert body.startswith("journal: --unit wrapper-backup.service --lines 30 ")
