"""Re-encrypting every secret column with the first key."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.models import Field, Model

from accounts.vault import SecretTextField, crypter

BATCH = 200
Key = int | str


@dataclass(slots=True)
class Rotated:
    """What a rotation found, in values. `crossed`: changed by somebody else meanwhile, who used
    the first key already or will be met at the next run."""

    seen: int = 0
    current: int = 0
    rotated: int = 0
    crossed: int = 0
    unreadable: int = 0

    @property
    def remaining(self) -> int:
        """Values that are not on the first key now."""
        return self.crossed + self.unreadable


def rotate_secrets(
    *, dry_run: bool = False, progress: Callable[[Rotated], None] = lambda _: None
) -> Rotated:
    """Bring every secret of every table onto the first key of `FIELD_ENCRYPTION_KEYS`.

    The ciphertext is compared and set, so that a login at the same moment is not undone. May be
    stopped and run again at any time.
    """
    found = Rotated()
    first = Fernet(settings.FIELD_ENCRYPTION_KEYS[0])
    for model, field in _secret_fields():
        for pk, stored in _stored(model, field):
            found.seen += 1
            _rotate_one(found, first, model, field, pk, stored, dry_run=dry_run)
            if found.seen % BATCH == 0:
                progress(found)
    return found


def _rotate_one(
    found: Rotated,
    first: Fernet,
    model: type[Model],
    field: "Field[Any, Any]",
    pk: Key,
    stored: str,
    *,
    dry_run: bool,
) -> None:
    try:
        first.decrypt(stored.encode())
    except InvalidToken:
        pass
    else:
        found.current += 1
        return
    try:
        fresh = crypter().rotate(stored.encode()).decode()
    except InvalidToken:
        found.unreadable += 1
        return
    if dry_run or _swap(model, field, pk, stored, fresh):
        found.rotated += 1
    else:
        found.crossed += 1


def _secret_fields() -> "Iterator[tuple[type[Model], Field[Any, Any]]]":
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, SecretTextField):
                yield model, field


def _stored(model: type[Model], field: "Field[Any, Any]") -> Iterator[tuple[Key, str]]:
    """(primary key, ciphertext) of every value, past the field that would decrypt it."""
    table, column, key = _names(model, field)
    after: Key | None = None
    while True:
        where = f"{column} IS NOT NULL" + (f" AND {key} > %s" if after is not None else "")
        # The names come from the models, quoted by the database's own rules.
        query = f"SELECT {key}, {column} FROM {table} WHERE {where} ORDER BY {key} LIMIT {BATCH}"  # noqa: S608
        with connection.cursor() as cursor:
            cursor.execute(query, [after] if after is not None else [])
            rows = cursor.fetchall()
        yield from rows
        if not rows:
            return
        after = rows[-1][0]


def _swap(model: type[Model], field: "Field[Any, Any]", pk: Key, stored: str, fresh: str) -> bool:
    table, column, key = _names(model, field)
    statement = f"UPDATE {table} SET {column} = %s WHERE {key} = %s AND {column} = %s"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(statement, [fresh, pk, stored])
        return bool(cursor.rowcount == 1)


def _names(model: type[Model], field: "Field[Any, Any]") -> tuple[str, str, str]:
    quote = connection.ops.quote_name
    return (
        quote(model._meta.db_table),
        quote(field.column or ""),
        quote(model._meta.pk.column or ""),
    )
