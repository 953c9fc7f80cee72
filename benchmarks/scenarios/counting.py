"""The cost of counting: the same service with and without it, sixteen requests at once.

All sixteen count the same two facts, a read schedule and a request, so they share a lock. The
weeks are cached: of all routes that count, this one costs the least otherwise.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace

from benchmarks import service
from benchmarks.bench import Bench
from benchmarks.closed_loop import CouldNotRun
from benchmarks.interleaved import run_rounds
from benchmarks.processes import ROOT
from benchmarks.results import Figure
from benchmarks.scenarios.schedule import warm_users

UNCOUNTED = "benchmarks.without_counting:application"
AT_ONCE = 16
ROUNDS = 12
REPEATS = 12  # a round has 1,440 requests; together less than 600 per user and minute
AIM = 1.05
READ_VIEWS = (
    "from stats.models import Counter; "
    "print(sum(Counter.objects.filter(name='schedule_view').values_list('value', flat=True)))"
)
SETTLED = 8.0  # seconds after which the totals have been written


def counting(bench: Bench) -> Iterator[Figure]:
    """Rounds with and without counting; the median of their ratios."""
    with ExitStack() as stack:
        variants = [
            replace(bench, service=stack.enter_context(_service(bench, application)))
            for application in ("", UNCOUNTED)
        ]
        users = [warm_users(variant) for variant in variants]
        requests = [[one.schedule(1) for _ in range(REPEATS) for one in group] for group in users]
        bench.progress(
            f"{ROUNDS} rounds of {len(requests[0])} cached weeks, {AT_ONCE} at once, both ways"
        )
        before = _settled_views(variants[0])
        rounds = run_rounds(
            (variants[1], variants[0]),
            ([requests[1]] * ROUNDS, [requests[0]] * ROUNDS),
            connections=AT_ONCE,
        )
        counted = _settled_views(variants[0]) - before
        if not 0 <= counted - ROUNDS * len(requests[0]) <= ROUNDS * AT_ONCE:
            raise CouldNotRun(f"{counted} views were counted")
    row = f"counting, {AT_ONCE} at once: CPU a request, with counting by without"
    for name, field in ((row, "cpu_ms"), ("the same: time by time", "seconds")):
        yield Figure(name, rounds.median(field), "×", AIM, note=rounds.spread(field))


def _service(bench: Bench, application: str) -> AbstractContextManager[service.Service]:
    cores = bench.service.cores
    return service.run_service(
        bench.store, bench.service.fake, limits="on", cores=cores, application=application
    )


def _settled_views(variant: Bench) -> int:
    """The schedules read so far, when all have been written. From the database, because the route
    of statistics answers what was published up to a quarter of an hour ago."""
    time.sleep(SETTLED)
    command = [sys.executable, "manage.py", "shell", "--verbosity", "0", "--command", READ_VIEWS]
    found = subprocess.run(
        command,
        cwd=ROOT,
        env=variant.service.variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if found.returncode:
        raise CouldNotRun(f"the counters could not be read: {found.stderr[-300:]}")
    return int(found.stdout)
