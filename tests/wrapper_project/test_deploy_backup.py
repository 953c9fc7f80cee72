"""The backup and restore scripts, on both kinds of database."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.wrapper_project.databases import NEEDS_POSTGRESQL, empty_database, url_of

ROOT = Path(__file__).resolve().parents[2]


def run(script: str, *arguments: str, **changes: str) -> "subprocess.CompletedProcess[str]":
    """Run one of the scripts with these environment variables."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return subprocess.run(
        ["sh", str(ROOT / "deploy" / script), *arguments],
        env={**kept, "PYTHON": sys.executable, **changes},
        capture_output=True,
        text=True,
        check=False,
    )


def write(path: Path, *words: str) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE IF NOT EXISTS words (word TEXT)")
        database.executemany("INSERT INTO words VALUES (?)", [(word,) for word in words])
    database.close()


def read(path: Path) -> list[str]:
    database = sqlite3.connect(path)
    try:
        return [row[0] for row in database.execute("SELECT word FROM words")]
    finally:
        database.close()


def test_a_sqlite_backup_can_be_restored(tmp_path: Path) -> None:
    data, saved = tmp_path / "data", tmp_path / "saved"
    data.mkdir()
    file = data / "db.sqlite3"
    write(file, "one", "två")
    ran = run("backup.sh", str(saved), DATA_DIR=str(data))
    assert ran.returncode == 0, ran.stderr
    copy = Path(ran.stdout.strip())
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    write(file, "three")

    refused = run("restore.sh", str(copy), DATA_DIR=str(data))
    assert refused.returncode == 1
    assert "--replace" in refused.stderr
    assert read(file) == ["one", "två", "three"]

    restored = run("restore.sh", "--replace", str(copy), DATA_DIR=str(data))
    assert restored.returncode == 0, restored.stderr
    assert read(file) == ["one", "två"]
    (aside,) = data.glob("db.sqlite3.before-*Z")
    assert read(aside) == ["one", "två", "three"]


def test_only_the_newest_backups_are_kept(tmp_path: Path) -> None:
    data, saved = tmp_path / "data", tmp_path / "saved"
    for folder in (data, saved):
        folder.mkdir()
    write(data / "db.sqlite3", "one")
    for day in range(1, 6):
        (saved / f"wrapper-2020010{day}T000000Z.sqlite3").touch()
    other = saved / "not-ours.sqlite3"
    other.touch()
    assert run("backup.sh", str(saved), DATA_DIR=str(data), KEEP="3").returncode == 0
    left = sorted(path.name for path in saved.glob("wrapper-*"))
    assert left[:2] == ["wrapper-20200104T000000Z.sqlite3", "wrapper-20200105T000000Z.sqlite3"]
    assert len(left) == 3
    assert other.exists()


def test_errors_are_reported_and_leave_no_files(tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    missing = run("backup.sh", str(saved), DATA_DIR=str(tmp_path / "nowhere"))
    assert missing.returncode != 0
    assert "does not exist" in missing.stderr
    foreign = run("backup.sh", str(saved), DATABASE_URL="mysql://u:canary@h/x")
    assert foreign.returncode != 0
    assert "canary" not in foreign.stdout + foreign.stderr
    assert list(saved.glob("*.sqlite3")) == []
    assert run("backup.sh").returncode == 2
    assert run("restore.sh", str(tmp_path / "no.dump")).returncode == 2


@pytest.mark.parametrize(
    ("pg_dump", "pg_restore"), [("exit 1", "true"), ("kill $$", "true"), ("true", "exit 1")]
)
def test_a_backup_that_fails_leaves_nothing(pg_dump: str, pg_restore: str, tmp_path: Path) -> None:
    saved, programs = tmp_path / "saved", tmp_path / "bin"
    programs.mkdir()
    for name, ends in {"pg_dump": pg_dump, "pg_restore": pg_restore}.items():
        text = '#!/bin/sh\nfor last; do :; done\n: >"${last#--file=}"\n' + ends + "\n"
        (programs / name).write_text(text if name == "pg_dump" else f"#!/bin/sh\n{ends}\n")
        (programs / name).chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    ran = run("backup.sh", str(saved), DATABASE_URL="postgres://u@127.0.0.1/d", PATH=path)
    assert ran.returncode != 0
    assert list(saved.iterdir()) == []


def test_what_was_left_by_a_power_cut_is_removed_a_day_later(tmp_path: Path) -> None:
    data, saved = tmp_path / "data", tmp_path / "saved"
    for folder in (data, saved):
        folder.mkdir()
    write(data / "db.sqlite3", "one")
    old, fresh = (saved / f"wrapper-{day}.dump.part" for day in ("old", "fresh"))
    for left in (old, fresh):
        left.touch()
    os.utime(old, (0, 0))
    assert run("backup.sh", str(saved), DATA_DIR=str(data)).returncode == 0
    assert (old.exists(), fresh.exists()) == (False, True)


def test_the_parameters_of_the_url_reach_the_programs(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "pg_dump").write_text("#!/bin/sh\nenv | grep ^PG >&2\nexit 1\n")
    (programs / "pg_dump").chmod(0o755)
    options = "sslmode=verify-full&sslrootcert=/etc/ssl/db.pem&ssl_min_protocol_version=TLSv1.3"
    url = f"postgres://wrapper:p%40ss%2Fword@db.example:5433/wrapper?{options}"
    path = f"{programs}:{os.environ['PATH']}"
    ran = run("backup.sh", str(tmp_path / "saved"), DATABASE_URL=url, PATH=path)
    assert dict(line.split("=", 1) for line in ran.stderr.splitlines()) == {
        "PGHOST": "db.example",
        "PGPORT": "5433",
        "PGUSER": "wrapper",
        "PGPASSWORD": "p@ss/word",
        "PGDATABASE": "wrapper",
        "PGSSLMODE": "verify-full",
        "PGSSLROOTCERT": "/etc/ssl/db.pem",
        "PGSSLMINPROTOCOLVERSION": "TLSv1.3",
    }


@pytest.mark.parametrize(
    ("hosts", "host", "port"),
    [
        ("a.example:5432,b.example:5433", "a.example,b.example", "5432,5433"),
        ("a.example,[2001:db8::1]:5433", "a.example,2001:db8::1", ",5433"),
        ("[2001:db8::1]", "2001:db8::1", None),
    ],
)
def test_several_hosts_reach_the_programs(
    hosts: str, host: str, port: str | None, tmp_path: Path
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "pg_dump").write_text("#!/bin/sh\nenv | grep ^PG >&2\nexit 1\n")
    (programs / "pg_dump").chmod(0o755)
    url = f"postgresql://u@{hosts}/wrapper?target_session_attrs=read-write"
    path = f"{programs}:{os.environ['PATH']}"
    ran = run("backup.sh", str(tmp_path / "saved"), DATABASE_URL=url, PATH=path)
    told = dict(line.split("=", 1) for line in ran.stderr.splitlines())
    assert (told["PGHOST"], told.get("PGPORT")) == (host, port)
    assert told["PGTARGETSESSIONATTRS"] == "read-write"


def words_in(url: str) -> list[str]:
    with psycopg.connect(url) as database:
        return [row[0] for row in database.execute("SELECT word FROM words ORDER BY word")]


@pytest.fixture
def url() -> Iterator[str]:
    """Of an empty database."""
    with empty_database() as name:
        yield url_of(name)


@NEEDS_POSTGRESQL
def test_a_postgresql_backup_can_be_restored(url: str, tmp_path: Path) -> None:
    with psycopg.connect(url) as database:
        database.execute("CREATE TABLE words (id serial PRIMARY KEY, word text UNIQUE)")
        database.execute("INSERT INTO words (word) VALUES ('one'), ('två')")
    ran = run("backup.sh", str(tmp_path), DATABASE_URL=url)
    assert ran.returncode == 0, ran.stderr
    copy = ran.stdout.strip()
    with psycopg.connect(url) as database:
        database.execute("INSERT INTO words (word) VALUES ('three')")
        database.execute("CREATE TABLE of_a_newer_version (id int)")

    refused = run("restore.sh", copy, DATABASE_URL=url)
    assert refused.returncode == 1
    assert "has 2 tables" in refused.stderr
    assert len(words_in(url)) == 3

    restored = run("restore.sh", "--replace", copy, DATABASE_URL=url)
    assert (restored.returncode, restored.stderr) == (0, "")
    assert words_in(url) == ["one", "två"]
    with psycopg.connect(url) as database:
        database.execute("INSERT INTO words (word) VALUES ('next')")  # the sequence was restored
        newer = database.execute("SELECT to_regclass('of_a_newer_version')").fetchone()
    assert newer == (None,)


@NEEDS_POSTGRESQL
def test_an_extension_of_the_server_is_left_out_of_a_restore(url: str, tmp_path: Path) -> None:
    """The owner of the database may create the service's extension, and no other."""
    owner = f"owner_{os.getpid()}"
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute(f"CREATE ROLE {owner} LOGIN")
        admin.execute(f"ALTER DATABASE {urlsplit(url).path[1:]} OWNER TO {owner}")
        # pg_auto_failover creates the first one in the database of the service.
        admin.execute("CREATE EXTENSION pg_stat_statements")
        own = urlsplit(url)._replace(netloc=f"{owner}@{urlsplit(url).netloc.partition('@')[2]}")
        with psycopg.connect(own.geturl()) as database:
            database.execute("CREATE EXTENSION pg_trgm")
            database.execute("CREATE TABLE words AS SELECT 'one' AS word")
        copy = run("backup.sh", str(tmp_path), DATABASE_URL=url).stdout.strip()
        try:
            restored = run("restore.sh", "--replace", copy, DATABASE_URL=own.geturl())
            assert (restored.returncode, restored.stderr) == (0, "")
            assert words_in(url) == ["one"]
            found = admin.execute("SELECT extname FROM pg_extension ORDER BY 1").fetchall()
            assert found == [("pg_trgm",), ("plpgsql",)]
        finally:
            admin.execute(f"ALTER DATABASE {urlsplit(url).path[1:]} OWNER TO CURRENT_USER")
            admin.execute(f"DROP OWNED BY {owner} CASCADE")
            admin.execute(f"DROP ROLE {owner}")
