"""Let a search find the messages and notes that the version before wrote."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from social.services.searchable import make_searchable


class Command(BaseCommand):
    help = (
        "Let a search find the messages and notes that the version before 2026.2 wrote, and forget "
        "those that it deleted. Run it once, when all servers run the new version. It can be "
        "interrupted and run again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="Count, and change nothing.")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        changed = make_searchable(
            dry_run=dry_run, progress=lambda number: self.stderr.write(f"{number} so far")
        )
        verb = "to set" if dry_run else "set"
        self.stdout.write(f"{changed} search keys {verb}.")
