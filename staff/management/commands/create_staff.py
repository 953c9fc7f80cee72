"""Create a member of staff, who can sign in at /admin/."""

import sys
from typing import Any

import segno
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts.registry import staff_roles
from staff.services.audit import record
from staff.services.members import Enrolment, StaffRefused, enrol_staff


class Command(BaseCommand):
    help = (
        "Create a member of staff: prints the password and the second factor (for any "
        "authenticator app) once. With --reset, an existing one gets both again and keeps the "
        "role. Exit code 1: refused, for the reason that is printed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument(
            "--role", choices=sorted(staff_roles()), help="The default for a new one: moderator."
        )
        parser.add_argument(
            "--school",
            action="append",
            default=[],
            metavar="SLUG",
            help="A school whose people a moderator sees; can be repeated. Default: all schools.",
        )
        parser.add_argument(
            "--reset", action="store_true", help="A new password and second factor."
        )
        parser.add_argument(
            "--change-role", action="store_true", help="Replace the role and the schools."
        )
        parser.add_argument("--dry-run", action="store_true", help="Only say what would be done.")

    def handle(self, *args: Any, username: str, **options: Any) -> None:
        arguments = {name: options[name] for name in ("role", "reset", "change_role", "dry_run")}
        try:
            with transaction.atomic():
                enrolled = enrol_staff(username=username, schools=options["school"], **arguments)
                if options["dry_run"]:
                    who = f"{enrolled.username} would be {enrolled.role_and_schools}"
                    new = ", with a new password and second factor" if enrolled.new_secrets else ""
                    self.stdout.write(f"{who}{new}.")
                    return
                act = "change role of" if options["change_role"] else "create"
                act = "reset" if options["reset"] else act
                target = f"staff {enrolled.username}: {act}, {enrolled.role_and_schools}"
                record(action="create_staff", target=target, command="create_staff")
        except StaffRefused as refused:
            raise CommandError(str(refused)) from None
        self._show(enrolled)

    def _show(self, enrolled: Enrolment) -> None:
        self.stdout.write(f"{enrolled.username} is {enrolled.role_and_schools} now.")
        if not enrolled.password:
            return
        self.stdout.write("Shown once:\n")
        self.stdout.write(f"  password       {enrolled.password}")
        self.stdout.write(f"  second factor  {enrolled.otpauth}\n")
        if sys.stdout.isatty():
            segno.make(enrolled.otpauth).terminal(compact=True)
