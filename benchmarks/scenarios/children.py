"""What it costs that an answer is about a child: a guardian's cached week beside a pupil's."""

import statistics
from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.interleaved import run_rounds
from benchmarks.results import Figure
from benchmarks.scenarios.schedule import warm_users

ROUNDS = 12
REPEATS = 12  # a round has 1,440 requests; together less than 600 per user and minute
AIM = 1.1


def children(bench: Bench) -> Iterator[Figure]:
    """Rounds of the same cached week by pupils and by guardians; the median of their ratios.

    Each goes first equally often. No request needs a call to upstream.
    """
    groups = [warm_users(bench, guardians=guardians) for guardians in (False, True)]
    requests = [[user.schedule(1) for _ in range(REPEATS) for user in group] for group in groups]
    bench.progress(
        f"{ROUNDS} rounds of {len(requests[0])} cached weeks, of pupils and of guardians"
    )
    with bench.expecting("lessons", 0):
        rounds = run_rounds(
            (bench, bench), ([requests[0]] * ROUNDS, [requests[1]] * ROUNDS), connections=1
        )
    row = "a guardian's cached week: CPU a request, by a pupil's"
    yield Figure(row, rounds.median("cpu_ms"), "×", AIM, note=rounds.spread("cpu_ms"))
    cost = statistics.median(run.cpu_ms for run in rounds.other)
    yield Figure("the same: CPU a request", cost, "ms")
