"""Tests of migrations: back to an earlier state of the database, and forward again."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

State = list[tuple[str, str]]


@contextmanager
def migrated_back(to: State) -> Iterator[Any]:
    """The apps of an earlier state, which the database has inside the block."""
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    executor.migrate(to)
    try:
        yield executor.loader.project_state(to).apps
    finally:
        MigrationExecutor(connection).migrate(newest)
        let_tests_empty_the_audit_log()


def newest_apps() -> Any:
    """The apps as the newest migrations describe them."""
    loader = MigrationExecutor(connection).loader
    return loader.project_state(loader.graph.leaf_nodes()).apps


def let_tests_empty_the_audit_log() -> None:
    """Tests that commit empty all tables afterwards; the audit log refuses that."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "ALTER TABLE accounts_auditentry DISABLE TRIGGER accounts_audit_no_truncate"
            )
        else:
            cursor.execute("DROP TRIGGER IF EXISTS accounts_audit_no_delete")
