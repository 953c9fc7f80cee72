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
        for job in [each for app in contributions().values() for each in app.retention_jobs]:
            for found in job(dry_run):
                verb = f"would be {found.done}" if dry_run else found.done
                self.stdout.write(f"{found.expired} {found.noun} {verb}.")
