"""A pool that replaces all dead connections when it meets the first.

The pool of psycopg checks a connection when it is taken, and waits 1, 2, 4 … seconds between dead
ones. After a restart of the database they are all dead: with sixteen of them, requests failed
although the database was back.
"""

import select
import time
from typing import Any
from weakref import WeakKeyDictionary

from django.db.backends.base.base import NO_DB_ALIAS
from django.db.backends.postgresql import base
from psycopg import Connection, Error
from psycopg_pool import ConnectionPool

Pool = ConnectionPool[Connection[Any]]
ASK_AGAIN_SECONDS = 1.0
_asked_at: WeakKeyDictionary[Connection[Any], float] = WeakKeyDictionary()


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to PostgreSQL, from the pool that `OPTIONS["pool"]` describes."""

    _connection_pools: dict[str, Pool]  # Django's own, which `close_pool` empties

    @property
    def pool(self) -> Pool | None:
        options = self.settings_dict["OPTIONS"].get("pool")
        if self.alias == NO_DB_ALIAS or not options:
            return None
        if self.alias not in self._connection_pools:
            made: Pool = ConnectionPool(
                kwargs=self.get_connection_params() | {"autocommit": True},
                open=False,
                configure=self._configure_connection,  # type: ignore[attr-defined]
                check=lambda taken: _check(made, taken),
                **options,
            )
            # Threads that make the first pool at the same time end up with the same one.
            self._connection_pools.setdefault(self.alias, made)
        return self._connection_pools[self.alias]


def _check(pool: Pool, taken: Connection[Any]) -> None:
    """Raises psycopg's error for a connection that is dead.

    One that the database has closed has something to read. One that was lost without a word, as
    after a failover, shows only when it is asked, at most once a second: to ask each time would
    cost every request a round trip, 0.08 ms of CPU time of the 2.2 ms of a send.
    """
    now = time.monotonic()
    if now - _asked_at.get(taken, 0.0) < ASK_AGAIN_SECONDS and not _has_something_to_read(taken):
        return
    try:
        pool.check_connection(taken)
    except Error:
        pool.check()
        raise
    _asked_at[taken] = now


def _has_something_to_read(taken: Connection[Any]) -> bool:
    waiting = select.poll()
    waiting.register(taken.fileno(), select.POLLIN)
    return bool(waiting.poll(0))
