"""A back-up, an erasure, a restore, and the erasure again, by the scripts and commands."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from tests.conftest import Caller
from tests.wrapper_project.databases import empty_database, url_of
from tests.wrapper_project.test_deploy_backup import ROOT, run

NAMES = "SELECT username FROM accounts_account ORDER BY username"


class Deployment:
    """A database with Elsa and Bo, and a folder for back-ups."""

    def __init__(self, folder: Path, url: str) -> None:
        self.backups = folder / "backups"
        self.file = self.backups / "erasures.txt"
        self.variables = {"DATA_DIR": str(folder), "DATABASE_URL": url}

    def run(self, script: str, *arguments: str) -> str:
        ran = run(script, *arguments, **self.variables)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def manage(self, *arguments: str) -> str:
        """Run a command of manage.py, without a terminal."""
        environment = self.variables | {
            "DEBUG": "1",
            "PATH": os.environ["PATH"],
            "SECRET_KEY": settings.SECRET_KEY,
            "FIELD_ENCRYPTION_KEYS": ",".join(settings.FIELD_ENCRYPTION_KEYS),
        }
        ran = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def names(self) -> list[str]:
        if self.variables["DATABASE_URL"].startswith("postgres"):
            with psycopg.connect(self.variables["DATABASE_URL"]) as database:
                return [row[0] for row in database.execute(NAMES)]
        copy = sqlite3.connect(self.variables["DATABASE_URL"].removeprefix("sqlite:///"))
        try:
            return [row[0] for row in copy.execute(NAMES)]
        finally:
            copy.close()


@pytest.fixture
def deployment(
    transactional_db: None, elsa: Caller, bo: Caller, tmp_path: Path
) -> Iterator[Deployment]:
    """With a copy of the database of the test."""
    if connection.vendor == "sqlite":
        file = tmp_path / "db.sqlite3"
        with sqlite3.connect(file) as copy:
            connection.connection.backup(copy)
        copy.close()
        yield Deployment(tmp_path, f"sqlite:///{file}")
        return
    own = run("backup.sh", str(tmp_path), DATABASE_URL=url_of(connection.settings_dict["NAME"]))
    assert own.returncode == 0, own.stderr
    with empty_database() as name:
        deployment = Deployment(tmp_path, url_of(name))
        deployment.run("restore.sh", own.stdout.strip())
        yield deployment


def test_who_was_erased_after_a_back_up_does_not_come_back(deployment: Deployment) -> None:
    backups = str(deployment.backups)
    deployment.run("list_erasures.sh", backups)
    assert deployment.file.read_text() == ""
    copy = deployment.run("backup.sh", backups).strip()

    deployment.manage("erase_account", "elsa.nordvall", "--yes")
    deployment.run("list_erasures.sh", backups)
    listed = deployment.file.read_text()
    assert len(listed.splitlines()) == 1
    assert stat.S_IMODE(deployment.file.stat().st_mode) == 0o600

    said = deployment.run("restore.sh", "--replace", copy)
    assert f"apply_erasures with {deployment.file}" in said
    assert deployment.names() == ["bo.ek", "elsa.nordvall"]
    # The timer goes on, and the list is not shortened.
    deployment.run("list_erasures.sh", backups)
    assert deployment.file.read_text() == listed

    assert "1 accounts erased" in deployment.manage("apply_erasures", str(deployment.file))
    assert deployment.names() == ["bo.ek"]
    deployment.run("list_erasures.sh", backups)
    assert listed.strip() in deployment.file.read_text().splitlines()
    assert "0 accounts erased" in deployment.manage("apply_erasures", str(deployment.file))


def test_old_lines_are_removed_from_the_list_and_others_stay(deployment: Deployment) -> None:
    deployment.backups.mkdir()
    old, fresh = (f"{day}T03:00:00.000000+00:00 key person" for day in ("2020-01-01", "2999-01-01"))
    deployment.file.write_text(f"{old}\n{fresh}\n")
    deployment.run("list_erasures.sh", str(deployment.backups))
    assert deployment.file.read_text() == f"{fresh}\n"
    assert list(deployment.backups.iterdir()) == [deployment.file]


def test_a_database_of_an_older_version_has_no_list(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "db.sqlite3") as database:
        database.execute("CREATE TABLE words (word TEXT)")
    database.close()
    ran = run("list_erasures.sh", str(tmp_path / "backups"), DATA_DIR=str(tmp_path))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (tmp_path / "backups" / "erasures.txt").read_text() == ""


def test_a_list_that_cannot_be_made_keeps_the_last_one(tmp_path: Path) -> None:
    file = tmp_path / "backups" / "erasures.txt"
    file.parent.mkdir()
    file.write_text("2999-01-01T03:00:00.000000+00:00 key person\n")
    ran = run("list_erasures.sh", str(file.parent), DATA_DIR=str(tmp_path / "nowhere"))
    assert ran.returncode != 0
    assert "does not exist" in ran.stderr
    assert [path.read_text() for path in file.parent.iterdir()] == [file.read_text()]
    assert run("list_erasures.sh").returncode == 2
