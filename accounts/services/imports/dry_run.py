"""A dry run of an import: the real one, on a copy of the database. Nobody else waits for it."""

import shutil
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import connection, transaction

from accounts.contribution_types import Progress, Purged
from accounts.models import Picture
from accounts.registry import contributions

# Not renamed: copies that older versions left are deleted by this name, too.
PREFIX = "trial-"
ABANDONED_SECONDS = 24 * 3600


@contextmanager
def changing_nothing() -> Iterator[None]:
    """What is written meanwhile is in no table of the service, and gone at the end."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with _copied_file():
            yield
        return
    with transaction.atomic():
        if connection.vendor == "postgresql":
            _copy_tables()
        yield
        transaction.set_rollback(True)


@contextmanager
def _copied_file() -> Iterator[None]:
    """This process works on a copy of the file. SQLite lets nobody else write during a
    transaction."""
    name = connection.settings_dict["NAME"]
    with (
        _ending_by_an_exception(),
        TemporaryDirectory(prefix=PREFIX, dir=settings.DATA_DIR) as directory,
    ):
        copy = str(Path(directory) / "db.sqlite3")
        connection.ensure_connection()
        with closing(sqlite3.connect(copy)) as target:
            connection.connection.backup(target)
        connection.close()
        connection.settings_dict["NAME"] = copy
        try:
            yield
        finally:
            connection.close()
            connection.settings_dict["NAME"] = name


@contextmanager
def _ending_by_an_exception() -> Iterator[None]:
    """Whoever stops the process leaves no copy behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        sys.exit(2)

    numbers = (signal.SIGTERM, signal.SIGHUP)  # under nohup the second one is ignored
    heard = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, end) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def purge_dry_run_copies(*, dry_run: bool = False, progress: Progress = lambda _: None) -> Purged:
    """Delete the copies of dry runs that were killed: they have everybody's data."""
    found = Purged(noun="copies of the database that a dry run of an import made", done="deleted")
    for copy in Path(settings.DATA_DIR).glob(f"{PREFIX}*"):
        found.seen += 1
        with suppress(FileNotFoundError):  # it has just ended
            changed = max(each.stat().st_mtime for each in (copy, *copy.iterdir()))
            if time.time() - changed > ABANDONED_SECONDS:
                found.expired += 1
                if not dry_run:
                    shutil.rmtree(copy, ignore_errors=True)
    progress(found)
    return found


def _copy_tables() -> None:
    """Temporary tables with the same names and rows, which hide the real ones from this connection
    until the transaction is rolled back: it would lock rows of the real ones for as long. Without
    pictures, which an import only reads."""
    models = [
        model
        for model in apps.get_models()
        if model._meta.app_label in contributions() and model is not Picture
    ]
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_schema()")
        schema = quote(cursor.fetchone()[0])
        for table in (quote(model._meta.db_table) for model in models):
            # The names come from the models.
            cursor.execute(f"CREATE TEMPORARY TABLE {table} (LIKE {schema}.{table} INCLUDING ALL)")
            cursor.execute(f"INSERT INTO pg_temp.{table} SELECT * FROM {schema}.{table}")  # noqa: S608
            cursor.execute(f"ANALYZE pg_temp.{table}")
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)
