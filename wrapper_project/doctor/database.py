"""The database: does it answer, is it of this version, does it keep what it was given."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

from wrapper_project.doctor.findings import Finding, fail, ok, warn

NAME = "database"
STATEMENT_SECONDS = 3
OLDEST_POSTGRESQL = 14
# A word of the driver's text -> what we say; the text itself names users and hosts.
REASONS = {
    "refused": "nothing listens there",
    "password authentication": "the name or the password is refused",
    "no password supplied": "it wants a password, and DATABASE_URL has none",
    "does not exist": "there is no such database, or no such user",
    "too many": "all its connections are taken",
    "translate host": "the host's name is not known",
    "not known": "the host's name is not known",
    "timeout": "it does not answer in time",
    "starting up": "it is starting",
    "permission denied": "this user may not read it",
    "not a database": "the file is no database",
    "unable to open": "the file cannot be opened",
}


class Away(Exception):
    """The database cannot be asked; the text is ours."""


@contextmanager
def own_connection() -> Iterator[BaseDatabaseWrapper]:
    """A connection beside the pool, which would hide why there is none. Raises: Away."""
    own: Any = connection.copy("doctor")
    if own.vendor == "postgresql":
        own.settings_dict["OPTIONS"].pop("pool", None)
    elif not Path(str(own.settings_dict["NAME"])).exists():
        raise Away("there is no database file")
    try:
        own.ensure_connection()
        if own.vendor == "postgresql":
            ask(own, f"SET statement_timeout = '{STATEMENT_SECONDS}s'")
        yield own
    except DatabaseError as error:
        raise Away(reason(error)) from None
    finally:
        own.close()


def reason(error: BaseException) -> str:
    """What a failure of the driver means."""
    text = str(error)
    return next((said for word, said in REASONS.items() if word in text), "it does not answer")


def ask(own: BaseDatabaseWrapper, statement: str) -> Any:
    """The first value of the first row; None where there is none."""
    with own.cursor() as cursor:
        cursor.execute(statement)
        row = cursor.fetchone() if cursor.description else None
    return row[0] if row else None


def place() -> str:
    """Host, port and name; never who, nor the password."""
    chosen = connection.settings_dict
    if connection.vendor == "sqlite":
        return str(chosen["NAME"])
    return f"{chosen['HOST'] or 'local socket'}:{chosen['PORT'] or 5432}/{chosen['NAME']}"


def check() -> Iterator[Finding]:
    """Reachable, version, durable, migrated."""
    try:
        with own_connection() as own:
            yield from _kind(own)
            yield from _migrations(own)
    except Away as away:
        hint = "DATABASE_URL; then `manage.py migrate`." if "no database" in str(away) else ""
        yield fail(NAME, f"{place()}: {away}.", hint or "DATABASE_URL, and the database's own log.")


def _kind(own: BaseDatabaseWrapper) -> Iterator[Finding]:
    if own.vendor == "sqlite":
        text = f"SQLite {ask(own, 'SELECT sqlite_version()')}, {place()}."
        if settings.DEBUG:
            yield ok(NAME, text)
        else:
            yield warn(NAME, text, "For more than one small school: PostgreSQL (DATABASE_URL).")
        return
    version = str(ask(own, "SHOW server_version")).split()[0]
    text = f"PostgreSQL {version}, {place()}."
    if int(version.split(".")[0]) < OLDEST_POSTGRESQL:
        yield warn(NAME, text, f"Django supports {OLDEST_POSTGRESQL} and later.")
    else:
        yield ok(NAME, text)
    if (commit := ask(own, "SHOW synchronous_commit")) == "off":
        hint = "Set it to on: what the service acknowledges could be lost."
        yield fail(NAME, "synchronous_commit is off.", hint)
    else:
        yield ok(NAME, f"synchronous_commit is {commit}.")
    if ask(own, "SELECT pg_is_in_recovery()"):
        yield fail(NAME, "it is a standby, and takes no writes.", "DATABASE_URL: name the primary.")


def _migrations(own: BaseDatabaseWrapper) -> Iterator[Finding]:
    loader = MigrationLoader(None)
    applied = _applied(own)
    for key, step in loader.disk_migrations.items():
        if step.replaces and applied.issuperset(step.replaces):
            applied.add(key)
    missing = sorted(set(loader.graph.nodes) - applied)
    replaced = {old for step in loader.disk_migrations.values() for old in step.replaces}
    ahead = sorted(applied - set(loader.disk_migrations) - replaced)
    if missing:
        text = f"{len(missing)} migrations are not applied, among them {'.'.join(missing[0])}."
        yield fail(NAME, text, "`manage.py migrate`, before the new code serves.")
    if ahead:
        text = f"{len(ahead)} applied migrations are not known here, {'.'.join(ahead[0])} for one."
        yield warn(NAME, text, "A newer version migrated it: deploy that one.")
    if not missing and not ahead:
        yield ok(NAME, "every migration is applied.")


def _applied(own: BaseDatabaseWrapper) -> set[tuple[str, str]]:
    with own.cursor() as cursor:
        if "django_migrations" not in own.introspection.table_names(cursor):
            return set()
        cursor.execute("SELECT app, name FROM django_migrations")
        return {(str(app), str(name)) for app, name in cursor.fetchall()}
