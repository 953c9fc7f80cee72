"""Remove a member of staff."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from staff.services.audit import record
from staff.services.members import StaffRefused, find_member, remove_staff


class Command(BaseCommand):
    help = (
        "Remove a member of staff: their sessions end at once, and password, second factor and "
        "role are deleted. The audit log keeps what they did, with their name. Exit code 1: "
        "nobody with this name is staff."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--reason", default="", help="For the audit log.")
        parser.add_argument("--dry-run", action="store_true", help="Only say what would be done.")

    def handle(self, *args: Any, username: str, reason: str, **options: Any) -> None:
        try:
            user = find_member(username)
        except StaffRefused as refused:
            raise CommandError(str(refused)) from None
        if options["dry_run"]:
            self.stdout.write(f"{user.username} would be removed from staff.")
            return
        with transaction.atomic():
            target = f"staff {user.username}"
            record(action="remove_staff", target=target, reason=reason, command="remove_staff")
            ended = remove_staff(user.pk)
        self.stdout.write(f"{user.username} is removed from staff; {ended} sessions ended.")
