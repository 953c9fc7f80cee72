"""The checks of `manage.py doctor`, one module for each part of a deployment.

They write nothing and show no secret. Each runs in its own thread, which is abandoned after a time
limit, because a name server or an unreachable host can block longer than our own timeouts.
"""

import dataclasses
import threading
import time
from collections.abc import Callable, Iterator

from wrapper_project.doctor import (
    clocks,
    database,
    jobs,
    keys,
    redis,
    school_system,
    setup,
    staff,
    variables,
)
from wrapper_project.doctor.findings import Finding, fail

TIMEOUT_SECONDS = 12.0
CHECKS = {
    "settings": setup.check_settings,
    "variables": variables.check,
    "addresses": setup.check_addresses,
    "files": setup.check_files,
    "workers": setup.check_workers,
    "database": database.check,
    "redis": redis.check,
    "keys": keys.check,
    "jobs": jobs.check,
    "staff": staff.check,
    "upstream": school_system.check,
    "clock": clocks.check,
}


def run_checks_in_parallel(timeout: float = TIMEOUT_SECONDS) -> Iterator[Finding]:
    """All findings, in the order of the checks. Each check has `timeout` seconds."""
    deadline = time.monotonic() + timeout
    running = {name: _begin(check) for name, check in CHECKS.items()}
    for name, (thread, found) in running.items():
        thread.join(max(0.0, deadline - time.monotonic()))
        if thread.is_alive():
            found.insert(0, fail(f"no result within {timeout:g} seconds."))
        for finding in list(found):
            yield dataclasses.replace(finding, check=name)


def _begin(check: Callable[[], Iterator[Finding]]) -> tuple[threading.Thread, list[Finding]]:
    found: list[Finding] = []

    def run() -> None:
        try:
            for finding in check():
                found.append(finding)  # noqa: PERF402 - findings before a failure count
        except Exception as error:  # noqa: BLE001 - a failed check is a finding
            kind = type(error)
            found.append(fail(f"the check itself failed: {kind.__module__}.{kind.__name__}."))

    thread = threading.Thread(target=run, daemon=True, name="doctor")
    thread.start()
    return thread, found
