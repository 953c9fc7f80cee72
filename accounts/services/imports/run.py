"""Importing a file: line by line, in batches of one kind, each batch in one transaction.

A row in `ImportedObject` says what an object has become. It is written in the transaction that
writes the object, so a command that was killed goes on where it was, and of two that run at once
only one writes it: the other batch fails on the unique key, is repeated, and finds it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone, translation
from rest_framework.exceptions import ValidationError

from accounts.errors import InvalidInput
from accounts.import_types import ImportKind, ImportRefused, ImportRow
from accounts.limits import IMPORT_BATCH_BYTES
from accounts.models import Account, ImportedObject
from accounts.registry import import_kinds
from accounts.services.imports.lines import UNKNOWN, read_rows, sentence_of
from accounts.services.imports.references import ERASED, PERSON, References

# How often a batch is tried that another process disturbed.
TRIES = 5


def import_file(stream: BinaryIO, *, source: str) -> Iterator[list[ImportRow]]:
    """Import the objects of a file of which the header, which names the source, was read. Returns
    each batch when it is done: its rows say why they are `refused`, or that they were `found`.

    Raises: UpstreamError, when the list of schools is needed and cannot be read.
    """
    importing = _Import(source)
    for batch in _batches(read_rows(stream)):
        with translation.override("en"):
            importing.take(batch)
        yield batch


def _batches(rows: Iterable[ImportRow]) -> Iterator[list[ImportRow]]:
    """Rows that follow each other and are of one kind, at most as many as the kind takes, and as
    IMPORT_BATCH_BYTES hold."""
    kinds = import_kinds()
    batch: list[ImportRow] = []
    size = 0
    for row in rows:
        most = kinds[row.kind].batch if row.kind in kinds else 1
        full = len(batch) >= most or size + row.size > IMPORT_BATCH_BYTES
        if batch and (batch[0].kind != row.kind or full):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += row.size
    if batch:
        yield batch


class _Import:
    """One run. `References` knows which ids it has seen, and which of them were refused."""

    def __init__(self, source: str) -> None:
        self._kinds = import_kinds()
        self._references = References(source)

    def take(self, batch: Sequence[ImportRow]) -> None:
        """Import a batch. Those of its rows that are not here now say why they are refused."""
        taken = [row for row in batch if self._is_first(row)]
        kind = self._kinds.get(batch[0].kind)
        if kind is None or not taken:
            return
        for attempt in range(TRIES):
            for row in taken:
                row.target = row.refused = None
            try:
                self._save(kind, taken)
            except (IntegrityError, OperationalError):
                if attempt == TRIES - 1:
                    raise
            else:
                return

    def _is_first(self, row: ImportRow) -> bool:
        """Whether it is of a known kind and the first with its id; refuses it otherwise."""
        if row.kind not in self._kinds:
            row.refused = row.refused or ImportRefused(f"There is no type {row.kind[:40]!r}.")
            row.kind = UNKNOWN
        if row.refused is not None:
            return False
        first = self._references.first_line(row)
        if first != row.line:
            row.refused = ImportRefused(f"Line {first} has the same id.")
        return row.refused is None

    def _save(self, kind: ImportKind, rows: Sequence[ImportRow]) -> None:
        for row in rows:
            row.key = self._references.key(kind.name, row.id)
            row.source = self._references.source_hash
        stored = ImportedObject.objects.filter(pk__in=[row.key for row in rows])
        known = set(stored.values_list("pk", flat=True))
        for row in rows:
            row.found = row.key in known
        new = self._valid(kind, [row for row in rows if not row.found])
        resolved = self._references.resolve(kind, new)
        if resolved:
            with transaction.atomic():
                kind.save(_without_erased(resolved))
                ImportedObject.objects.bulk_create(
                    _entry(kind, row) for row in resolved if row.target is not None
                )
        for row in resolved:
            if row.refused is not None:
                self._references.refuse(row, row.refused)

    def _valid(self, kind: ImportKind, rows: Iterable[ImportRow]) -> list[ImportRow]:
        """The rows whose fields are valid; refuses the others."""
        # One for all: making it took a third of the time.
        form = kind.serializer()
        valid = []
        for row in rows:
            try:
                row.fields = form.run_validation(row.written)
            except (ValidationError, InvalidInput) as error:
                self._references.refuse(row, ImportRefused(sentence_of(error)))
            else:
                valid.append(row)
        return valid


def _without_erased(rows: Sequence[ImportRow]) -> list[ImportRow]:
    """Lock the accounts of all rows in the order of their ids, as an erasure looks once for what
    there is; refuse the rows of those that are being erased."""
    people = [
        (row, reference, int(target))
        for row in rows
        for reference, target in row.targets.items()
        if reference[0] == PERSON
    ]
    wanted = {account_id for _, _, account_id in people}
    staying = Account.objects.filter(pk__in=wanted, erasure_started_at=None)
    locked = staying.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True)
    leaving = wanted - set(locked)
    for row, reference, account_id in people:
        if account_id in leaving and row.refused is None:
            row.refused = ImportRefused(ERASED.format(*reference))
    return [row for row in rows if row.refused is None]


def _entry(kind: ImportKind, row: ImportRow) -> ImportedObject:
    is_person = kind.name == PERSON
    return ImportedObject(
        key_hash=row.key,
        kind=kind.name,
        account_id=int(row.target or 0) if is_person else None,
        target=row.source if is_person else row.target or "",
        imported_at=timezone.now(),
    )
