"""The database connection of the current thread."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


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


@contextmanager
def planned_for_values() -> Iterator[None]:
    """Within a transaction, PostgreSQL plans the statements in here for the values that they have.

    A statement that runs often gets one plan for all values. That is wrong where the value decides
    how many rows there are: a search of names took 900 ms with it instead of 20, in a database of
    200,000 people.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL plan_cache_mode = force_custom_plan")
        yield
