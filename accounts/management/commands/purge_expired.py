"""Delete what is over: whatever the apps named in `PURGES` find."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils.module_loading import import_string

from accounts.services.retention import Purged


class Command(BaseCommand):
    help = (
        "End sessions whose token is over, and delete what was kept for its time. "
        "Run it every hour; twice at once does no harm."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="Say what would be deleted.")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        def progress(found: Purged) -> None:
            if options["verbosity"] > 1:
                self.stderr.write(f"{found.seen} {found.noun} looked at")

        for name in settings.PURGES:
            found: Purged = import_string(name)(dry_run=dry_run, progress=progress)
            verb = f"would be {found.done}" if dry_run else found.done
            self.stdout.write(f"{found.seen} {found.noun} looked at, {found.expired} {verb}.")
            if found.unreadable:
                self.stderr.write(f"{found.unreadable} can be read with no key, and were kept.")
