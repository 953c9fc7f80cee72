"""Erase again, after a back-up was restored, who was erased since it was made."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import Account
from accounts.services.repeated_erasures import apply_erasures
from staff.services.audit import record


class Command(BaseCommand):
    help = (
        "After a back-up was restored and migrated: erase again who was erased after it was made, "
        "by the list beside the back-ups. Accounts that were made after the erasure stay. It can "
        "be interrupted and repeated, and asks nothing. Exit code 1: some lines were written with "
        "another SECRET_KEY, or cannot be read; run it once more with that SECRET_KEY."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="The list, such as erasures.txt.")
        parser.add_argument("--dry-run", action="store_true", help="Say who would be erased.")

    def handle(self, *args: Any, file: Path, dry_run: bool, **options: Any) -> None:
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{file} cannot be read: {type(error).__name__}.") from None

        def before_each(account: Account) -> None:
            self.stdout.write(f"{account.username} of {account.school}")
            if not dry_run:
                record(action="erase", command="apply_erasures", account_id=account.pk)

        result = apply_erasures(lines, before_each=before_each, dry_run=dry_run)
        verb = "would be erased" if dry_run else "erased"
        self.stdout.write(
            f"{result.lines} erasures: {result.erased} accounts {verb}, {result.earlier} were done "
            f"before the back-up, {result.absent} people have no account of before, "
            f"{result.other_key} lines are of another SECRET_KEY, {result.malformed} unreadable."
        )
        if result.remaining:
            sys.exit(1)
