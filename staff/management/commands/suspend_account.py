"""Suspend an account, or lift its suspension."""

from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from accounts.models import Account
from accounts.services.accounts import account_by_name
from accounts.services.suspension import suspend_account, unsuspend_account
from staff.services.audit import record

REASON_LENGTH = Account._meta.get_field("suspension_reason").max_length or 0


class Command(BaseCommand):
    help = (
        "Suspend an account from its next request on: its sockets are closed, its profile and "
        "pictures are hidden. Nothing is deleted, and --lift undoes it. A suspension is replaced "
        "by a new one. It also holds when the account is erased and the person signs in again. "
        "Exit code 1: no account has this name."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="The public name, as others see it.")
        parser.add_argument(
            "--until",
            metavar="DATE",
            help="When it ends: 2026-12-24 (the first moment of that day) or 2026-12-24T15:00, in "
            "Swedish time. Default: it has no end.",
        )
        parser.add_argument("--reason", default="", help="Why; the person reads it.")
        parser.add_argument("--lift", action="store_true", help="Lift the suspension.")
        parser.add_argument("--dry-run", action="store_true", help="Say what would be done.")

    def handle(self, *args: Any, username: str, lift: bool, dry_run: bool, **options: Any) -> None:
        until, reason = _moment(options["until"]), options["reason"].strip()
        if lift and (until or reason):
            raise CommandError("--lift takes neither --until nor --reason.")
        if len(reason) > REASON_LENGTH:
            raise CommandError(f"--reason has more than {REASON_LENGTH} characters.")
        account = account_by_name(username)
        if account is None:
            raise CommandError("No account has this name.")
        if not dry_run:
            record(
                action="lift" if lift else "suspend",
                reason=reason,
                command="suspend_account",
                account_id=account.pk,
            )
            if lift:
                unsuspend_account(account.pk)
            else:
                suspend_account(account.pk, until=until, reason=reason)
        self.stdout.write(_summary(account, lift, until, reason, dry_run=dry_run))


def _moment(text: str | None) -> datetime | None:
    """A moment that is still to come. Raises: CommandError."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
        moment = moment if timezone.is_aware(moment) else timezone.make_aware(moment)
    except (ValueError, OverflowError):
        raise CommandError("--until is not a date such as 2026-12-24.") from None
    if moment <= timezone.now():
        raise CommandError("--until has passed already.")
    return moment


def _summary(
    before: Account, lift: bool, until: datetime | None, reason: str, *, dry_run: bool
) -> str:
    """What was done to the account, which is as it was before."""
    who = f"{before.username} of {before.school}"
    unchanged = (before.suspended_until, before.suspension_reason) == (until, reason)
    if lift and not before.has_suspension:
        return f"{who} was open already."
    if not lift and before.has_suspension and unchanged:
        return f"{who} was suspended already."
    verb = "would be" if dry_run else "is"
    state = "open again" if lift else "suspended"
    if until is not None:
        state += f" until {timezone.localtime(until):%Y-%m-%d %H:%M}"
    logins = before.sessions.count()
    return f"{who} {verb} {state}, with {logins} login{'' if logins == 1 else 's'}."
