"""What the objects of an import have become, by their ids in the source."""

import sqlite3
from collections.abc import Sequence

from accounts.encryption import keyed_hash
from accounts.import_types import ImportKind, ImportRefused, ImportRow, Reference
from accounts.models import ImportedObject

PERSON = ImportedObject.PERSON
ERASED = "The {} {!r} was erased."
# A line that refers to a refused one repeats its reason, which is cut.
REASON_LENGTH = 500


class References:
    """The ids of one source: what is in the database, and what this run has seen and refused.
    The latter is kept in a temporary file, as an import may have millions of lines."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.source_hash = keyed_hash("source of an import", source)
        self._seen = sqlite3.connect("", isolation_level=None)
        self._seen.executescript(
            """
            PRAGMA journal_mode = OFF;
            CREATE TABLE seen (
                number INTEGER PRIMARY KEY, line INTEGER, refused TEXT, too_old INTEGER
            );
            BEGIN;
            """
        )

    def key(self, kind: str, source_id: str) -> str:
        """The hash under which an object is kept."""
        return keyed_hash("imported object", self._source, kind, source_id)

    def _number(self, kind: str, source_id: str) -> int:
        """Sixty bits of the hash, which are enough to tell the lines of a file apart."""
        return int(self.key(kind, source_id)[:15], 16)

    def first_line(self, row: ImportRow) -> int:
        """Note the row; the number of the first line of this run with the same id."""
        number = self._number(row.kind, row.id)
        insert = "INSERT OR IGNORE INTO seen (number, line) VALUES (?, ?)"
        self._seen.execute(insert, (number, row.line))
        found = self._seen.execute("SELECT line FROM seen WHERE number = ?", (number,))
        return int(found.fetchone()[0])

    def refuse(self, row: ImportRow, why: ImportRefused) -> None:
        """Refuse a row, and remember why, for later rows that refer to it."""
        row.refused = why
        self._seen.execute(
            "UPDATE seen SET refused = ?, too_old = ? WHERE number = ?",
            (why.reason[:REASON_LENGTH], why.too_old, self._number(row.kind, row.id)),
        )

    def resolve(self, kind: ImportKind, rows: Sequence[ImportRow]) -> list[ImportRow]:
        """Set the `targets` of each row, with one query, and return the rows that are not refused.
        References to earlier rows of the same batch are left out."""
        keys = {each: self.key(*each) for row in rows for each in kind.references(row.fields)}
        found = ImportedObject.objects.in_bulk(list(set(keys.values())))
        resolved: dict[Reference, ImportRow] = {}
        for row in rows:
            row.targets = {}
            optional = set(kind.optional(row.fields))
            try:
                for each in kind.references(row.fields):
                    if each in resolved:
                        continue
                    target = self._target(each, found.get(keys[each]), each in optional)
                    if target is not None:
                        row.targets[each] = target
            except ImportRefused as why:
                self.refuse(row, why)
            else:
                resolved[kind.name, row.id] = row
        return list(resolved.values())

    def _target(
        self, reference: Reference, entry: ImportedObject | None, optional: bool
    ) -> str | None:
        """What the reference has become; None if it is optional, and was erased or is too old.
        Raises: ImportRefused."""
        if entry is not None and entry.kind != PERSON:
            return entry.target
        if entry is not None and entry.account_id is not None:
            return str(entry.account_id)
        why = ImportRefused(ERASED.format(*reference)) if entry else self._why_missing(reference)
        if optional and (entry is not None or why.too_old):
            return None
        raise why

    def _why_missing(self, reference: Reference) -> ImportRefused:
        kind, source_id = reference
        refusal = self._seen.execute(
            "SELECT line, refused, too_old FROM seen WHERE number = ? AND refused IS NOT NULL",
            (self._number(kind, source_id),),
        ).fetchone()
        if refusal is None:
            return ImportRefused(f"There is no {kind} {source_id!r} before this line.")
        line, reason, too_old = refusal
        return ImportRefused(
            f"The {kind} {source_id!r} of line {line} was refused: {reason}", too_old=bool(too_old)
        )
