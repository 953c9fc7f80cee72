"""Tests of migrations: back to an earlier state of the database, and forward again."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
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


def migrated_to(state: State) -> Any:
    """Migrate the database forward; returns the apps of that state."""
    executor = MigrationExecutor(connection)
    executor.migrate(state)
    return executor.loader.project_state(state).apps


@contextmanager
def empty_database(folder: Path) -> Iterator[None]:
    """Be connected to a database without tables: to migrate it to an early state takes less than to
    bring all apps of the whole one back. `folder` is for the file, with SQLite."""
    usual = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        with _connected_to(str(folder / "empty.sqlite3"), usual):
            yield
        return
    other = f"{usual}_empty"
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{other}"')
    try:
        with _connected_to(other, usual):
            yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{other}"')


@contextmanager
def _connected_to(name: str, usual: str) -> Iterator[None]:
    try:
        _connect_to(name)
        yield
    finally:
        _connect_to(usual)


def _connect_to(name: str) -> None:
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()  # type: ignore[attr-defined]
    connection.settings_dict["NAME"] = name


def let_tests_empty_the_audit_log() -> None:
    """Tests that commit empty all tables afterwards; the audit log refuses that."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "ALTER TABLE accounts_auditentry DISABLE TRIGGER accounts_audit_no_truncate"
            )
        else:
            cursor.execute("DROP TRIGGER IF EXISTS accounts_audit_no_delete")
