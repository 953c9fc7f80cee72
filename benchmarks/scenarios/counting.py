"""What counting costs: the same service with and without it, in turn, sixteen requests at once.

All sixteen count the same two things, a read schedule and a request, so they meet at one lock. The
weeks are cached: of all routes that count, this one has the least to hide the price behind.
"""

import http.client
import json
import statistics
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace

from benchmarks import service
from benchmarks.bench import Bench
from benchmarks.closed_loop import CouldNotRun, Request
from benchmarks.results import Figure
from benchmarks.scenarios.schedule import warm_users

UNCOUNTED = "benchmarks.without_counting:application"
AT_ONCE = 16
USERS = 120
ROUNDS = 12
REPEATS = 12  # a round asks 1,440 times; all of them stay below 600 a user and minute
AIM = 1.05
SETTLED = 8.0  # seconds after which the totals have been written and are read again


def counting(bench: Bench) -> Iterator[Figure]:
    """Rounds with and without in turn, each first as often as the other; the median of the
    rounds' ratios, so that a neighbour who wakes up spoils one round and not the result."""
    assert bench.store is not None
    with ExitStack() as stack:
        twins = [
            replace(bench, service=stack.enter_context(_service(bench, application)))
            for application in (service.APPLICATION, UNCOUNTED)
        ]
        users = [warm_users(twin, USERS) for twin in twins]
        asked = [[one.schedule(1) for _ in range(REPEATS) for one in some] for some in users]
        bench.progress(
            f"{ROUNDS} rounds of {len(asked[0])} cached weeks, {AT_ONCE} at once, both ways"
        )
        before = _settled_views(twins[0])
        cpu, rates = [], []
        for number in range(ROUNDS):
            order = (0, 1) if number % 2 else (1, 0)
            runs = {which: _round(twins[which], asked[which]) for which in order}
            cpu.append(runs[0][0] / runs[1][0])
            rates.append(runs[1][1] / runs[0][1])
        counted = _settled_views(twins[0]) - before
        if not 0 <= counted - ROUNDS * len(asked[0]) <= ROUNDS * AT_ONCE:
            raise CouldNotRun(f"{counted} views were counted")
    row = f"counting, {AT_ONCE} at once: CPU a request, with counting by without"
    yield Figure(row, statistics.median(cpu), "×", AIM, note=_spread(cpu))
    yield Figure("the same: time by time", statistics.median(rates), "×", AIM, note=_spread(rates))


def _service(bench: Bench, application: str) -> AbstractContextManager[service.Service]:
    cores = (bench.service.core, bench.service.driver_core)
    assert bench.store is not None
    return service.run_service(
        bench.store, bench.service.fake, limits="on", cores=cores, application=application
    )


def _round(twin: Bench, requests: list[Request]) -> tuple[float, float]:
    """CPU in ms a request, and requests a second."""
    run = twin.replay(requests, connections=AT_ONCE)
    return run.cpu_ms, run.rate


def _settled_views(twin: Bench) -> int:
    """The schedules read so far, when all have been written."""
    time.sleep(SETTLED)
    connection = http.client.HTTPConnection("127.0.0.1", twin.service.port, timeout=10)
    try:
        connection.request("GET", "/api/stats")
        views: int = json.loads(connection.getresponse().read())["totalScheduleViews"]
        return views
    finally:
        connection.close()


def _spread(ratios: list[float]) -> str:
    return f"{min(ratios):.2f} to {max(ratios):.2f}"
