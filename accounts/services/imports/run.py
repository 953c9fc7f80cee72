"""Importing a file: line by line, in batches of one kind, each batch in one transaction.

A row in `ImportedObject` says what an object has become. It is written in the transaction that
writes the object, so a command that was killed goes on where it was, and of two that run at once
only one writes it: the other batch fails on the unique key, is repeated, and finds it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone, translation
from rest_framework.exceptions import ValidationError

from accounts.errors import InvalidInput
from accounts.import_types import ImportKind, ImportRefused, ImportRow, Reference
from accounts.limits import IMPORT_BATCH_BYTES
from accounts.models import Account, ImportedObject
from accounts.registry import import_kinds
from accounts.services.imports.lines import UNKNOWN, Line, read_lines, sentence_of
from accounts.services.imports.references import ERASED, PERSON, References

# How often a batch is tried that another process disturbed.
TRIES = 5


@dataclass(slots=True)
class Counts:
    """How many objects of a kind were imported, were there already, were refused, or are older
    than what the service keeps."""

    imported: int = 0
    found: int = 0
    refused: int = 0
    too_old: int = 0


@dataclass(slots=True)
class Summary:
    lines: int = 0
    kinds: dict[str, Counts] = field(default_factory=dict)

    @property
    def refused(self) -> int:
        return sum(counts.refused for counts in self.kinds.values())

    def of(self, kind: str) -> Counts:
        return self.kinds.setdefault(kind, Counts())


def import_file(
    stream: BinaryIO,
    *,
    source: str,
    refusal: Callable[[Line, ImportRefused], None] = lambda _line, _why: None,
    progress: Callable[[int], None] = lambda _lines: None,
) -> Summary:
    """Import the objects of a file of which the header, which names the source, was read. `refusal`
    gets each line that is not imported, `progress` the number of lines that are done, after each
    batch.

    Raises: UpstreamError, when the list of schools is needed and cannot be read.
    """
    summary = Summary()
    with translation.override("en"):
        importing = _Import(source)
        for batch in _batches(read_lines(stream)):
            for row in importing.take(batch):
                counts = summary.of(batch[0].kind)
                counts.found += row.found
                counts.imported += not row.found
            for line in batch:
                if (why := line.refused) is not None:
                    counts = summary.of(line.kind)
                    counts.too_old += why.too_old
                    counts.refused += not why.too_old
                    refusal(line, why)
            summary.lines += len(batch)
            progress(summary.lines)
    return summary


def _batches(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Lines that follow each other and are of one kind, at most as many as the kind takes, and as
    IMPORT_BATCH_BYTES hold."""
    kinds = import_kinds()
    batch: list[Line] = []
    size = 0
    for line in lines:
        most = kinds[line.kind].batch if line.kind in kinds else 1
        full = len(batch) >= most or size + line.size > IMPORT_BATCH_BYTES
        if batch and (batch[0].kind != line.kind or full):
            yield batch
            batch, size = [], 0
        batch.append(line)
        size += line.size
    if batch:
        yield batch


class _Import:
    """One run. `References` knows which ids it has seen, and which of them were refused."""

    def __init__(self, source: str) -> None:
        self._kinds = import_kinds()
        self._references = References(source)

    def take(self, batch: Sequence[Line]) -> list[ImportRow]:
        """Import a batch: the rows that are here now. The other lines say why they are refused."""
        taken = [line for line in batch if self._is_first(line)]
        kind = self._kinds.get(batch[0].kind)
        if kind is None or not taken:
            return []
        for attempt in range(TRIES):
            for line in taken:
                self._references.forget_refusal(line)
            try:
                return self._save(kind, taken)
            except (IntegrityError, OperationalError):
                if attempt == TRIES - 1:
                    raise
        raise AssertionError

    def _is_first(self, line: Line) -> bool:
        """Whether it is of a known kind and the first with its id; refuses it otherwise."""
        if line.kind not in self._kinds:
            line.refused = line.refused or ImportRefused(f"There is no type {line.kind[:40]!r}.")
            line.kind = UNKNOWN
        if line.refused is not None:
            return False
        first = self._references.first_line(line)
        if first != line.number:
            line.refused = ImportRefused(f"Line {first} has the same id.")
        return line.refused is None

    def _save(self, kind: ImportKind, lines: Sequence[Line]) -> list[ImportRow]:
        keys = {line.number: self._references.key(kind.name, line.id) for line in lines}
        stored = ImportedObject.objects.filter(pk__in=keys.values())
        known = set(stored.values_list("pk", flat=True))
        new = {line.number: line for line in lines if keys[line.number] not in known}
        rows = self._references.resolve(kind, self._valid(kind, new.values()))
        if rows:
            with transaction.atomic():
                kind.save(_without_erased(rows))
                ImportedObject.objects.bulk_create(
                    _entry(kind, row) for row in rows if row.target is not None
                )
        for row in rows:
            if row.refused is not None:
                self._references.refuse(new[row.line], row.refused)
        there = [line for line in lines if line.number not in new]
        return [
            *(ImportRow(line.number, line.id, {}, found=True) for line in there),
            *(row for row in rows if row.refused is None),
        ]

    def _valid(self, kind: ImportKind, lines: Iterable[Line]) -> Iterator[tuple[Line, ImportRow]]:
        """The lines whose fields are valid; refuses the others."""
        # One for all: making it took a third of the time.
        form = kind.serializer()
        for line in lines:
            try:
                fields = form.run_validation(line.fields)
            except (ValidationError, InvalidInput) as error:
                self._references.refuse(line, ImportRefused(sentence_of(error)))
            else:
                yield (
                    line,
                    ImportRow(
                        line.number,
                        line.id,
                        fields,
                        key=self._references.key(kind.name, line.id),
                        source=self._references.source_hash,
                    ),
                )


def _without_erased(rows: Sequence[ImportRow]) -> list[ImportRow]:
    """Lock the accounts of all rows in the order of their ids, as an erasure looks once for what
    there is; refuse the rows of those that are being erased."""
    among = {_account(each) for row in rows for each in row.targets.items()}
    wanted = {each for each in among if each is not None}
    staying = Account.objects.filter(pk__in=wanted, erasure_started_at=None)
    locked = staying.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True)
    leaving = wanted - set(locked)
    for row in rows:
        erased = [each for each in row.targets if _account((each, row.targets[each])) in leaving]
        if erased:
            row.refused = ImportRefused(ERASED.format(*erased[0]))
    return [row for row in rows if row.refused is None]


def _account(target: tuple[Reference, str]) -> int | None:
    """The account id, for a reference to a person."""
    (kind, _), value = target
    return int(value) if kind == PERSON else None


def _entry(kind: ImportKind, row: ImportRow) -> ImportedObject:
    is_person = kind.name == PERSON
    return ImportedObject(
        key_hash=row.key,
        kind=kind.name,
        account_id=int(row.target or 0) if is_person else None,
        target=row.source if is_person else row.target or "",
        imported_at=timezone.now(),
    )
