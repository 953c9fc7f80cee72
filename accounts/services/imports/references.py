"""What the objects of an import have become, by their ids in the source."""

import sqlite3
from collections.abc import Collection, Mapping, Sequence

from accounts.encryption import keyed_hash
from accounts.import_types import ImportKind, ImportRefused, ImportRow, Reference
from accounts.models import ImportedObject

PERSON = ImportedObject.PERSON
ERASED = "The {} {!r} was erased."
# A line that refers to a refused one repeats its reason.
REASON_LENGTH = 500


class References:
    """The ids of one source: what is in the database, and what this run has refused."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.source_hash = keyed_hash("source of an import", source)
        self._lines = SeenLines()

    def key(self, kind: str, source_id: str) -> str:
        """The hash under which an object is kept."""
        return keyed_hash("imported object", self._source, kind, source_id)

    def _number(self, kind: str, source_id: str) -> int:
        """Sixty bits of the hash, which are enough to tell the lines of a file apart."""
        return int(self.key(kind, source_id)[:15], 16)

    def first_line(self, row: ImportRow) -> int:
        """The number of the first line of this run with the same id."""
        return self._lines.first(self._number(row.kind, row.id), row.line)

    def refuse(self, row: ImportRow, why: ImportRefused) -> None:
        """Refuse a row, and what refers to it later."""
        row.refused = why
        self._lines.refuse(self._number(row.kind, row.id), row.line, why)

    def forget_refusal(self, row: ImportRow) -> None:
        row.refused = None
        self._lines.forget_refusal(self._number(row.kind, row.id))

    def resolve(self, kind: ImportKind, rows: Sequence[ImportRow]) -> list[ImportRow]:
        """The rows with the `targets` of their references, in one query; refuses the others.
        References to earlier rows of the same batch are left out."""
        keys = {each: self.key(*each) for row in rows for each in kind.references(row.fields)}
        found = ImportedObject.objects.in_bulk(list(set(keys.values())))
        entries = {each: found.get(key) for each, key in keys.items()}
        resolved: dict[Reference, ImportRow] = {}
        for row in rows:
            try:
                row.targets = self._targets(kind, row, entries, resolved.keys())
            except ImportRefused as why:
                self.refuse(row, why)
            else:
                resolved[kind.name, row.id] = row
        return list(resolved.values())

    def _targets(
        self,
        kind: ImportKind,
        row: ImportRow,
        entries: Mapping[Reference, ImportedObject | None],
        left_out: Collection[Reference],
    ) -> dict[Reference, str]:
        """Raises: ImportRefused."""
        optional = set(kind.optional(row.fields))
        found = {
            each: self._target(each, entries[each], each in optional)
            for each in kind.references(row.fields)
            if each not in left_out
        }
        return {each: target for each, target in found.items() if target is not None}

    def _target(
        self, reference: Reference, entry: ImportedObject | None, optional: bool
    ) -> str | None:
        """None: it is optional, and was erased or is too old. Raises: ImportRefused."""
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
        refusal = self._lines.refusal(self._number(kind, source_id))
        if refusal is None:
            return ImportRefused(f"There is no {kind} {source_id!r} before this line.")
        number, why = refusal
        reason = f"The {kind} {source_id!r} of line {number} was refused: {why.reason}"
        return ImportRefused(reason, too_old=why.too_old)


class SeenLines:
    """The ids of a run, and the lines that it has refused, by a number made from their hash. In a
    temporary file, as an import may have millions of lines."""

    def __init__(self) -> None:
        self._rows = sqlite3.connect("", isolation_level=None)
        self._rows.executescript(
            """
            PRAGMA journal_mode = OFF;
            CREATE TABLE seen (key INTEGER PRIMARY KEY, line INTEGER);
            CREATE TABLE refused (
                key INTEGER PRIMARY KEY, line INTEGER, reason TEXT, too_old INTEGER
            );
            BEGIN;
            """
        )

    def first(self, key: int, line: int) -> int:
        """The first line with this id: `line`, if there was none before."""
        if self._rows.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (key, line)).rowcount:
            return line
        found = self._rows.execute("SELECT line FROM seen WHERE key = ?", (key,))
        return int(found.fetchone()[0])

    def refuse(self, key: int, line: int, why: ImportRefused) -> None:
        row = (key, line, why.reason[:REASON_LENGTH], why.too_old)
        self._rows.execute("INSERT OR REPLACE INTO refused VALUES (?, ?, ?, ?)", row)

    def forget_refusal(self, key: int) -> None:
        self._rows.execute("DELETE FROM refused WHERE key = ?", (key,))

    def refusal(self, key: int) -> tuple[int, ImportRefused] | None:
        """The line with this id that was refused, and why; None: there is none."""
        found = self._rows.execute(
            "SELECT line, reason, too_old FROM refused WHERE key = ?", (key,)
        ).fetchone()
        if found is None:
            return None
        line, reason, too_old = found
        return int(line), ImportRefused(reason, too_old=bool(too_old))
