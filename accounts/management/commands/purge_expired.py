"""Delete what has expired, in every app."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from accounts.registry import contributions


class Command(BaseCommand):
    help = (
        "End sessions whose token has expired, and delete other expired rows. "
        "Run it every hour. It is safe to run twice at the same time."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="Say what would be deleted.")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        for purge in [purge for app in contributions().values() for purge in app.purges]:
            purged = purge(dry_run)
            verb = f"would be {purged.done}" if dry_run else purged.done
            self.stdout.write(f"{purged.seen} {purged.noun} looked at, {purged.expired} {verb}.")
            if purged.unreadable:
                self.stderr.write(f"{purged.unreadable} can be read with no key, and were kept.")
