"""Write the statistics of this process, and forget what is over."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from stats.upkeep import tidy


class Command(BaseCommand):
    help = (
        "Write what this process has counted, forget who contributed to past dates, and say what "
        "is kept. Serving processes write their own counts by themselves, every two seconds. Run "
        "it every day; twice at once does no harm. Exit code 1: the counts could not be written."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="Count, and change nothing.")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        kept = tidy(dry_run=dry_run)
        verb = "would be forgotten" if dry_run else "forgotten"
        self.stdout.write(
            f"{kept.totals} totals; {kept.shown} bars shown, {kept.folded} folded into others; "
            f"contributors of {kept.forgotten} past dates {verb}."
        )
        if not kept.written:
            self.stderr.write("The counts of this process could not be written.")
            sys.exit(1)
