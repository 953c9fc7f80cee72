"""What it costs that an answer is about a child: a guardian's cached week beside a pupil's."""

import statistics
from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.results import Figure
from benchmarks.users import User

USERS = 120
ROUNDS = 12
REPEATS = 12  # a round has 1,440 requests; together less than 600 per user and minute
AIM = 1.1


def children(bench: Bench) -> Iterator[Figure]:
    """Rounds of the same cached week by pupils and by guardians; the median of their ratios.

    Each goes first equally often. No request needs a call to upstream.
    """
    groups = [_warm(bench, guardians=guardians) for guardians in (False, True)]
    requests = [[user.schedule(1) for _ in range(REPEATS) for user in group] for group in groups]
    bench.progress(
        f"{ROUNDS} rounds of {len(requests[0])} cached weeks, of pupils and of guardians"
    )
    ratios, costs = [], []
    with bench.expecting("lessons", 0):
        for number in range(ROUNDS):
            cpu = {which: bench.replay(requests[which]).cpu_ms for which in _order(number)}
            ratios.append(cpu[1] / cpu[0])
            costs.append(cpu[1])
    spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
    row = "a guardian's cached week: CPU a request, by a pupil's"
    yield Figure(row, statistics.median(ratios), "×", AIM, note=spread)
    yield Figure("the same: CPU a request", statistics.median(costs), "ms")


def _order(number: int) -> tuple[int, int]:
    return (0, 1) if number % 2 else (1, 0)


def _warm(bench: Bench, *, guardians: bool) -> list[User]:
    users = bench.users(USERS, guardians=guardians)
    for _ in range(2):
        bench.replay([user.schedule(1) for user in users], connections=4)
    return users
