"""`python -m benchmarks.paired OTHER`: this checkout beside another one, such as an older commit.

Both run at once, each with stores, servers and configuration of its own, and get the same load in
short turns: whole runs one after the other cannot tell 3 %, because the speed of a machine changes
within seconds. Below one: this checkout needs less.
"""

import statistics
import sys
from pathlib import Path

from benchmarks.command import arguments, options, print_row, run
from benchmarks.processes import ROOT
from benchmarks.scenarios import SCENARIOS, Scenario
from benchmarks.site import Site, fake_upstream, site


def main() -> None:
    """Print a row for each measure: both medians, and the median and range of the ratios."""
    parser = arguments("python -m benchmarks.paired", __doc__ or "")
    parser.add_argument("other", type=Path, help="a checkout of the commit to compare with")
    chosen = parser.parse_args()
    print_row("scenario", "measure", "other", "this", "this by other", header=True)
    with (
        fake_upstream() as fake,
        site(chosen.other.resolve(), fake, options(chosen)) as other,
        site(ROOT, fake, options(chosen)) as this,
    ):
        fake.set_latency(chosen.latency)
        for name in chosen.only or SCENARIOS:
            results = in_turns(SCENARIOS[name], (other, this), chosen.rounds)
            for measure in results[0][0]:
                pairs = [(theirs[measure], ours[measure]) for theirs, ours in results]
                medians = [f"{statistics.median(side):.2f}" for side in zip(*pairs, strict=True)]
                ratios = sorted(ours / theirs for theirs, ours in pairs if theirs)
                ratio = f"{statistics.median(ratios):.3f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
                print_row(name, measure, *medians, ratio)


def in_turns(
    scenario: Scenario, sites: tuple[Site, Site], rounds: int
) -> list[list[dict[str, float]]]:
    """The measures of both sites for each round; each site goes first equally often."""
    prepared = [scenario(site, rounds + 1) for site in sites]
    results: list[list[dict[str, float]]] = []
    for number in range(rounds + 1):
        measures: list[dict[str, float]] = [{}, {}]
        for which in (0, 1) if number % 2 else (1, 0):
            measures[which] = prepared[which][number]()
        results.append(measures)
    return results[1:]  # the first one warms up


if __name__ == "__main__":
    sys.exit(run(main))
