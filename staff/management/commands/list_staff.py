"""List the members of staff."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from staff.services.audit import record
from staff.services.members import described, list_staff, role_of, schools_of


class Command(BaseCommand):
    help = "List the members of staff: name, role, schools, last sign-in, second factor."

    def handle(self, *args: Any, **options: Any) -> None:
        record(action="list", target="staff", command="list_staff")
        staff = list_staff()
        for user in staff:
            last = user.last_login
            when = f"{timezone.localtime(last):%Y-%m-%d %H:%M}" if last else "never"
            factor = "second factor" if user.has_second_factor else "NO second factor"
            role = described(role_of(user), schools_of(user))
            role = "superuser" if user.is_superuser else role
            self.stdout.write(f"{user.username}  {role}  last sign-in {when}  {factor}")
        self.stdout.write(f"{len(staff)} members of staff.")
