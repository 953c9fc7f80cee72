"""What is wrong with a deployment: each module asks one part of it, `manage.py doctor` tells.

Nothing here writes, repeats a secret, or waits for long: each check runs in a thread of its own
that is left behind when its time is over, because a name server or a dead host can hold a call
for longer than any time-out of ours.
"""

import threading
import time
from collections.abc import Callable, Iterator

from wrapper_project.doctor import clocks, database, keys, redis, school_system, setup
from wrapper_project.doctor.findings import Finding, fail

Check = Callable[[], Iterator[Finding]]

TIMEOUT_SECONDS = 12.0
CHECKS: dict[str, Check] = {
    "settings": setup.check_settings,
    "addresses": setup.check_addresses,
    "files": setup.check_files,
    "workers": setup.check_workers,
    "database": database.check,
    "redis": redis.check,
    "keys": keys.check,
    "upstream": school_system.check,
    "clock": clocks.check,
}


def run_checks_in_parallel(timeout: float = TIMEOUT_SECONDS) -> Iterator[Finding]:
    """Every finding, in the order of the checks; they run at the same time, for so many seconds."""
    deadline = time.monotonic() + timeout
    running = [(name, *_begin(name, check)) for name, check in CHECKS.items()]
    for name, thread, found in running:
        thread.join(max(0.0, deadline - time.monotonic()))
        if thread.is_alive():
            yield fail(name, f"no answer within {timeout:g} seconds.")
        yield from list(found)


def _begin(name: str, check: Check) -> tuple[threading.Thread, list[Finding]]:
    found: list[Finding] = []

    def run() -> None:
        try:
            for finding in check():
                found.append(finding)  # noqa: PERF402 - what was found before it failed counts
        except Exception as error:  # noqa: BLE001 - the doctor outlives what is ill
            kind = type(error)
            found.append(fail(name, f"the check itself failed: {kind.__module__}.{kind.__name__}."))

    thread = threading.Thread(target=run, daemon=True, name="doctor")
    thread.start()
    return thread, found
