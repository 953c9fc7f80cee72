"""Tell staff by mail that reports are waiting."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from social.services.cases.reminders import remind_staff


class Command(BaseCommand):
    help = (
        "Mail REPORTS_TO about new reports, and every day about reports that nobody has opened. "
        "The mail holds no content. Run it every five minutes; two runs at once send one mail. "
        "Without REPORTS_TO nobody is told, which is no failure. Exit code 1: EMAIL_URL is not "
        "set, or the mail could not be sent; the next run tries again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="Count, but send nothing.")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        if not settings.REPORTS_TO and not dry_run:
            self.stdout.write("REPORTS_TO is not set, so nobody is told.")
            return
        if not settings.EMAIL_URL and not dry_run:
            raise CommandError("EMAIL_URL is not set, so nobody can be told.")
        try:
            reminder = remind_staff(dry_run=dry_run)
        except OSError as error:
            raise CommandError(f"The mail could not be sent: {type(error).__name__}.") from None
        if not reminder.is_due:
            self.stdout.write("Nothing waits.")
            return
        verb = "would be mailed" if dry_run else "mailed"
        self.stdout.write(
            f"{reminder.new} new and {reminder.waiting} waiting reports {verb} to "
            f"{len(settings.REPORTS_TO)} addresses."
        )
