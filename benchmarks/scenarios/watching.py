"""What the watch of the school costs a worker while the whole budget of requests is used."""

import sys
import time
from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.closed_loop import CouldNotRun
from benchmarks.conversations import ask
from benchmarks.processes import cpu_seconds, resident_mib, start, stop
from benchmarks.results import Figure

# Looking at them every hour would take more than 20 requests a minute.
PUPILS, WARM_UP, SECONDS = 250, 90, 240
BUDGET = 20


def watching(bench: Bench) -> Iterator[Figure]:
    """More pupils than the default budget serves: the CPU of `run_worker`."""
    service = bench.service
    for user in bench.users(PUPILS):
        ask(service.port, user, "PATCH", "/api/notifications/settings", {"watch": True})
    worker = start(
        [sys.executable, "-m", "benchmarks.worker_at_noon"], environment=service.variables
    )
    try:
        bench.progress(f"looking at the school for {WARM_UP + SECONDS} seconds")
        time.sleep(WARM_UP)
        calls, cpu = _calls(bench), cpu_seconds(worker.pid)
        time.sleep(SECONDS)
        asked, spent = _calls(bench) - calls, cpu_seconds(worker.pid) - cpu
        memory = resident_mib(worker.pid)
    finally:
        stop(worker)
    a_minute = asked / SECONDS * 60
    if not BUDGET / 2 <= a_minute <= BUDGET:
        raise CouldNotRun(f"{a_minute:.1f} requests a minute, expected up to {BUDGET}")
    yield Figure("watching: requests to upstream a minute", a_minute, "", BUDGET)
    yield Figure("watching: CPU of the worker", spent / SECONDS * 100, "% of a core", 5)
    yield Figure("watching: memory of the worker", memory, "MiB")


def _calls(bench: Bench) -> int:
    return sum(bench.service.fake.calls().values())
