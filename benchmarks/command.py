"""What the two commands share: their options, their table, and how they end."""

import argparse
import os
import signal
import sys
from collections.abc import Callable

from benchmarks.processes import CouldNotRun
from benchmarks.scenarios import SCENARIOS
from benchmarks.site import DRIVER_CORE, Options


def arguments(program: str, description: str) -> argparse.ArgumentParser:
    """The options of both commands."""
    described = "\n".join(f"  {name:12} {load.__doc__}" for name, load in SCENARIOS.items())
    parser = argparse.ArgumentParser(
        prog=program,
        description=description,
        epilog=f"scenarios:\n{described}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", action="append", choices=SCENARIOS, help="may be repeated")
    parser.add_argument("--rounds", type=int, default=9, help="each of some seconds")
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--latency", type=float, default=0, help="of upstream, in ms")
    parser.add_argument("--limits", choices=["on", "off"], default="off", help="RATE_LIMITS")
    parser.add_argument("--workers", type=int, default=1, help="of each server for HTTP")
    parser.add_argument("--units", type=int, default=1, help="servers for HTTP, each on its core")
    return parser


def options(chosen: argparse.Namespace) -> Options:
    """Those that concern a site."""
    return Options(chosen.units, chosen.workers, chosen.limits, chosen.connections)


def print_row(*cells: str, header: bool = False) -> None:
    """Print a row of a Markdown table; after the header also the line below it."""
    print(f"| {' | '.join(cells)} |", flush=True)
    if header:
        print(f"|{'---|' * len(cells)}", flush=True)


def run(main: Callable[[], None]) -> int:
    """Run a command on the core of the driver; its exit status. Ctrl-C and SIGTERM clean up."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    os.sched_setaffinity(0, {DRIVER_CORE})
    try:
        main()
    except CouldNotRun as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0
