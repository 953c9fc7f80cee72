"""Create a member of staff, who can sign in at /admin/."""

import sys
from typing import Any

import segno
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.registry import staff_roles
from accounts.services.staff import enrol_staff


class Command(BaseCommand):
    help = (
        "Create a member of staff: prints the password and the second factor (for any "
        "authenticator app) once. With --reset, an existing one gets both again, and the role."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--role", choices=sorted(staff_roles()), default="moderator")
        parser.add_argument("--reset", action="store_true", help="Allow an existing user name.")
        parser.add_argument("--dry-run", action="store_true", help="Only say what would be done.")

    def handle(self, *args: Any, username: str, role: str, reset: bool, **options: Any) -> None:
        if options["dry_run"]:
            self.stdout.write(f"{username} would be staff, as {role}.")
            return
        enrolled = enrol_staff(username=username, role=role, reset=reset)
        if enrolled is None:
            raise CommandError(f"{username} is staff already. --reset makes a new password.")
        self.stdout.write(f"{username} is staff now, as {role}. Shown once:\n")
        self.stdout.write(f"  password       {enrolled.password}")
        self.stdout.write(f"  second factor  {enrolled.otpauth}\n")
        if sys.stdout.isatty():
            segno.make(enrolled.otpauth).terminal(compact=True)
