"""A dry run of an import: the real one, on a copy of the database. Nobody else waits for it."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction

from accounts.models import Picture
from accounts.registry import contributions


@contextmanager
def changing_nothing() -> Iterator[None]:
    """What is written meanwhile is in no table of the service, and gone at the end."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with _copied_database():
            yield
        return
    with transaction.atomic():
        if connection.vendor == "postgresql":
            _copy_tables()
        yield
        transaction.set_rollback(True)


@contextmanager
def _copied_database() -> Iterator[None]:
    """This process works on a temporary database with the same rows, of which nothing is left when
    the process ends, however it ends. SQLite lets nobody else write during a transaction."""
    connection.ensure_connection()
    original, name = connection.connection, connection.settings_dict["NAME"]
    temporary = connection.get_connection_params() | {"database": ""}
    with closing(connection.get_new_connection(temporary)) as copy:
        original.backup(copy)
        connection.connection = copy
        # Another connection would be to the real database: opening one is an error meanwhile.
        connection.settings_dict["NAME"] = ""
        try:
            yield
        finally:
            connection.connection, connection.settings_dict["NAME"] = original, name


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
