"""What the stores must be set to, asked once at process start.

A wrong setting is a reason not to start. A store that is away is only logged: it may come back,
and the process answers 503 until then.
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
    """A sentence for each setting of a store that loses what we promised to keep."""
    yield from _redis()
    yield from _postgresql()


def _redis() -> Iterator[str]:
    if not settings.REDIS_URL:
        return
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS
    )
    try:
        memory: Any = client.info("memory")
    except redis.RedisError as error:
        logger.warning("the store is away at start", exc_info=error)
        return
    finally:
        client.close()
    if (policy := memory.get("maxmemory_policy")) != "noeviction":
        yield (
            f"Redis has maxmemory-policy {policy}; it must be noeviction: "
            "login attempts and limits would vanish."
        )


def _postgresql() -> Iterator[str]:
    if connection.vendor != "postgresql":
        return
    try:
        with connection.cursor() as cursor:
            cursor.execute("SHOW synchronous_commit")
            row = cursor.fetchone()
    except DatabaseError as error:
        logger.warning("the database is away at start", exc_info=error)
        return
    finally:
        connection.close()
    if row is not None and row[0] == "off":
        yield "PostgreSQL has synchronous_commit off: what we acknowledge could be lost."
