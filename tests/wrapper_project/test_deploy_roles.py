"""deploy/roles.sh: the role of the service can neither change nor delete the audit log."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from django.db import connection

from staff.models import AuditEntry

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "deploy" / "roles.sh"
MANAGE = [sys.executable, "manage.py"]
TABLE = AuditEntry._meta.db_table

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        connection.vendor != "postgresql" or shutil.which("psql") is None,
        reason="needs PostgreSQL and psql",
    ),
]


@pytest.fixture(scope="module")
def urls() -> Iterator[tuple[str, str]]:
    """DATABASE_URL of the owner and of the service, in a database with every table."""
    own = connection.settings_dict
    owner, app = f"roles_owner_{os.getpid()}", f"roles_app_{os.getpid()}"
    server = f"{own['HOST']}:{own['PORT'] or 5432}"
    with psycopg.connect(f"postgresql://{own['USER']}@{server}/postgres", autocommit=True) as root:
        for role in (owner, app):
            root.execute(f"CREATE ROLE {role} LOGIN")
        root.execute(f"CREATE DATABASE {owner} OWNER {owner}")
        try:
            of_owner = f"postgres://{owner}@{server}/{owner}"
            _run([*MANAGE, "migrate", "-v0"], of_owner)
            _run([str(SCRIPT), app], of_owner)
            yield of_owner, f"postgres://{app}@{server}/{owner}"
        finally:
            root.execute(f"DROP DATABASE {owner} WITH (FORCE)")
            for role in (owner, app):
                root.execute(f"DROP ROLE {role}")


def _try(command: list[str], url: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": url},
        capture_output=True,
        text=True,
        check=False,
    )


def _run(command: list[str], url: str) -> str:
    """What it says; it must succeed."""
    ran = _try(command, url)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_commands_of_the_service_work_and_are_logged(urls: tuple[str, str]) -> None:
    _, app = urls
    assert "moa is moderator" in _run([*MANAGE, "create_staff", "moa"], app)
    _run([*MANAGE, "purge_expired"], app)
    with psycopg.connect(app) as database:
        (count,) = database.execute(f"SELECT count(*) FROM {TABLE}").fetchone() or (0,)
    assert count


def test_the_service_can_be_backed_up_with_its_own_role(
    urls: tuple[str, str], tmp_path: Path
) -> None:
    saved = _run([str(ROOT / "deploy" / "backup.sh"), str(tmp_path)], urls[1]).strip()
    listed = subprocess.run(
        ["pg_restore", "--list", saved], capture_output=True, text=True, check=True
    )
    assert f"TABLE DATA public {TABLE} " in listed.stdout


@pytest.mark.parametrize(
    "statement",
    [
        f"UPDATE {TABLE} SET reason = 'other'",
        f"DELETE FROM {TABLE}",
        f"TRUNCATE {TABLE}",
        f"ALTER TABLE {TABLE} DISABLE TRIGGER ALL",
        f"DROP TRIGGER accounts_audit_append_only ON {TABLE}",
        "SET wrapper.allow_audit_purge = 'on'; DELETE FROM accounts_auditentry",
        "DELETE FROM django_migrations",
        "CREATE TABLE planted (id int)",
    ],
)
def test_the_service_cannot(statement: str, urls: tuple[str, str]) -> None:
    with (
        psycopg.connect(urls[1]) as database,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        database.execute(statement)


def test_only_the_owner_purges(urls: tuple[str, str]) -> None:
    owner, app = urls
    refused = _try([*MANAGE, "purge_audit"], app)
    assert refused.returncode == 1
    assert "owner of the tables" in refused.stderr
    _run([*MANAGE, "purge_audit"], owner)


def test_tables_of_later_migrations_can_be_used(urls: tuple[str, str]) -> None:
    owner, app = urls
    with psycopg.connect(owner) as database:
        database.execute("CREATE TABLE of_a_newer_version (id serial PRIMARY KEY)")
    with psycopg.connect(app) as database:
        database.execute("INSERT INTO of_a_newer_version DEFAULT VALUES")


def test_it_can_run_again_and_needs_postgresql(urls: tuple[str, str]) -> None:
    owner, app = urls
    _run([str(SCRIPT), urlsplit(app).username or ""], owner)
    ran = _try([str(SCRIPT), "wrapper"], "sqlite:////tmp/none.sqlite3")
    assert (ran.returncode, ran.stderr) == (2, "DATABASE_URL is not PostgreSQL\n")
