"""Redis is killed, or hangs: school data is served all the same."""

from collections.abc import Callable, Iterator

from benchmarks.bench import Bench
from benchmarks.results import Figure
from benchmarks.watch import latency, two_schools, watch

BEFORE = 8.0
AWAY = 10.0
AFTER = 6.0
SETTLED = 2.0
RATE = 60.0


def redis_away(bench: Bench) -> Iterator[Figure]:
    """A Redis server of our own is killed for ten seconds; then one hangs for as long."""
    if bench.own_redis is None:
        return
    yield from _away(bench, "Redis is killed", bench.own_redis.kill, bench.own_redis.start)
    yield from _away(bench, "Redis hangs", bench.own_redis.freeze, bench.own_redis.resume)


def _away(
    bench: Bench, row: str, leave: Callable[[], None], come_back: Callable[[], None]
) -> Iterator[Figure]:
    requests, ill = two_schools(bench, BEFORE + AWAY + AFTER, RATE)
    bench.say(f"{row} for {AWAY:.0f} s, {len(requests)} requests")
    script = [(BEFORE, leave), (BEFORE + AWAY, come_back)]
    run = watch(bench, requests, ill, script, RATE)
    left, back = run.steps
    before = [one for ill in (True, False) for one in run.outcomes(SETTLED, left, ill=ill)]
    during = [one for ill in (True, False) for one in run.outcomes(left, back, ill=ill)]
    after = [one for ill in (True, False) for one in run.outcomes(back + 2, 1e9, ill=ill)]
    wrong = sum(not one.right for one in during)
    share = wrong / len(during) * 100
    told = f"of {len(during)}; once it was back {sum(not one.right for one in after)}"
    yield Figure(f"{row}: weeks not served meanwhile", share, "%", 0.0, note=told)
    told = f"p99 {latency(during, 0.99):.0f} ms; p50 before {latency(before, 0.5):.1f} ms"
    told += f", once it was back {latency(after, 0.5):.1f} ms"
    yield Figure(f"{row}: p50 meanwhile", latency(during, 0.5), "ms", None, note=told)
