"""What the tables and the store contain."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.db import connection

from accounts.models import Account, Profile, ServiceSession


def tables() -> bytes:
    """Every value of every table, as bytes."""
    held: list[Any] = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            held += cursor.fetchall()
    return repr(held).encode()


def store_contents() -> bytes:
    """Every key and value of the store, as bytes."""
    return repr(list(entries())).encode()


def store_keys() -> list[str]:
    """The names of the keys of the store, without Django's prefix and version."""
    return [key.split(":", 2)[2] for key, _ in entries()]


def left_behind() -> list[object]:
    """Rows and keys of the store that a refused login must not create."""
    rows = [*Account.objects.all(), *Profile.objects.all(), *ServiceSession.objects.all()]
    kept = ("schools:", "login-methods:", "count:", "window:")
    return [*rows, *(key for key in store_keys() if not key.startswith(kept))]


def store_counters() -> int:
    """How many counters the store holds."""
    return sum(1 for key in store_keys() if key.startswith("count:"))


def entries() -> Iterator[tuple[str, Any]]:
    for alias in settings.CACHES:
        cache: Any = caches[alias]
        if settings.REDIS_URL and alias == "default":
            client = cache._cache.get_client()
            yield from ((key.decode(), client.get(key)) for key in client.scan_iter("wrapper:*"))
        else:
            yield from cache._cache.items()
