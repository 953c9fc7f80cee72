"""One of two schools fails: the effect on the other one, and the calls that upstream gets."""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from benchmarks.bench import Bench
from benchmarks.closed_loop import CouldNotRun
from benchmarks.fault_load import FAILING, LoadResult, Step, latency, run_load, two_schools
from benchmarks.results import Figure

# Seconds: healthy before and after, and of each fault except the outage.
BEFORE = 10.0
AFTER = 16.0
DRIPPING = 12.0
PACKED = 12.0
ALONE = 6.0
FLAKY = 14.0
FLAKY_RATE = 50.0  # all of it to one school
SETTLED = 2.0  # seconds at the start that are not counted: connections are opened
QUIET = 1.5  # after this many seconds without a call the breaker is open
SAME_SPEED = 1.2


def outage(bench: Bench) -> Iterator[Figure]:
    """One school answers 500 to everything for half a minute, then recovers."""
    run, arrivals = _with_fault(bench, "error", bench.outage)
    failed, healed = run.steps[0], run.steps[1]
    row = f"500 for {bench.outage:.0f} s"
    yield _other_school(run, row)
    times = [at for at, _ in arrivals if at < healed - failed]
    yield Figure(f"{row}: until the breaker opens", first_silence(times), "s", 3.0)
    during = run.outcomes(failed, healed, failing=True)
    note = f"{len(times)} calls, {len(during)} requests"
    yield Figure(f"{row}: calls / requests", len(times) / len(during), "×", 1.1, note=note)
    note = f"p50 {latency(during, 0.5):.1f} ms, slowest {latency(during, 1):.0f} ms"
    yield Figure(
        f"{row}: p99 of that school meanwhile", latency(during, 0.99), "ms", None, note=note
    )
    late = [
        one.ended for one in run.outcomes(healed, healed + AFTER, failing=True) if not one.right
    ]
    recovered = max(late, default=healed) - healed
    yield Figure(f"{row}: recovered after health", recovered, "s", 15.0)


def flaky(bench: Bench) -> Iterator[Figure]:
    """One school answers 503 to every third call, so that retries help."""
    requests, failing = two_schools(bench, FLAKY, FLAKY_RATE, every=1)
    bench.progress(f"503 to every third call, {len(requests)} requests")
    bench.service.fake.set_fault(FAILING, "flaky")
    run = run_load(bench, requests, failing, [], FLAKY_RATE)
    calls = sum(kind == "lessons" for _, kind in bench.service.fake.arrivals(FAILING))
    bench.service.fake.set_fault(FAILING, "none")
    good = sum(one.right for one in run.opened.outcomes) / len(requests) * 100
    note = f"{calls} calls, {len(requests)} requests, {good:.0f} % of them answered 200"
    row = "503 to every third call: calls / requests"
    yield Figure(row, calls / len(requests), "×", 1.1, note=note)


def drip(bench: Bench) -> Iterator[Figure]:
    """One school sends a byte a second."""
    run, _ = _with_fault(bench, "drip", DRIPPING)
    yield from _bounded(run, "a byte a second")


def gzip(bench: Bench) -> Iterator[Figure]:
    """One school sends a megabyte that inflates to a gigabyte, or a gigabyte of gzip."""
    bench.service.fake.set_fault(FAILING, "gzip")  # builds the bomb
    yield from _one_by_one(bench)
    run, _ = _with_fault(bench, "gzip", PACKED)
    yield from _bounded(run, "a gigabyte of gzip")


def _one_by_one(bench: Bench) -> Iterator[Figure]:
    """The memory that such requests take one after another."""
    bench.service.fake.set_fault(FAILING, "none")
    requests, failing = two_schools(bench, ALONE, rate=2.0, every=1)
    bench.replay([user.schedule(1) for user in bench.users(20, FAILING)])  # warm-up
    bench.service.fake.set_fault(FAILING, "gzip")
    run = run_load(bench, requests, failing, [], rate=2.0)
    bench.service.fake.set_fault(FAILING, "none")
    grown = max(mib for _, mib in run.memory) - run.memory[0][1]
    row = "a gigabyte of gzip, one at a time: memory grows by"
    yield Figure(row, grown, "MiB", 20.0, note=f"{len(requests)} requests")


def _with_fault(
    bench: Bench, kind: str, seconds: float
) -> tuple[LoadResult, list[tuple[float, str]]]:
    """Run the load with the fault after `BEFORE`; the result, and the calls since the fault."""
    fake = bench.service.fake
    fake.set_fault(FAILING, "none")
    requests, failing = two_schools(bench, BEFORE + seconds + AFTER)
    arrivals: list[tuple[float, str]] = []

    def heal() -> None:
        arrivals.extend(fake.arrivals(FAILING))
        fake.set_fault(FAILING, "none")

    bench.progress(f"{kind} for {seconds:.0f} s, {len(requests)} requests")
    script: list[Step] = [
        (BEFORE, partial(fake.set_fault, FAILING, kind)),
        (BEFORE + seconds, heal),
    ]
    run = run_load(bench, requests, failing, script)
    if len(run.steps) < len(script):
        raise CouldNotRun("the load ended before the fault")
    return run, arrivals


def _other_school(run: LoadResult, row: str) -> Figure:
    """How much slower the healthy school was during the fault than before and after."""
    failed, healed = run.steps[0], run.steps[1]
    during = run.outcomes(failed, healed, failing=False)
    without = run.outcomes(SETTLED, failed, failing=False)
    without += run.outcomes(healed + SETTLED, healed + AFTER, failing=False)
    p99, usual = latency(during, 0.99), latency(without, 0.99)
    wrong = sum(not one.right for one in during)
    note = f"{p99:.1f} / {usual:.1f} ms"
    row += ": p99 of the other school with / without"
    return Figure(row, p99 / usual, "×", SAME_SPEED, errors=wrong, note=note)


def _bounded(run: LoadResult, row: str) -> Iterator[Figure]:
    failed, healed = run.steps[0], run.steps[1]
    during = run.outcomes(failed, healed, failing=True)
    statuses = sorted({one.status for one in during if not one.right})
    note = f"p50 {latency(during, 0.5):.0f} ms, statuses {', '.join(map(str, statuses))}"
    yield Figure(
        f"{row}: slowest request of that school", latency(during, 1) / 1000, "s", 8.5, note=note
    )
    yield Figure(f"{row}: memory grows by", run.memory_grown(failed, healed + AFTER), "MiB", 20.0)
    yield _other_school(run, row)


def first_silence(times: list[float]) -> float:
    """The time at which the first long pause began."""
    for earlier, later in pairwise([*times, float("inf")]):
        if later - earlier > QUIET:
            return earlier
    return float("inf")
