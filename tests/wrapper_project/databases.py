"""Empty databases beside that of the suite, on the same PostgreSQL."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.db import connection

NEEDS_POSTGRESQL = pytest.mark.skipif(
    connection.vendor != "postgresql" or shutil.which("pg_dump") is None,
    reason="needs PostgreSQL and its client programs",
)


def url_of(database: str) -> str:
    own = connection.settings_dict
    return f"postgresql://{own['USER']}@{own['HOST']}:{own['PORT'] or 5432}/{database}"


@contextmanager
def empty_database() -> Iterator[str]:
    """The name of one."""
    name = f"wrapper_backup_test_{os.getpid()}"
    with psycopg.connect(url_of("postgres"), autocommit=True) as admin:
        admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        admin.execute(f"CREATE DATABASE {name}")
        try:
            yield name
        finally:
            admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
