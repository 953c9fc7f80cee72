"""Delete what has been kept for its time: whatever the apps named in `RETENTIONS` find."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils.module_loading import import_string

from accounts.services.retention import Purged


class Command(BaseCommand):
    help = (
        "Delete messages older than RETENTION_MONTHS, groups that nobody is in any more, answered "
        "requests and handled reports after their time. Run it every night; twice at once does no "
        "harm, and it may be stopped at any time."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="Say what would be deleted.")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        def progress(found: Purged) -> None:
            if options["verbosity"] > 1:
                self.stderr.write(f"{found.seen} {found.noun} so far")

        for name in settings.RETENTIONS:
            results: list[Purged] = import_string(name)(dry_run=dry_run, progress=progress)
            for found in results:
                verb = f"would be {found.done}" if dry_run else found.done
                self.stdout.write(f"{found.expired} {found.noun} {verb}.")
