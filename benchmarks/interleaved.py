"""Two variants of a service, loaded in turn, so that a change of the machine's speed meets both."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.bench import Bench
from benchmarks.closed_loop import ClosedLoopResult, Request


@dataclass(frozen=True)
class Rounds:
    """The runs of two variants, one of each a round, in the order of the rounds."""

    one: list[ClosedLoopResult]
    other: list[ClosedLoopResult]

    def ratios(self, field: str) -> list[float]:
        """A field of `ClosedLoopResult`, of the other variant by the first, for each round."""
        pairs = zip(self.one, self.other, strict=True)
        return [getattr(other, field) / getattr(one, field) for one, other in pairs]

    def median(self, field: str) -> float:
        """The median of the ratios: a disturbance spoils one round only."""
        return statistics.median(self.ratios(field))

    def spread(self, field: str) -> str:
        """The smallest and the largest ratio."""
        ratios = self.ratios(field)
        return f"{min(ratios):.2f} to {max(ratios):.2f}"


def in_rounds(requests: list[Request], rounds: int, size: int) -> list[list[Request]]:
    """Other requests for each round."""
    assert len(requests) >= rounds * size, "too many rounds"
    return [requests[at * size : (at + 1) * size] for at in range(rounds)]


def run_rounds(
    variants: tuple[Bench, Bench],
    requests: tuple[Sequence[list[Request]], Sequence[list[Request]]],
    *,
    connections: int,
) -> Rounds:
    """Replay the requests of each round on both variants; each goes first equally often."""
    assert len(requests[0]) == len(requests[1])
    runs: tuple[list[ClosedLoopResult], list[ClosedLoopResult]] = ([], [])
    for number in range(len(requests[0])):
        for which in (0, 1) if number % 2 else (1, 0):
            run = variants[which].replay(requests[which][number], connections=connections)
            runs[which].append(run)
    return Rounds(*runs)
