"""Empties the database after a test that commits.

Django's own way deletes from all tables, and makes the permissions and the roles of staff again.
Here only tables with rows are emptied, and what `migrate` made stays if the test left it as it was.
"""

from typing import Any

from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection, transaction
from django.test import TransactionTestCase

# Nothing but the last of these refers to another table.
MADE_BY_MIGRATE: list[Any] = [ContentType, Permission, Group, Group.permissions.through]
AUDIT_LOG = "accounts_auditentry"

_made: list[set[tuple[Any, ...]]] = []


def remember_what_migrate_made() -> None:
    """Call this whenever these rows have been made again."""
    _made[:] = _rows_of_migrate()


def empty_after(_test: TransactionTestCase) -> None:
    """Replaces `TransactionTestCase._fixture_teardown`."""
    if _made != _rows_of_migrate():
        call_command("flush", verbosity=0, interactive=False, reset_sequences=False)
        remember_what_migrate_made()
        return
    with transaction.atomic(), connection.cursor() as cursor:
        for table in tables_with_rows():
            # The audit log refuses to be deleted from, but see `let_tests_empty_the_audit_log`.
            truncate = table == AUDIT_LOG and connection.vendor == "postgresql"
            verb = "TRUNCATE" if truncate else "DELETE FROM"
            cursor.execute(f"{verb} {connection.ops.quote_name(table)}")


def tables_with_rows() -> list[str]:
    """Those in which a test has left rows."""
    models = set(apps.get_models(include_auto_created=True)) - set(MADE_BY_MIGRATE)
    tables = sorted(model._meta.db_table for model in models)
    asked = [f"EXISTS (SELECT 1 FROM {connection.ops.quote_name(table)})" for table in tables]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(asked)}")
        found = cursor.fetchone()
    return [table for table, has_rows in zip(tables, found, strict=True) if has_rows]


def _rows_of_migrate() -> list[set[tuple[Any, ...]]]:
    return [set(model.objects.values_list()) for model in MADE_BY_MIGRATE]
