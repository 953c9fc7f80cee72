"""`manage.py demo_code`: the current second-factor code of the demo's member of staff."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from wrapper_project.demo.staff import code


class Command(BaseCommand):
    help = "Print the code with which the demo's member of staff signs in (only with DEBUG)."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError(
                "The demo's second factor is publicly known, so this runs only with DEBUG=1."
            )
        self.stdout.write(code())
