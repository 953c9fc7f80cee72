"""Checks of Redis's and PostgreSQL's own settings at process start.

A wrong setting is a reason not to start. An unavailable store is only logged: it may come back, and
the process answers 503 until then.
"""

import logging
from collections.abc import Iterator
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, connection

TIMEOUT_SECONDS = 2

logger = logging.getLogger(__name__)


def reasons_to_refuse_start() -> Iterator[str]:
    """One sentence for each setting with which a store would lose data."""
    if settings.REDIS_URL:
        yield from _redis()
    if connection.vendor == "postgresql":
        yield from _postgresql()


def _redis() -> Iterator[str]:
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS
    )
    try:
        memory: Any = client.info("memory")
    except redis.RedisError as error:
        logger.warning("Redis is unavailable at start", exc_info=error)
        return
    finally:
        client.close()
    if (policy := memory.get("maxmemory_policy")) != "noeviction":
        yield (
            f"Redis has maxmemory-policy {policy}. Set it to noeviction, or login attempts "
            "and limits would be lost."
        )


def _postgresql() -> Iterator[str]:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SHOW synchronous_commit")
            row = cursor.fetchone()
    except DatabaseError as error:
        logger.warning("the database is unavailable at start", exc_info=error)
        return
    finally:
        connection.close()
    if row is not None and row[0] == "off":
        yield "PostgreSQL has synchronous_commit off. Set it to on, or data could be lost."
