"""The back-up service of compose.yaml, run with its own command and variables, and its restore."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from django.db import connection

from tests.wrapper_project.databases import NEEDS_POSTGRESQL, empty_database, url_of

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
PASSWORD = "p@ss/w#rd?%41"

pytestmark = NEEDS_POSTGRESQL


@pytest.fixture(scope="module")
def service() -> dict[str, Any]:
    loaded = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["backup"]
    assert set(loaded["environment"]) == {"PGHOST", "PGUSER", "PGPASSWORD", "PGDATABASE", "KEEP"}
    return dict(loaded)


@pytest.fixture
def database() -> Iterator[str]:
    """The name of an empty database."""
    with empty_database() as name:
        yield name


class Container:
    """A folder instead of the volume, and no Python, as in the image of PostgreSQL."""

    def __init__(self, service: dict[str, Any], database: str, folder: Path) -> None:
        self.backups = folder / "backups"
        self.backups.mkdir()
        programs = folder / "bin"
        programs.mkdir()
        for name, text in {"python3": "exit 1", "sleep": "kill $PPID"}.items():
            (programs / name).write_text(f"#!/bin/sh\n{text}\n")
            (programs / name).chmod(0o755)
        own = connection.settings_dict
        self.environment = {
            **service["environment"],
            "PGHOST": own["HOST"],
            "PGPORT": str(own["PORT"] or 5432),
            "PGUSER": own["USER"],
            "PGPASSWORD": PASSWORD,
            "PGDATABASE": database,
            "PYTHON": "/nonexistent",
            "PATH": f"{programs}:{os.environ['PATH']}",
        }

    def run(self, command: list[str]) -> "subprocess.CompletedProcess[str]":
        """Run a command of the service; a loop ends at its first sleep."""
        there = [
            word.replace("$$", "$")
            .replace("/deploy/", f"{DEPLOY}/")
            .replace("/backups", str(self.backups))
            for word in command
        ]
        return subprocess.run(
            there, env=self.environment, capture_output=True, text=True, check=False, timeout=60
        )

    def files(self) -> list[Path]:
        """The back-ups, and what was left of one."""
        return sorted(path for path in self.backups.iterdir() if path.name != "erasures.txt")


def test_a_backup_is_made_when_the_newest_is_old_and_can_be_restored(
    service: dict[str, Any], database: str, tmp_path: Path
) -> None:
    container = Container(service, database, tmp_path)
    healthy = ["sh", "-c", service["healthcheck"]["test"][1]]
    with psycopg.connect(url_of(database)) as own:
        own.execute("CREATE TABLE words (word text)")
        own.execute("INSERT INTO words VALUES ('one')")
    assert container.run(healthy).returncode != 0
    container.run(service["command"])
    (made,) = container.files()
    # A second one would have another name; the age is that of the file.
    first = made.rename(made.with_name("wrapper-20200101T000000Z.dump"))
    assert container.run(healthy).returncode == 0
    container.run(service["command"])
    assert container.files() == [first]
    # The list of erasures, for which this database has no table.
    assert (container.backups / "erasures.txt").read_text() == ""

    with psycopg.connect(url_of(database)) as own:
        own.execute("INSERT INTO words VALUES ('two')")
    restore = ["sh", "/deploy/restore.sh", "--replace", f"/backups/{first.name}"]
    restored = container.run(restore)
    assert restored.returncode == 0, restored.stderr
    with psycopg.connect(url_of(database)) as own:
        assert own.execute("SELECT word FROM words").fetchall() == [("one",)]

    os.utime(first, (0, 0))
    assert container.run(healthy).returncode != 0
    container.run(service["command"])
    assert len(container.files()) == 2


def test_a_backup_that_fails_is_reported_and_leaves_nothing(
    service: dict[str, Any], database: str, tmp_path: Path
) -> None:
    container = Container(service, f"{database}_missing", tmp_path)
    ran = container.run(service["command"])
    assert "the back-up failed" in ran.stderr
    assert "the list of erasures failed" in ran.stderr
    assert list(container.backups.iterdir()) == []
