"""Re-encrypting every encrypted column with the first key."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias
from uuid import UUID

from cryptography.fernet import Fernet
from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model, QuerySet

from accounts.encryption import (
    Ciphertext,
    SecretTextField,
    SecretUnreadable,
    crypter,
    decrypted,
)

BATCH = 200
# A value that others change so often meanwhile is left to the next run.
TRIES = 3
Key: TypeAlias = int | str | UUID
Column: TypeAlias = tuple[type[Model], SecretTextField]


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
    """Re-encrypt every encrypted column with the first key of `FIELD_ENCRYPTION_KEYS`.

    Each value is compared and set, so that a login at the same moment is not overwritten. Safe to
    interrupt, to run again, and to run twice at the same time.
    """
    total = Rotated()
    for column in encrypted_columns():
        for batch in _batches(column):
            with transaction.atomic():  # ten times as fast as one commit a value
                for row in batch:
                    total.seen += 1
                    _rotate(total, column, row, dry_run=dry_run)
            progress(total)
    return total


def sample_of_keys(own: BaseDatabaseWrapper, *, limit: int) -> Rotated:
    """Checks at most `limit` values of each column, and changes nothing. `current` ones are on the
    first key, `unreadable` ones on no key, the rest of `seen` on an older one."""
    total = Rotated()
    for model, field in encrypted_columns():
        values = _rows((model, field)).values_list(field.attname)[:limit]
        with own.cursor() as cursor:
            cursor.execute(*values.query.get_compiler(connection=own).as_sql())
            for (stored,) in cursor.fetchall():
                total.seen += 1
                state = state_of(Ciphertext.from_database(stored))
                total.current += state == "current"
                total.unreadable += state == "unreadable"
    return total


def state_of(value: Ciphertext) -> Literal["current", "older", "unreadable"]:
    """Whether a value is encrypted with the first of the keys, another one, or none of them."""
    if decrypted(Fernet(settings.FIELD_ENCRYPTION_KEYS[0]), value) is not None:
        return "current"
    return "unreadable" if decrypted(crypter(), value) is None else "older"


def encrypted_columns() -> Iterator[Column]:
    """Every encrypted column of every model."""
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, SecretTextField) and not model._meta.proxy:
                yield model, field


def _rotate(total: Rotated, column: Column, row: Model | None, *, dry_run: bool) -> None:
    """Re-encrypt the value of a row, and count what became of it."""
    field = column[1]
    for _ in range(TRIES):
        stored = None if row is None else vars(row)[field.attname]
        if row is None or stored is None or state_of(stored) == "current":
            total.current += 1  # deleted meanwhile, or up to date
            return
        try:
            fresh = field.encrypt(row, field.decrypt(row, stored))
        except SecretUnreadable:
            total.unreadable += 1
            return
        if dry_run or _swap(column, row.pk, stored, fresh):
            total.rotated += 1
            return
        row = _rows(column).filter(pk=row.pk).first()
    total.contended += 1


def _rows(column: Column) -> QuerySet[Any]:
    """The rows that have a value, in the order of the primary keys, so that two rotations cannot
    deadlock."""
    model, field = column
    return model._base_manager.exclude(**{field.attname: None}).order_by("pk")


def _batches(column: Column) -> Iterator[list[Model]]:
    rows = remaining = _rows(column)
    while batch := list(remaining[:BATCH]):
        yield batch
        remaining = rows.filter(pk__gt=batch[-1].pk)


def _swap(column: Column, pk: Key, stored: Ciphertext, fresh: Ciphertext) -> bool:
    name = column[1].attname
    same = column[0]._base_manager.filter(**{"pk": pk, name: stored})
    return bool(same.update(**{name: fresh}))
