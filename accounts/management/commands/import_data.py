"""Import people and what they wrote from another back end."""

import json
import time
from collections.abc import Callable
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from accounts.import_types import ImportRefused, ImportRow
from accounts.services.audit import record
from accounts.services.imports.dry_run import changing_nothing
from accounts.services.imports.lines import NotAnImport, read_source
from accounts.services.imports.run import Summary, import_file
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
                written = None
                if report:
                    written = files.enter_context(report.open("x", encoding="utf-8"))
                if not dry_run:
                    record(
                        action="import", target=f"{file.name} from {source}", command="import_data"
                    )
                files.enter_context(changing_nothing() if dry_run else nullcontext())
                summary = import_file(
                    stream,
                    source=source,
                    refusal=self._refusal(written),
                    progress=self._progress(options["verbosity"]),
                )
        except (OSError, NotAnImport) as error:
            raise CommandError(str(error), returncode=2) from None
        except (DatabaseError, UpstreamError) as error:
            message = f"Interrupted, run it again: {type(error).__name__}."
            raise CommandError(message, returncode=2) from error
        self._show(summary, dry_run=dry_run)
        if summary.refused:
            raise CommandError(f"{summary.refused} lines were refused.")

    def _refusal(self, report: TextIO | None) -> Callable[[ImportRow, ImportRefused], None]:
        """Prints the first refused lines, and writes all of them into the report."""
        shown = 0

        def refusal(row: ImportRow, why: ImportRefused) -> None:
            nonlocal shown
            if report is not None:
                said = {"line": row.line, "type": row.kind, "id": row.id, "reason": why.reason}
                report.write(json.dumps(said | {"tooOld": why.too_old}, ensure_ascii=False) + "\n")
            if why.too_old:
                return
            shown += 1
            if shown <= SHOWN:
                self.stderr.write(f"line {row.line}: {row.kind} {row.id!r}: {why.reason}")
            elif shown == SHOWN + 1:
                self.stderr.write("More lines are refused; --report FILE has all of them.")

        return refusal

    def _progress(self, verbosity: int) -> Callable[[int], None]:
        """Prints how far it is every two seconds; with `--verbosity 2` after each batch."""
        seconds = PROGRESS_SECONDS if verbosity < 2 else 0.0
        started = said = time.monotonic()

        def progress(lines: int) -> None:
            nonlocal said
            now = time.monotonic()
            if now - said >= seconds:
                said = now
                self.stderr.write(
                    f"{lines} lines, {lines / max(now - started, 0.001):.0f} a second"
                )

        return progress

    def _show(self, summary: Summary, *, dry_run: bool) -> None:
        verb = "would be imported" if dry_run else "imported"
        for kind, counts in summary.kinds.items():
            self.stdout.write(
                f"{kind}: {counts.imported} {verb}, {counts.found} there already, "
                f"{counts.refused} refused, {counts.too_old} too old"
            )
