"""Two workers on both cores, by one worker that is pinned to one.

The other scenarios pin the service to one core, and cannot see how well two share a machine.
"""

import statistics
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

from benchmarks import service
from benchmarks.bench import Bench
from benchmarks.closed_loop import CouldNotRun, Request
from benchmarks.interleaved import in_rounds, run_rounds
from benchmarks.results import Figure
from benchmarks.scenarios.schedule import warm_users
from benchmarks.users import User, each_week_once

AT_ONCE = 16
ROUNDS = 9
REPEATS = 12  # a cached round has 1,440 requests
FETCHED = 600  # requests of a round that is not cached
# The driver, the fake upstream and the stores need one of the two cores for a part of the time.
AIM = 1 / 1.5


def two_workers(bench: Bench) -> Iterator[Figure]:
    """Rounds on one pinned worker and on two that are not pinned; the median of their ratios."""
    if not bench.redis:
        raise CouldNotRun("two workers need Redis")
    with ExitStack() as stack:
        one, two = (
            replace(
                bench,
                service=stack.enter_context(
                    service.run_service(
                        bench.store, bench.service.fake, limits="off", cores=cores, workers=workers
                    )
                ),
            )
            for cores, workers in (
                (bench.service.cores, 1),
                ((None, bench.service.cores[1]), 2),
            )
        )
        users = [warm_users(variant) for variant in (one, two)]
        yield _compare(bench, "cached", (one, two), [_cached(each) for each in users])
        yield _compare(
            bench,
            "not cached",
            (one, two),
            [in_rounds(each_week_once(each), ROUNDS, FETCHED) for each in users],
        )


def _cached(users: list[User]) -> list[list[Request]]:
    """The same requests for each round."""
    return [[user.schedule(1) for _ in range(REPEATS) for user in users]] * ROUNDS


def _compare(
    bench: Bench, kind: str, variants: tuple[Bench, Bench], requests: list[list[list[Request]]]
) -> Figure:
    bench.progress(f"{ROUNDS} rounds of {len(requests[0][0])} weeks, {kind}, both ways")
    rounds = run_rounds(variants, (requests[0], requests[1]), connections=AT_ONCE)
    one, two = (statistics.median(run.rate for run in runs) for runs in (rounds.one, rounds.other))
    note = f"{two:.0f} by {one:.0f} a second; {rounds.spread('seconds')}"
    row = f"two workers, {kind}, {AT_ONCE} at once: time a request by that of one pinned worker"
    return Figure(row, rounds.median("seconds"), "×", AIM, note=note)
