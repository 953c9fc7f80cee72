"""Suspend an account, or lift its suspension."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.services.accounts import account_by_name
from accounts.services.suspension import suspend_account, unsuspend_account


class Command(BaseCommand):
    help = (
        "Suspend an account from its next request on: its sockets are closed, its profile and "
        "pictures are hidden. Nothing is deleted, and --lift undoes it. Exit code 1: no account "
        "has this name."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="The public name, as others see it.")
        parser.add_argument("--lift", action="store_true", help="Lift the suspension.")
        parser.add_argument("--dry-run", action="store_true", help="Say what would be done.")

    def handle(self, *args: Any, username: str, lift: bool, dry_run: bool, **options: Any) -> None:
        account = account_by_name(username)
        if account is None:
            raise CommandError("No account has this name.")
        if not dry_run:
            (unsuspend_account if lift else suspend_account)(account.pk)
        who = f"{account.username} of {account.school}"
        if account.is_suspended is not lift:  # `account` is as it was before
            self.stdout.write(f"{who} was {'open' if lift else 'suspended'} already.")
            return
        verb = "would be" if dry_run else "is"
        state = "open again" if lift else "suspended"
        self.stdout.write(f"{who} {verb} {state}, with {account.sessions.count()} logins.")
