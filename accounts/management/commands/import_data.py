"""Import people and what they wrote from another back end."""

import json
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from accounts.import_types import ImportRefused, ImportRow
from accounts.services.audit import record
from accounts.services.imports.dry_run import changing_nothing
from accounts.services.imports.lines import NotAnImport, read_source
from accounts.services.imports.run import import_file
from upstream.errors import UpstreamError

SHOWN = 100
PROGRESS_SECONDS = 2.0


class Command(BaseCommand):
    help = (
        "Import people, friendships, conversations, messages, notes and countdowns from a file of "
        "JSON lines (docs/import.md). Nothing is imported twice: after an interruption, or with a "
        "longer file, run it again. Refused lines are printed with their reason, and the others "
        "are imported. Exit code 1: a line was refused; 2: the file was not read to its end."
    )

    _refused = 0  # lines so far

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="The file; its first line is the header.")
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="Say what would be done, on a copy of the database: nothing is changed.",
        )
        parser.add_argument(
            "--report",
            type=Path,
            metavar="FILE",
            help="Write all refused lines, as JSON lines, into a new file.",
        )

    def handle(
        self, *args: Any, file: Path, dry_run: bool, report: Path | None, **options: Any
    ) -> None:
        try:
            with ExitStack() as files:
                stream = files.enter_context(file.open("rb"))
                source = read_source(stream)
                written = (
                    files.enter_context(report.open("x", encoding="utf-8")) if report else None
                )
                if not dry_run:
                    record(
                        action="import", target=f"{file.name} from {source}", command="import_data"
                    )
                files.enter_context(changing_nothing() if dry_run else nullcontext())
                batches = import_file(stream, source=source)
                kinds = self._import(batches, written, verbosity=options["verbosity"])
        except (OSError, NotAnImport) as error:
            raise CommandError(str(error), returncode=2) from None
        except (DatabaseError, UpstreamError) as error:
            message = f"Interrupted, run it again: {type(error).__name__}."
            raise CommandError(message, returncode=2) from error
        verb = "would be imported" if dry_run else "imported"
        for kind, counts in kinds.items():
            self.stdout.write(
                f"{kind}: {counts['imported']} {verb}, {counts['found']} there already, "
                f"{counts['refused']} refused, {counts['too old']} too old"
            )
        if self._refused:
            raise CommandError(f"{self._refused} lines were refused.")

    def _import(
        self, batches: Iterable[list[ImportRow]], report: TextIO | None, *, verbosity: int
    ) -> dict[str, Counter[str]]:
        """Import the batches, and count the rows by type and result. Prints the refused ones, and
        how far it is every two seconds; with `--verbosity 2` after each batch."""
        kinds: dict[str, Counter[str]] = {}
        pause = PROGRESS_SECONDS if verbosity < 2 else 0.0
        started = said = time.monotonic()
        lines = 0
        for batch in batches:
            for row in batch:
                kinds.setdefault(row.kind, Counter())[_result(row)] += 1
                if row.refused is not None:
                    self._say_refused(row, row.refused, report)
            lines += len(batch)
            now = time.monotonic()
            if now - said >= pause:
                said = now
                speed = lines / max(now - started, 0.001)
                self.stderr.write(f"{lines} lines, {speed:.0f} a second")
        return kinds

    def _say_refused(self, row: ImportRow, why: ImportRefused, report: TextIO | None) -> None:
        """Write a line into the report, and print it if it is one of the first."""
        if report is not None:
            said = {"line": row.line, "type": row.kind, "id": row.id, "reason": why.reason}
            report.write(json.dumps(said | {"tooOld": why.too_old}, ensure_ascii=False) + "\n")
        if why.too_old:
            return
        self._refused += 1
        if self._refused <= SHOWN:
            self.stderr.write(f"line {row.line}: {row.kind} {row.id!r}: {why.reason}")
        elif self._refused == SHOWN + 1:
            self.stderr.write("More lines are refused; --report FILE has all of them.")


def _result(row: ImportRow) -> str:
    if row.refused is not None:
        return "too old" if row.refused.too_old else "refused"
    return "found" if row.found else "imported"
