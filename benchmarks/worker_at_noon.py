"""`manage.py run_worker` at noon of the next school day, for the scenario `watching`: at night and
on weekends nobody looks at the school."""

import os
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import time_machine
from django.core.management import execute_from_command_line

STOCKHOLM = ZoneInfo("Europe/Stockholm")


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wrapper_project.settings")
    day = datetime.now(STOCKHOLM).date() + timedelta(days=1)
    while day.weekday() > 4:
        day += timedelta(days=1)
    with time_machine.travel(datetime.combine(day, time(12), STOCKHOLM), tick=True):
        execute_from_command_line(["manage.py", "run_worker"])


if __name__ == "__main__":
    main()
