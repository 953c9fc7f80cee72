"""Notices that two deployments share one database of Redis, where they would share limits, locks
and events.

Each server notes the identity of its deployment in Redis when it starts. It is made from the
database and SECRET_KEY, so after a change of one of them a deployment takes itself for another one;
for this reason no start is refused.
"""

import time
from datetime import UTC, datetime
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

from accounts.encryption import keyed_hash

KEY = "wrapper:deployments"
# A deployment that was not started for so long counts as gone.
REMEMBERED_SECONDS = 30 * 24 * 3600


def identity_of(database: BaseDatabaseWrapper) -> str:
    """The same in each process of a deployment, whatever address it uses for the database."""
    with database.cursor() as cursor:
        cursor.execute("SELECT min(applied) FROM django_migrations")
        parts = [*cursor.fetchone()]
        if database.vendor == "postgresql":  # a copy of a database has another number
            cursor.execute("SELECT oid FROM pg_database WHERE datname = current_database()")
            parts += cursor.fetchone()
    return keyed_hash("deployment", *map(str, parts))[:16]


def note_start(client: Any, identity: str) -> None:
    client.hset(KEY, identity, int(time.time()))


def last_starts_of_others(client: Any, identity: str) -> list[datetime]:
    """When other deployments were last started on this database of Redis, the newest first."""
    started = {name.decode(): float(at) for name, at in client.hgetall(KEY).items()}
    since = time.time() - REMEMBERED_SECONDS
    return sorted(
        (
            datetime.fromtimestamp(at, UTC)
            for name, at in started.items()
            if name != identity and at > since
        ),
        reverse=True,
    )
