"""The two kinds of store: SQLite with in-process stores, and PostgreSQL with Redis.

The second uses a database of its own, made here and dropped at the end, and an empty Redis
database number, flushed at the end: existing data is not touched.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

import psycopg
import redis

from benchmarks.temporary_redis import MISSING, TemporaryRedis

LOCAL_POSTGRES = "postgres://postgres@127.0.0.1:5432/postgres"
LOCAL_REDIS = "redis://127.0.0.1:6379"


class NoSuchStore(Exception):
    """PostgreSQL or Redis is not there; the message says which and why."""


@dataclass(frozen=True)
class Stores:
    """A kind of store: its name in the table and what the service reads from its environment."""

    name: str
    environment: dict[str, str] = field(default_factory=dict, repr=False)
    temporary_redis: TemporaryRedis | None = None


@contextmanager
def in_process() -> Iterator[Stores]:
    """SQLite (in the service's own DATA_DIR) and stores in the worker's memory."""
    yield Stores("in-process")


@contextmanager
def postgres_and_redis(database: str = "wrapper_bench") -> Iterator[Stores]:
    """PostgreSQL and Redis, from DATABASE_URL and REDIS_URL or on this machine. `database` is the
    name of the one that is made.

    Raises:
        NoSuchStore: one of the two does not answer.
    """
    with _database(database) as database_url, _redis_number() as redis_url:
        yield Stores("Redis", {"DATABASE_URL": database_url, "REDIS_URL": redis_url})


@contextmanager
def postgres_and_temporary_redis() -> Iterator[Stores]:
    """PostgreSQL, and a temporary Redis server, which scenarios may kill.

    Raises:
        NoSuchStore: PostgreSQL does not answer, or there is no redis-server.
    """
    if shutil.which("redis-server") is None:
        raise NoSuchStore(MISSING)
    with _database("wrapper_bench") as database_url, TemporaryRedis() as server:
        where = {"DATABASE_URL": database_url, "REDIS_URL": server.url}
        yield Stores("Redis", where, server)


@contextmanager
def _database(name: str) -> Iterator[str]:
    given = os.environ.get("DATABASE_URL", "")
    server = given if given.startswith("postgres") else LOCAL_POSTGRES
    parts = urlsplit(server)
    try:
        connection = psycopg.connect(server, autocommit=True, connect_timeout=2)
    except psycopg.OperationalError as error:
        raise NoSuchStore(f"PostgreSQL at {parts.hostname}: {error}") from error
    with connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield urlunsplit(parts._replace(path=f"/{name}"))
        finally:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@contextmanager
def _redis_number() -> Iterator[str]:
    parts = urlsplit(os.environ.get("REDIS_URL") or LOCAL_REDIS)
    for number in range(15, 0, -1):
        url = urlunsplit(parts._replace(path=f"/{number}"))
        server = redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2)
        try:
            empty = server.dbsize() == 0
        except redis.RedisError as error:
            server.close()
            raise NoSuchStore(f"Redis at {parts.hostname}: {error}") from error
        if empty:
            server.set("wrapper_bench", 1)  # taken, for another service of this run
            try:
                yield url
            finally:
                server.flushdb()
                server.close()
            return
        server.close()
    raise NoSuchStore("Redis has no empty database number from 15 to 1")
