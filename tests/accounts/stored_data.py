"""What the tables and the store contain."""

from typing import Any

from django.db import connection

from accounts.models import Account, Profile, ServiceSession
from accounts.stores import store
from accounts.stores.local import LocalStore


def tables() -> bytes:
    """Every value of every table, as bytes."""
    held: list[Any] = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            held += cursor.fetchall()
    return repr(held).encode()


def store_contents() -> bytes:
    """Every key, counter and cached answer of the store, as bytes."""
    here: Any = store()
    if isinstance(here, LocalStore):
        return repr((here._keys, here._counters, here._cached)).encode()
    held: list[Any] = []
    for key in here._client.scan_iter():
        kind = here._client.type(key)
        held.append((key, here._client.hgetall(key) if kind == b"hash" else here._client.get(key)))
    return repr(held).encode()


def store_keys() -> list[str]:
    """The names of the plain keys of the store, without the prefix."""
    here: Any = store()
    if isinstance(here, LocalStore):
        return list(here._keys)
    return [key.decode().removeprefix("wrapper:") for key in here._client.scan_iter("wrapper:*")]


def left_behind() -> list[object]:
    """Rows and keys of the store that a refused login must not create."""
    rows = [*Account.objects.all(), *Profile.objects.all(), *ServiceSession.objects.all()]
    return [*rows, *(key for key in store_keys() if not key.startswith(("schools:", "count:")))]


def store_counters() -> int:
    """How many counters the store holds."""
    here: Any = store()
    if isinstance(here, LocalStore):
        return len(here._counters)
    return sum(1 for _ in here._client.scan_iter("wrapper:count:*"))
