"""`manage.py push_held`."""

from typing import Any

from django.core.management.base import BaseCommand

from notifications.services.pushes import push_held


class Command(BaseCommand):
    help = (
        "Push to each person whose quiet hours are over how many notifications wait. Run it every "
        "five minutes; two runs at once push once."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        push_held()
