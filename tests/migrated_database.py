"""A migrated SQLite database that test runs copy, because the migrations take ten seconds.

It lies beside the temporary files, under a name made from all migrations, so a changed one makes
another. Of processes that find none, one makes it and the others wait.
"""

import fcntl
import getpass
import hashlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import IO

import django
from django.db.backends.base.base import BaseDatabaseWrapper

ROOT = Path(__file__).resolve().parents[1]
# Open, and so locked, while this process makes the database.
_locks: list[IO[bytes]] = []


def copy_to(database: Path) -> bool:
    """Put a copy where the tests look for their database. False where there is none to copy yet:
    then the caller has to migrate one, and to `keep` it or to `give_up`."""
    _path().parent.mkdir(mode=0o700, exist_ok=True)
    lock = _path().with_suffix(".lock").open("wb")
    fcntl.flock(lock, fcntl.LOCK_EX)
    if not _path().exists():
        _locks.append(lock)
        return False
    lock.close()
    shutil.copyfile(_path(), database)
    return True


def keep(connection: BaseDatabaseWrapper) -> None:
    """Keep a database that was just migrated, for the next run.

    Not by copying its file: SQLite's locks on a file are gone as soon as the process that holds
    them closes the file once, and the server process of a test then deletes the log of writes that
    are not in the file yet.
    """
    handle, temporary = tempfile.mkstemp(dir=_path().parent)
    os.close(handle)
    connection.cursor().execute("VACUUM INTO %s", [temporary])
    Path(temporary).replace(_path())
    give_up()


def give_up() -> None:
    """Let the next process that waits try."""
    while _locks:
        _locks.pop().close()


def _path() -> Path:
    digest = hashlib.sha256(django.__version__.encode())
    for migration in sorted(ROOT.glob("*/migrations/*.py")):
        digest.update(str(migration.relative_to(ROOT)).encode() + migration.read_bytes())
    folder = Path(tempfile.gettempdir()) / f"wrapper-tests-{getpass.getuser()}"
    return folder / f"{digest.hexdigest()[:32]}.sqlite3"
