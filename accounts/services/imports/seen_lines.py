"""The ids of a run and the lines that it has refused, by hash."""

import sqlite3

from accounts.import_types import ImportRefused

# A line that refers to a refused one repeats its reason.
REASON_LENGTH = 500


class SeenLines:
    """In a temporary file, as an import may have millions of lines. Eight bytes of a hash are
    enough to tell them apart."""

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

    def first(self, digest: bytes, line: int) -> int:
        """The first line with this id: `line`, if there was none before."""
        added = self._rows.execute(
            "INSERT OR IGNORE INTO seen VALUES (?, ?)", (_key(digest), line)
        ).rowcount
        if added:
            return line
        found = self._rows.execute("SELECT line FROM seen WHERE key = ?", (_key(digest),))
        return int(found.fetchone()[0])

    def refuse(self, digest: bytes, line: int, why: ImportRefused) -> None:
        row = (_key(digest), line, why.reason[:REASON_LENGTH], why.too_old)
        self._rows.execute("INSERT OR REPLACE INTO refused VALUES (?, ?, ?, ?)", row)

    def forget_refusal(self, digest: bytes) -> None:
        self._rows.execute("DELETE FROM refused WHERE key = ?", (_key(digest),))

    def refusal(self, digest: bytes) -> tuple[int, ImportRefused] | None:
        """The line with this id that was refused, and why; None: there is none."""
        found = self._rows.execute(
            "SELECT line, reason, too_old FROM refused WHERE key = ?", (_key(digest),)
        ).fetchone()
        if found is None:
            return None
        line, reason, too_old = found
        return int(line), ImportRefused(reason, too_old=bool(too_old))


def _key(digest: bytes) -> int:
    return int.from_bytes(digest[:8], signed=True)
