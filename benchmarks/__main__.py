"""`python -m benchmarks`: the scenarios on this checkout, and a table of what they took."""

import sys

from benchmarks.command import arguments, options, print_row, run
from benchmarks.processes import ROOT
from benchmarks.scenarios import SCENARIOS
from benchmarks.site import fake_upstream, site


def main() -> None:
    """Print a row for each measure of each scenario: the median of the rounds, and the range."""
    chosen = arguments("python -m benchmarks", __doc__ or "").parse_args()
    print_row("scenario", "measure", "median", "range", header=True)
    with fake_upstream() as fake, site(ROOT, fake, options(chosen)) as here:
        fake.set_latency(chosen.latency)
        for name in chosen.only or SCENARIOS:
            first, *rounds = SCENARIOS[name](here, chosen.rounds + 1)
            first()  # warms up
            results = [go() for go in rounds]
            for measure in results[0]:
                values = sorted(result[measure] for result in results)
                spread = f"{values[0]:.2f} to {values[-1]:.2f}"
                print_row(name, measure, f"{values[len(values) // 2]:.2f}", spread)


if __name__ == "__main__":
    sys.exit(run(main))
