"""Export everything about an account, for the person to whom it belongs."""

import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.services.accounts import account_by_name
from accounts.services.export import export_account
from staff.services.audit import record


class Command(BaseCommand):
    help = "Write everything that the service keeps about an account into a ZIP of JSON files."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="The public name, as others see it.")
        parser.add_argument(
            "--output",
            type=Path,
            help="The file, or - for standard output; default: USERNAME.zip in DATA_DIR.",
        )
        parser.add_argument("--dry-run", action="store_true", help="Only say what it would do.")

    def handle(self, *args: Any, username: str, output: Path | None, **options: Any) -> None:
        account = account_by_name(username)
        if account is None:
            raise CommandError("No account has this name.")
        path = output or Path(settings.DATA_DIR) / f"{account.username}.zip"
        if options["dry_run"]:
            self.stdout.write(f"{account.username} of {account.school} would be written to {path}.")
            return
        if str(path) == "-":
            record(action="export", command="export_account", account_id=account.pk)
            sys.stdout.buffer.writelines(export_account(account.pk))
            return
        try:
            # Personal data: readable by the operator only, and no existing file is overwritten.
            path.touch(mode=0o600, exist_ok=False)
        except FileExistsError:
            raise CommandError(f"{path} is there already.") from None
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
        record(action="export", command="export_account", account_id=account.pk)
        with path.open("wb") as target:
            target.writelines(export_account(account.pk))
        self.stdout.write(f"{path} written, {path.stat().st_size} bytes.")
