"""A constant load on two schools while one of them fails."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.bench import Bench
from benchmarks.closed_loop import Request
from benchmarks.fake_upstream.answers import SCHOOLS
from benchmarks.open_loop import OpenLoopResult, Outcome, drive, percentile
from benchmarks.users import User, each_week_once

HEALTHY, FAILING = SCHOOLS
# One in this many requests goes to the failing school.
FAILING_EVERY = 5
RATE = 100.0
LATENCY = 20.0
_SAMPLE = 0.1

Step = tuple[float, Callable[[], None]]


@dataclass(frozen=True)
class LoadResult:
    """The result of a load. Times are in seconds from its start."""

    opened: OpenLoopResult
    failing: frozenset[int]
    steps: list[float]  # when each step of the script was done
    memory: list[tuple[float, float]]

    def outcomes(self, begin: float, end: float, *, failing: bool | None = None) -> list[Outcome]:
        """The outcomes of the requests that were due in this time, in that order; of the failing
        or the healthy school, or (None) of both."""
        chosen = [
            one
            for one in self.opened.outcomes
            if begin <= one.due < end and failing in (None, one.at in self.failing)
        ]
        return sorted(chosen, key=lambda one: one.due)

    def memory_grown(self, begin: float, end: float) -> float:
        """By how many MiB the worker's memory peaked above its earlier peak."""
        before = max(mib for at, mib in self.memory if at < begin)
        return max(mib for at, mib in self.memory if begin <= at < end) - before


def latency(outcomes: list[Outcome], share: float) -> float:
    """A percentile, in ms, of the latencies of all answers, wrong ones too."""
    return percentile(sorted(one.latency for one in outcomes) or [0.0], share)


def two_schools(
    bench: Bench, seconds: float, rate: float = RATE, every: int = FAILING_EVERY
) -> tuple[list[Request], set[int]]:
    """Requests for weeks that were never read, and the indices of those to the failing school.

    One in `every` requests goes to the failing school.
    """
    count = int(rate * seconds)
    failing = set(range(0, count, every))
    healthy_weeks = _weeks(bench, count - len(failing), HEALTHY)
    failing_weeks = _weeks(bench, len(failing), FAILING)
    return [
        failing_weeks.pop() if at in failing else healthy_weeks.pop() for at in range(count)
    ], failing


def _weeks(bench: Bench, count: int, school: str) -> list[Request]:
    users: list[User] = bench.users(max(20, count // 50 + 1), school)
    return each_week_once(users)[:count]


def run_load(
    bench: Bench, requests: list[Request], failing: set[int], script: list[Step], rate: float = RATE
) -> LoadResult:
    """Send the load, and run each step of the script at its time."""
    memory: list[tuple[float, float]] = []
    taken: list[float] = []
    over = threading.Event()
    began = time.perf_counter()

    def act() -> None:
        for at, step in script:
            if over.wait(max(0.0, began + at - time.perf_counter())):
                return
            step()
            taken.append(time.perf_counter())

    def sample() -> None:
        while not over.wait(_SAMPLE):
            memory.append((time.perf_counter(), bench.service.memory()))

    threads = [threading.Thread(target=act), threading.Thread(target=sample)]
    for thread in threads:
        thread.start()
    try:
        with bench.latency(LATENCY):
            opened = drive(bench.service.port, requests, rate)
    finally:
        over.set()
        for thread in threads:
            thread.join()
    return LoadResult(
        opened,
        frozenset(failing),
        [at - opened.started for at in taken],
        [(at - opened.started, mib) for at, mib in memory],
    )
