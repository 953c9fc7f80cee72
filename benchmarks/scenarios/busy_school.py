"""Many pupils of one school at once, whose weeks were not read before: what the slowest wait."""

from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.results import Figure
from benchmarks.scenarios.schedule import warm_users
from benchmarks.users import each_week_once

AT_ONCE = 64
USERS = 120
LATENCIES = (20.0, 80.0)
# By what each would take if all had the same share of the throughput.
AIM = 2.0


def busy_school(bench: Bench) -> Iterator[Figure]:
    """64 connections, upstream 20 and 80 ms away; an answer that is not 200 ends the run."""
    for latency in LATENCIES:
        requests = each_week_once(warm_users(bench, USERS))[: USERS * 40]
        bench.progress(f"{len(requests)} weeks, {AT_ONCE} at once, upstream {latency:.0f} ms away")
        with bench.latency(latency), bench.expecting("lessons", len(requests), slack=AT_ONCE):
            run = bench.replay(requests, connections=AT_ONCE)
        share = 1000 * AT_ONCE / run.rate
        row = f"weeks not fetched before, {AT_ONCE} at once, upstream {latency:.0f} ms away"
        note = f"{run.rate:.0f} a second, p50 {run.p50:.0f} ms"
        yield Figure(f"{row}: p99", run.p99, "ms", note=note)
        note = f"{AT_ONCE} by the throughput is {share:.0f} ms"
        by_share = f"{row}: p99 by connections / throughput"
        yield Figure(by_share, run.p99 / share, "×", AIM, note=note)
