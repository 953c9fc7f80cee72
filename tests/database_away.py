"""PostgreSQL without the database of the test."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.db import connection
from psycopg import sql


@contextmanager
def postgresql_away() -> Iterator[None]:
    """The test's database ends the connections of others, and accepts none until the block ends."""
    own = connection.settings_dict
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (kept,) = cursor.fetchone()
    with psycopg.connect(
        host=own["HOST"], port=own["PORT"], user=own["USER"], dbname="postgres", autocommit=True
    ) as other:
        name = sql.Identifier(own["NAME"])
        other.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(name))
        try:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = %s AND pid <> %s",
                [own["NAME"], kept],
            )
            yield
        finally:
            other.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS true").format(name))
            # The pool of this process has dead ones now. It waits longer after each that it meets,
            # and the tests before may have left many.
            connection.close_pool()  # type: ignore[attr-defined]
