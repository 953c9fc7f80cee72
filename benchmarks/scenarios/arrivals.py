"""An open loop: requests at a given rate, one core, upstream 20 ms away."""

from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.closed_loop import CouldNotRun
from benchmarks.open_loop import drive
from benchmarks.results import Figure
from benchmarks.users import each_week_once

RATE = 300.0
LATENCY = 20.0
SECONDS = 15
USERS = 100


def arrivals(bench: Bench) -> Iterator[Figure]:
    """300 requests a second for weeks that were not read before."""
    users = bench.users(USERS)
    count = int(RATE * SECONDS)
    requests = each_week_once(users)[:count]
    with bench.latency(LATENCY):
        drive(bench.service.port, [user.schedule(1) for user in users] * 6, RATE)  # warm-up
        bench.progress(f"open loop: {count} requests, {RATE:.0f} a second")
        cpu = bench.service.cpu()
        calls = bench.service.fake.calls()["lessons"]
        run = drive(bench.service.port, requests, RATE)
        calls = bench.service.fake.calls()["lessons"] - calls
        busy = (bench.service.cpu() - cpu) / SECONDS * 100
    if calls < count - run.errors:
        raise CouldNotRun(f"upstream saw {calls} lessons calls for {count} requests")
    row = f"open loop, {RATE:.0f} requests a second, {LATENCY:.0f} ms upstream, one core: "
    note = f"worst {run.worst:.0f} ms, {run.connections} connections, worker {busy:.0f} % busy"
    yield Figure(row + "p50", run.p50, "ms")
    yield Figure(row + "p99", run.p99, "ms", 60.0, errors=run.errors, note=note)
    if run.errors:
        bench.remark(f"open loop: {run.errors} errors; {run.first_error}")
