"""`manage.py watch_school`."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from schoolproxy.services.watch.looks import look_at_the_school, looks_are_due

PAUSE_SECONDS = 10


class Command(BaseCommand):
    help = (
        "Look at the school for the people who want to hear of changes, as far as "
        "WATCH_REQUESTS_PER_MINUTE allows. Run it every minute. It ends when nobody is due, and "
        "otherwise waits until requests are allowed again, for at most --seconds. Several at once, "
        "on several machines too, look at each person once and share the budget."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--seconds", type=int, default=45, help="Begin no run after so many seconds (45)."
        )

    def handle(self, *args: Any, seconds: int, **options: Any) -> None:
        ends = time.monotonic() + seconds
        look_at_the_school()
        while looks_are_due() and time.monotonic() + PAUSE_SECONDS < ends:
            time.sleep(PAUSE_SECONDS)
            look_at_the_school()
