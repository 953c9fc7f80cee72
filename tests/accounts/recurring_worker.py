"""`run_worker` with the recurring jobs of a test: `python -m tests.accounts.recurring_worker FILE`.

They are declared as an app declares its own.
"""

import os
import sys
import time
from pathlib import Path

import django

from tests.accounts.job_file import lines, write


def main(path: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wrapper_project.settings")
    django.setup()
    from django.core.management import call_command

    from accounts import registry
    from accounts.contribution_types import Contributions, RecurringJob
    from accounts.data_map import PERSONAL_DATA
    from accounts.models import RecurringRun

    def often() -> None:
        began = RecurringRun.objects.get(pk="often").started_at
        assert began is not None
        write(path, f"often-began-{began.timestamp()}")
        time.sleep(0.2)
        write(path, "often-ended-")

    def rarely() -> None:
        write(path, "rarely")

    def fail() -> None:
        write(path, "fail")
        raise ValueError("canary-in-a-text")

    def kill_the_first() -> None:
        write(path, "kill")
        if lines(Path(path)).count("kill") == 1:
            os.kill(os.getpid(), 9)

    jobs = [
        RecurringJob(name="often", seconds=1, run=often),
        RecurringJob(name="rarely", seconds=3600, run=rarely),
        RecurringJob(name="fail", seconds=1, run=fail),
    ]
    if "kill" in sys.argv:
        jobs = [RecurringJob(name="kill", seconds=1, run=kill_the_first)]
    contributions: dict[str, Contributions] = registry.contributions()  # type: ignore[assignment]
    contributions["tests"] = Contributions(personal_data=PERSONAL_DATA, recurring_jobs=jobs)
    call_command("run_worker", *(["--once"] if "once" in sys.argv else []))


if __name__ == "__main__":
    main(sys.argv[1])
