"""Re-encrypting every secret column with the first key."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, TypeAlias

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.apps import apps
from django.conf import settings
from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, Model

from accounts.encryption import SecretTextField, crypter

BATCH = 200
# A value that changes under our hands so often is left to the next run.
TRIES = 3
Key = int | str
Column: TypeAlias = "tuple[type[Model], Field[Any, Any]]"


@dataclass(slots=True)
class Rotated:
    """What a rotation found, in values. `contended`: somebody else kept changing it meanwhile."""

    seen: int = 0
    current: int = 0
    rotated: int = 0
    contended: int = 0
    unreadable: int = 0

    @property
    def remaining(self) -> int:
        """Values that are not on the first key now."""
        return self.contended + self.unreadable


def rotate_secrets(
    *, dry_run: bool = False, progress: Callable[[Rotated], None] = lambda _: None
) -> Rotated:
    """Bring every secret of every table onto the first key of `FIELD_ENCRYPTION_KEYS`.

    The ciphertext is compared and set, value by value, so that a login at the same moment is not
    undone, and two that run at once share the work. May be stopped and run again at any time.
    """
    found = Rotated()
    first = Fernet(settings.FIELD_ENCRYPTION_KEYS[0])
    for column in secret_columns():
        for batch in _batches(connection, column):
            with transaction.atomic():  # for the speed: a commit for each would cost ten times
                for pk, stored in batch:
                    found.seen += 1
                    _rotate_one(found, first, column, pk, stored, dry_run=dry_run)
            progress(found)
    return found


def sample_of_keys(own: BaseDatabaseWrapper, *, limit: int) -> Rotated:
    """At most `limit` values of each column over this connection: `current` are on the first key,
    `unreadable` on none; the rest of `seen` is on an older one. Changes nothing."""
    found = Rotated()
    first = Fernet(settings.FIELD_ENCRYPTION_KEYS[0])
    for column in secret_columns():
        for _, stored in islice(chain.from_iterable(_batches(own, column)), limit):
            found.seen += 1
            if _decrypts(first, stored):
                found.current += 1
            elif not _decrypts(crypter(), stored):
                found.unreadable += 1
    return found


def secret_columns() -> Iterator[Column]:
    """Every encrypted column of every app."""
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, SecretTextField):
                yield model, field


def _decrypts(fernet: Fernet | MultiFernet, stored: str) -> bool:
    try:
        fernet.decrypt(stored.encode())
    except InvalidToken:
        return False
    return True


def _rotate_one(
    found: Rotated,
    first: Fernet,
    column: Column,
    pk: Key,
    stored: str | None,
    *,
    dry_run: bool,
) -> None:
    for _ in range(TRIES):
        if stored is None or _decrypts(first, stored):  # ended meanwhile, or done
            found.current += 1
            return
        try:
            fresh = crypter().rotate(stored.encode()).decode()
        except InvalidToken:
            found.unreadable += 1
            return
        if dry_run or _swap(column, pk, stored, fresh):
            found.rotated += 1
            return
        stored = _read(column, pk)
    found.contended += 1


def _batches(own: BaseDatabaseWrapper, column: Column) -> Iterator[list[tuple[Key, str]]]:
    """(primary key, ciphertext) of every value, past the field that would decrypt it.

    In the order of the keys, so that two rotations never wait for each other in a ring.
    """
    table, name, key = _names(own, column)
    after: Key | None = None
    while True:
        where = f"{name} IS NOT NULL" + (f" AND {key} > %s" if after is not None else "")
        # The names come from the models, quoted by the database's own rules.
        query = f"SELECT {key}, {name} FROM {table} WHERE {where} ORDER BY {key} LIMIT {BATCH}"  # noqa: S608
        with own.cursor() as cursor:
            cursor.execute(query, [after] if after is not None else [])
            rows = cursor.fetchall()
        if not rows:
            return
        yield rows
        after = rows[-1][0]


def _read(column: Column, pk: Key) -> str | None:
    table, name, key = _names(connection, column)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {name} FROM {table} WHERE {key} = %s", [pk])  # noqa: S608
        row = cursor.fetchone()
    return row[0] if row else None


def _swap(column: Column, pk: Key, stored: str, fresh: str) -> bool:
    table, name, key = _names(connection, column)
    statement = f"UPDATE {table} SET {name} = %s WHERE {key} = %s AND {name} = %s"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(statement, [fresh, pk, stored])
        return bool(cursor.rowcount == 1)


def _names(own: BaseDatabaseWrapper, column: Column) -> tuple[str, str, str]:
    model, field = column
    quote = own.ops.quote_name
    return (
        quote(model._meta.db_table),
        quote(field.column or ""),
        quote(model._meta.pk.column or ""),
    )
