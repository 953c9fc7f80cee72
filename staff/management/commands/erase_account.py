"""Erase an account and its data."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.registry import personal_data
from accounts.services.accounts import account_by_name
from accounts.services.erasure import erase_account
from staff.services.audit import record


class Command(BaseCommand):
    help = (
        "Erase an account and its data for good. Asks for confirmation, unless --yes. A suspension "
        "is kept and applies when the person signs in again. After an interruption run it again, "
        "or let purge_expired finish it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="The public name, as others see it.")
        parser.add_argument("--dry-run", action="store_true", help="Say what would be removed.")
        parser.add_argument("--yes", action="store_true", help="Do not ask.")

    def handle(self, *args: Any, username: str, dry_run: bool, yes: bool, **options: Any) -> None:
        account = account_by_name(username)
        if account is None:
            raise CommandError("No account has this name.")
        for part in personal_data():
            for table in part.tables:
                self.stdout.write(f"  {table.model}: {table.erasure}")
        who = f"{account.username} of {account.school}"
        if dry_run:
            self.stdout.write(f"{who} would be erased.")
            return
        if not yes and _typed(f"Erase {who} for good? Type the name: ") != account.username:
            raise CommandError("Not erased.")
        record(action="erase", command="erase_account", account_id=account.pk)
        erase_account(account.pk)
        self.stdout.write(f"{who} is erased.")


def _typed(question: str) -> str:
    """What is typed into the terminal. Raises: CommandError without a terminal."""
    if not sys.stdin.isatty():
        raise CommandError("Not erased: there is no terminal to ask in. Add --yes.")
    try:
        return input(question)
    except EOFError:
        raise CommandError("Not erased.") from None
