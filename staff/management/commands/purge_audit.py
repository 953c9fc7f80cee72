"""Delete old entries of the audit log."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import ProgrammingError

from staff.services.audit import purge_audit


class Command(BaseCommand):
    help = (
        "Delete the entries of the audit log that are older than AUDIT_MONTHS, and add an entry "
        "about that. Needs the database role that owns the tables. Exit code 1: the role may not."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="Say what would be deleted.")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        try:
            count = purge_audit(dry_run=dry_run)
        except ProgrammingError:
            raise CommandError(
                "This database role may not delete entries. Run it with the DATABASE_URL of the "
                "owner of the tables."
            ) from None
        old = f"entries of the audit log older than {settings.AUDIT_MONTHS} months"
        self.stdout.write(f"{count} {old} {'would be deleted' if dry_run else 'deleted'}.")
