"""An index for search on PostgreSQL. SQLite goes without: it serves one machine."""

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, migrations, transaction

INDEX = "accounts_profile_search"


def make_index(apps: Any, schema_editor: Any) -> None:
    """Words anywhere in a name are found by their trigrams (`pg_trgm`)."""
    del apps
    connection = schema_editor.connection
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'")
        if cursor.fetchone() is None:
            _make_extension(connection, cursor)
        cursor.execute(
            f"CREATE INDEX {INDEX} ON accounts_profile USING gin (search_key gin_trgm_ops)"
        )


def _make_extension(connection: Any, cursor: Any) -> None:
    try:
        with transaction.atomic(using=connection.alias):
            cursor.execute("CREATE EXTENSION pg_trgm")
    except DatabaseError as error:
        raise ImproperlyConfigured(
            "The search needs the PostgreSQL extension pg_trgm, which this database user may not "
            "create. Have somebody who may run `CREATE EXTENSION pg_trgm;` in this database "
            "(it belongs to PostgreSQL's contrib package), then migrate again."
        ) from error


def drop_index(apps: Any, schema_editor: Any) -> None:
    """The extension stays: others may use it."""
    del apps
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"DROP INDEX IF EXISTS {INDEX}")


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_search_key"),
    ]

    operations = [
        migrations.RunPython(make_index, drop_index),
    ]
