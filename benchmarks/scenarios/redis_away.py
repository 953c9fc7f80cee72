"""Redis is killed, or hangs; school data is still served."""

from collections.abc import Callable, Iterator

from benchmarks.bench import Bench
from benchmarks.fault_load import latency, run_load, two_schools
from benchmarks.results import Figure

BEFORE = 8.0
AWAY = 10.0
AFTER = 6.0
SETTLED = 2.0
RATE = 60.0


def redis_away(bench: Bench) -> Iterator[Figure]:
    """A temporary Redis server is killed for ten seconds, then hangs for ten seconds."""
    server = bench.store.temporary_redis
    if server is None:
        return
    yield from _away(bench, "Redis is killed", server.kill, server.start)
    yield from _away(bench, "Redis hangs", server.freeze, server.resume)


def _away(
    bench: Bench, row: str, stop: Callable[[], None], restore: Callable[[], None]
) -> Iterator[Figure]:
    requests, failing = two_schools(bench, BEFORE + AWAY + AFTER, RATE)
    bench.progress(f"{row} for {AWAY:.0f} s, {len(requests)} requests")
    script = [(BEFORE, stop), (BEFORE + AWAY, restore)]
    run = run_load(bench, requests, failing, script, RATE)
    stopped, restored = run.steps
    before = run.outcomes(SETTLED, stopped)
    during = run.outcomes(stopped, restored)
    after = run.outcomes(restored + 2, 1e9)
    wrong = sum(not one.right for one in during)
    share = wrong / len(during) * 100
    note = f"of {len(during)}; once it was back {sum(not one.right for one in after)}"
    yield Figure(f"{row}: weeks not served meanwhile", share, "%", 0.0, note=note)
    note = f"p99 {latency(during, 0.99):.0f} ms; p50 before {latency(before, 0.5):.1f} ms"
    note += f", once it was back {latency(after, 0.5):.1f} ms"
    yield Figure(f"{row}: p50 meanwhile", latency(during, 0.5), "ms", None, note=note)
