"""List the members of staff."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.services.audit import record
from accounts.services.staff import described, list_staff


class Command(BaseCommand):
    help = "List the members of staff: name, role, schools, last sign-in, second factor."

    def handle(self, *args: Any, **options: Any) -> None:
        members = list_staff()
        record(action="list", target="staff", command="list_staff")
        for member in members:
            last = member.last_login
            when = f"{timezone.localtime(last):%Y-%m-%d %H:%M}" if last else "never"
            factor = "second factor" if member.has_second_factor else "NO second factor"
            role = described(member.role, member.schools)
            self.stdout.write(f"{member.username}  {role}  last sign-in {when}  {factor}")
        self.stdout.write(f"{len(members)} members of staff.")
