"""Re-encrypting every secret column with the first key."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, Model, QuerySet, TextField, Value
from django.db.models.functions import Cast

from accounts.encryption import SecretTextField, crypter

BATCH = 200
# A value that others change so often meanwhile is left to the next run.
TRIES = 3
Key = int | str | UUID
Column: TypeAlias = "tuple[type[Model], Field[Any, Any]]"


@dataclass(slots=True)
class Rotated:
    """Numbers of values. `contended` are those that others changed meanwhile, TRIES times."""

    seen: int = 0
    current: int = 0
    rotated: int = 0
    contended: int = 0
    unreadable: int = 0

    @property
    def remaining(self) -> int:
        """Values that are not encrypted with the first key now."""
        return self.contended + self.unreadable


def rotate_secrets(
    *, dry_run: bool = False, progress: Callable[[Rotated], None] = lambda _: None
) -> Rotated:
    """Re-encrypt every secret column with the first key of `FIELD_ENCRYPTION_KEYS`.

    Each value is compared and set, so that a login at the same moment is not overwritten. Safe to
    interrupt, to run again, and to run twice at the same time.
    """
    found = Rotated()
    first = Fernet(settings.FIELD_ENCRYPTION_KEYS[0])
    for column in secret_columns():
        for batch in _batches(column):
            with transaction.atomic():  # ten times as fast as one commit a value
                for pk, stored in batch:
                    found.seen += 1
                    _rotate_one(found, first, column, pk, stored, dry_run=dry_run)
            progress(found)
    return found


def sample_of_keys(own: BaseDatabaseWrapper, *, limit: int) -> Rotated:
    """Checks at most `limit` values of each column, and changes nothing. `current` ones are on the
    first key, `unreadable` ones on no key, the rest of `seen` on an older one."""
    found = Rotated()
    first = Fernet(settings.FIELD_ENCRYPTION_KEYS[0])
    for column in secret_columns():
        with own.cursor() as cursor:
            cursor.execute(*_values(column)[:limit].query.get_compiler(connection=own).as_sql())
            for _, stored in cursor.fetchall():
                found.seen += 1
                if _decrypts(first, stored):
                    found.current += 1
                elif not _decrypts(crypter(), stored):
                    found.unreadable += 1
    return found


def secret_columns() -> Iterator[Column]:
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
    found: Rotated, first: Fernet, column: Column, pk: Key, stored: str | None, *, dry_run: bool
) -> None:
    for _ in range(TRIES):
        if stored is None or _decrypts(first, stored):  # deleted meanwhile, or up to date
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
        stored = dict(_values(column).filter(pk=pk)).get(pk)
    found.contended += 1


def _values(column: Column) -> QuerySet[Any, tuple[Key, str]]:
    """(primary key, ciphertext) of every value; the field itself would decrypt it.

    In the order of the primary keys, so that two rotations cannot deadlock.
    """
    model, field = column
    rows = model._base_manager.annotate(stored=Cast(field.name, TextField()))
    return rows.exclude(stored=None).order_by("pk").values_list("pk", "stored")


def _batches(column: Column) -> Iterator[list[tuple[Key, str]]]:
    rows = left = _values(column)
    while batch := list(left[:BATCH]):
        yield batch
        left = rows.filter(pk__gt=batch[-1][0])


def _swap(column: Column, pk: Key, stored: str, fresh: str) -> bool:
    same = _values(column).filter(pk=pk, stored=stored)
    return bool(same.update(**{column[1].name: Value(fresh)}))
