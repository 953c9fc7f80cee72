"""Checks the database: reachable, a supported version, durable, migrated."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

from wrapper_project.doctor.findings import Finding, fail, ok, warn

STATEMENT_SECONDS = 3
OLDEST_POSTGRESQL = 14
# Part of the driver's message -> our text; the message itself contains users and hosts.
REASONS = {
    "refused": "nothing listens on that port",
    "password authentication": "the username or password is wrong",
    "no password supplied": "it requires a password, and DATABASE_URL has none",
    "does not exist": "there is no such database, or no such user",
    "too many": "all its connections are in use",
    "translate host": "the host name is unknown",
    "not known": "the host name is unknown",
    "timeout": "it does not respond in time",
    "starting up": "it is starting",
    "permission denied": "this user may not read it",
    "not a database": "the file is not a database",
    "unable to open": "the file cannot be opened",
}


class Unavailable(Exception):
    """The database is unavailable; the text is ours."""


@contextmanager
def own_connection() -> Iterator[BaseDatabaseWrapper]:
    """A connection outside the pool, which would hide why it fails. Raises: Unavailable."""
    own: Any = connection.copy("doctor")
    if own.vendor == "postgresql":
        own.settings_dict["OPTIONS"].pop("pool", None)
    elif not Path(str(own.settings_dict["NAME"])).exists():
        raise Unavailable("there is no database file")
    try:
        own.ensure_connection()
        if own.vendor == "postgresql":
            ask(own, f"SET statement_timeout = '{STATEMENT_SECONDS}s'")
        yield own
    except DatabaseError as error:
        message = str(error)
        reasons = (said for word, said in REASONS.items() if word in message)
        raise Unavailable(next(reasons, "it does not respond")) from None
    finally:
        own.close()


def ask(own: BaseDatabaseWrapper, statement: str) -> Any:
    """The first value of the first row, or None."""
    with own.cursor() as cursor:
        cursor.execute(statement)
        row = cursor.fetchone() if cursor.description else None
    return row[0] if row else None


def location() -> str:
    """Host, port and name, without the user and the password."""
    chosen = connection.settings_dict
    if connection.vendor == "sqlite":
        return str(chosen["NAME"])
    return f"{chosen['HOST'] or 'local socket'}:{chosen['PORT'] or 5432}/{chosen['NAME']}"


def check() -> Iterator[Finding]:
    try:
        with own_connection() as own:
            yield from _kind(own)
            yield from _migrations(own)
    except Unavailable as error:
        hint = "Check DATABASE_URL and the log of the database."
        if "no database" in str(error):
            hint = "Check DATABASE_URL, then run `manage.py migrate`."
        yield fail(f"{location()}: {error}.", hint)


def _kind(own: BaseDatabaseWrapper) -> Iterator[Finding]:
    if own.vendor == "sqlite":
        text = f"SQLite {ask(own, 'SELECT sqlite_version()')}, {location()}."
        if settings.DEBUG:
            yield ok(text)
        else:
            yield warn(text, "For more than one small school, use PostgreSQL (DATABASE_URL).")
        return
    version = str(ask(own, "SHOW server_version")).split()[0]
    text = f"PostgreSQL {version}, {location()}."
    if int(version.split(".")[0]) < OLDEST_POSTGRESQL:
        yield warn(text, f"Django supports {OLDEST_POSTGRESQL} and later.")
    else:
        yield ok(text)
    if (commit := ask(own, "SHOW synchronous_commit")) == "off":
        hint = "Set it to on, or acknowledged data could be lost."
        yield fail("synchronous_commit is off.", hint)
    else:
        yield ok(f"synchronous_commit is {commit}.")
    if ask(own, "SELECT pg_is_in_recovery()"):
        yield fail("it is a standby and accepts no writes.", "Name the primary in DATABASE_URL.")


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
        text = f"{len(missing)} migrations are not applied, for example {'.'.join(missing[0])}."
        yield fail(text, "Run `manage.py migrate` before you start the new version.")
    if ahead:
        example = ".".join(ahead[0])
        text = f"{len(ahead)} applied migrations are unknown here, for example {example}."
        yield warn(text, "A newer version has migrated it. Deploy that version.")
    if not missing and not ahead:
        yield ok("every migration is applied.")


def _applied(own: BaseDatabaseWrapper) -> set[tuple[str, str]]:
    with own.cursor() as cursor:
        if "django_migrations" not in own.introspection.table_names(cursor):
            return set()
        cursor.execute("SELECT app, name FROM django_migrations")
        return {(str(app), str(name)) for app, name in cursor.fetchall()}
