"""Write this process's counts and delete the contributors' hashes of past dates."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from stats.counters import flush
from stats.models import Bucket, Counter
from stats.totals import clear_past_contributors


class Command(BaseCommand):
    help = (
        "Write this process's counts, delete the contributors' hashes of past dates, and print how "
        "many rows there are. Serving processes write their own counts every two seconds. Run this "
        "every day; two runs at once are harmless. Exit code 1: the counts could not be written."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="Count, but change nothing.")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        is_written = dry_run or flush()
        cleared = clear_past_contributors(dry_run=dry_run)
        totals = Counter.objects.count()
        shown = Bucket.objects.filter(enough=True).count()
        suppressed = Bucket.objects.filter(enough=False).count()
        verb = "would be deleted" if dry_run else "deleted"
        self.stdout.write(
            f"{totals} totals; {shown} buckets shown, {suppressed} "
            f'suppressed into "other"; contributors of {cleared} past dates {verb}.'
        )
        if not is_written:
            self.stderr.write("The counts of this process could not be written.")
            sys.exit(1)
