"""The database connection of the current thread."""

from django.db import connection


def release_database_connection() -> None:
    """Return this thread's connection to the pool; the next query takes one again.

    Called before anything that may wait for upstream: a call can take seconds, and the pool has
    fewer connections than the server has threads. Does nothing within a transaction, and without
    a pool (SQLite).
    """
    if connection.connection is None or connection.in_atomic_block:
        return
    if getattr(connection, "pool", None) is not None:
        connection.close()
