"""`manage.py make_vapid_key`."""

from typing import Any

from django.core.management.base import BaseCommand

from notifications.push.vapid import new_private_key


class Command(BaseCommand):
    help = (
        "Print a new private key for pushes, for VAPID_PRIVATE_KEY. Browsers subscribe with its "
        "public half: with another key, all of them have to subscribe again."
    )
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(new_private_key())
