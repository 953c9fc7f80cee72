"""Delete what is older than its retention, in every app."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from accounts.registry import contributions


class Command(BaseCommand):
    help = (
        "Delete messages older than RETENTION_MONTHS, groups without members, and old answered "
        "requests and closed cases; take back display names by which people pass for staff. "
        "Run it every night. It is safe to run twice at the same "
        "time, and to interrupt at any time."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="Say what would be deleted.")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        for job in [job for app in contributions().values() for job in app.retention_jobs]:
            for purged in job(dry_run):
                verb = f"would be {purged.done}" if dry_run else purged.done
                self.stdout.write(f"{purged.expired} {purged.noun} {verb}.")
