"""`python -m benchmarks`: run the scenarios, print a table. See `--help`."""

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from benchmarks import service, stores
from benchmarks.bench import Bench, Direct
from benchmarks.closed_loop import CouldNotRun, require_wrk
from benchmarks.fake_upstream.server import FakeUpstream, run_fake_upstream
from benchmarks.processes import cores
from benchmarks.profiling import SUBJECTS, profile
from benchmarks.results import Figure, Table, machine
from benchmarks.scenarios import (
    accounts,
    arrivals,
    busy_school,
    catching_up,
    children,
    counting,
    delivery,
    direct,
    faults,
    login,
    long_conversations,
    memory,
    message_faults,
    pushing,
    redis_away,
    rolling_restart,
    schedule,
    school_data,
    sending,
    sockets,
    watching,
    workers,
)

Scenario = Callable[[Bench], Iterator[Figure]]

# They run one after another on one service; those in FRESH_SERVICE get a new one.
SCENARIOS: dict[str, Scenario] = {
    "frame": schedule.frame,
    "uncached": schedule.uncached,
    "cached": schedule.cached,
    "session": schedule.session,
    "busy-school": busy_school.busy_school,
    "children": children.children,
    "counting": counting.counting,
    "two-workers": workers.two_workers,
    "login": login.login,
    "news": school_data.news,
    "subjects": school_data.subjects,
    "lunch": school_data.lunch,
    "open-loop": arrivals.arrivals,
    "memory": memory.memory,
    "accounts": accounts.accounts,
    "sends": sending.sends,
    "sends-one": sending.sends_one,
    "growth-messages": long_conversations.growth,
    "sync": catching_up.catching_up,
    "delivery": delivery.delivery,
    "pushes": pushing.pushes,
    "watching": watching.watching,
    "fanout-sockets": delivery.fanout,
    "idle-sockets": sockets.idle,
    "presence": sockets.presence,
}
# With two workers that are not pinned to a core, and without request limits.
UNPINNED = {"sends", "sends-one", "growth-messages", "sync"}
FRESH_SERVICE = {"memory", "accounts"} | UNPINNED
# Only with --faults.
FAULTS: dict[str, Scenario] = {
    "outage": faults.outage,
    "flaky": faults.flaky,
    "drip": faults.drip,
    "gzip": faults.gzip,
    "redis-away": redis_away.redis_away,
    "rolling-restart": rolling_restart.rolling_restart,
    "message-faults": message_faults.message_faults,
}
ALL = SCENARIOS | FAULTS
Opener = Callable[[], AbstractContextManager[stores.Stores]]
STORES: dict[str, Opener] = {
    "in-process": stores.in_process,
    "Redis": stores.postgres_and_redis,
}
STORES_FOR_FAULTS: dict[str, Opener] = {"Redis": stores.postgres_and_temporary_redis}


def progress(text: str) -> None:
    """Print a line of progress to standard error; standard output is for the table."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


class Runner:
    """A run: the chosen scenarios and their results."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        self.chosen = chosen
        self.names: list[str] = chosen.only or list(FAULTS if chosen.faults else SCENARIOS)
        self.stores = STORES
        if FAULTS.keys() & self.names:
            # In-process stores cannot fail on their own, so one column is enough.
            self.stores = STORES_FOR_FAULTS
        if chosen.stores:
            self.stores = {chosen.stores: (STORES | self.stores)[chosen.stores]}
        self.cores = cores()
        self.table = Table()
        self.remarks: list[str] = []
        self.columns: list[str] = []
        self.failed = 0

    def run(self) -> None:
        """Run every chosen scenario on every chosen kind of store."""
        with run_fake_upstream(core=self.cores[1]) as fake:
            for kind, opened in self.stores.items():
                try:
                    with opened() as store:
                        self.columns.append(kind)
                        self._on(store, fake)
                except stores.NoSuchStore as error:
                    progress(f"{kind}: skipped: {error}")
                    self.remarks.append(f"{kind}: skipped, not there")

    def profile(self) -> None:
        """Print the profile of the chosen kind of request, on one kind of store."""
        kind = self.chosen.stores or "in-process"
        with run_fake_upstream(core=self.cores[1]) as fake, STORES[kind]() as store:
            what, limits = self.chosen.profile, self.chosen.limits
            print(profile(what, fake, store, limits=limits, core=self.cores[0]))

    def _on(self, store: stores.Stores, fake: FakeUpstream) -> None:
        baseline = direct.measure(fake, self.cores)
        for figure in _direct_rows(baseline):
            self.table.add(store.name, figure)
        together = [name for name in self.names if name not in FRESH_SERVICE]
        for names in [together, *([name] for name in self.names if name in FRESH_SERVICE)]:
            if not names:
                continue
            unpinned = bool(UNPINNED & set(names))
            try:
                with service.run_service(
                    store,
                    fake,
                    limits="off" if unpinned else self.chosen.limits,
                    cores=(None, None) if unpinned else self.cores,
                    workers=2 if unpinned and "REDIS_URL" in store.environment else 1,
                ) as running:
                    bench = Bench(
                        running,
                        store,
                        baseline,
                        progress,
                        self.remarks,
                        self.chosen.full,
                        self.chosen.outage,
                    )
                    for name in names:
                        self._scenario(name, bench)
            except CouldNotRun as error:
                self._failed(f"{store.name}: {error}")

    def _scenario(self, name: str, bench: Bench) -> None:
        progress(f"--- {bench.store.name}: {name}")
        try:
            for figure in ALL[name](bench):
                progress(f"{figure.row}: {figure.shown()}")
                self.table.add(bench.store.name, figure)
        except CouldNotRun as error:
            self._failed(f"{bench.store.name}, {name}: could not run: {error}")

    def _failed(self, text: str) -> None:
        self.failed += 1
        progress(text)
        self.remarks.append(text)


def _direct_rows(baseline: Direct) -> list[Figure]:
    return [
        Figure("direct call, no service: p50 by the load driver", baseline.raw_p50, "ms"),
        Figure("direct call, no service: p50 by a bare Python client", baseline.python_p50, "ms"),
        Figure("direct call, no service: CPU of that client a call", baseline.python_cpu, "ms"),
    ]


def report(runner: Runner, before: str) -> str:
    """The table, the machine and command, and the aims that were missed."""
    parts = [runner.table.markdown(runner.columns), f"Machine: {before}."]
    parts.append(f"Again: `python -m benchmarks {' '.join(sys.argv[1:])}`".rstrip())
    missed = runner.table.missed
    if missed:
        parts.append("Missed: " + "; ".join(missed) + ".")
    elif not runner.failed:
        parts.append("Every aim that was measured was met.")
    return "\n\n".join(parts + runner.remarks)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", action="append", choices=ALL, help="may be repeated")
    parser.add_argument("--stores", choices=STORES, help="default: both")
    parser.add_argument(
        "--faults", action="store_true", help="run the fault scenarios, three minutes"
    )
    parser.add_argument("--outage", type=float, default=30.0, help="seconds of the outage")
    parser.add_argument("--full", action="store_true", help="memory over 200,000 requests")
    parser.add_argument("--limits", choices=["on", "off"], default="on", help="request limits")
    parser.add_argument("--profile", choices=SUBJECTS, help="print a profile and exit")
    parser.add_argument("--list", action="store_true", help="list the scenarios and exit")
    return parser.parse_args()


def main() -> int:
    """Return 0 if every scenario ran, even if an aim was missed; 1 if one could not run."""
    chosen = arguments()
    if chosen.list:
        for name, scenario in ALL.items():
            print(f"{name:10} {(scenario.__doc__ or '').splitlines()[0]}")
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the finally blocks stop everything
    before = machine()
    runner = Runner(chosen)
    if runner.cores[1] is not None:
        os.sched_setaffinity(0, {runner.cores[1]})
    try:
        if chosen.profile:
            runner.profile()
            return 0
        require_wrk()
        runner.run()
    except CouldNotRun as error:
        progress(str(error))
        return 1
    except KeyboardInterrupt:
        progress("interrupted")
        return 130
    print(report(runner, before))
    return 1 if runner.failed else 0


if __name__ == "__main__":
    sys.exit(main())
