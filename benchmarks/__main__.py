"""`python -m benchmarks`: run the scenarios, print a table. `--help` tells the rest."""

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from benchmarks import fake_upstream, service, stores
from benchmarks.bench import Bench, Direct
from benchmarks.closed_loop import CouldNotRun, require_wrk
from benchmarks.processes import cores
from benchmarks.profiling import SUBJECTS, profile
from benchmarks.results import Figure, Table, machine
from benchmarks.scenarios import (
    accounts,
    arrivals,
    counting,
    delivery,
    direct,
    faults,
    login,
    long_conversations,
    memory,
    message_faults,
    redis_away,
    rolling_restart,
    schedule,
    school_data,
    sending,
    sockets,
)

Scenario = Callable[[Bench], Iterator[Figure]]

# They share a service, one after another; those in ALONE get one that has served nobody yet.
SCENARIOS: dict[str, Scenario] = {
    "frame": schedule.frame,
    "uncached": schedule.uncached,
    "cached": schedule.cached,
    "counting": counting.counting,
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
    "delivery": delivery.delivery,
    "fanout-sockets": delivery.fanout,
    "idle-sockets": sockets.idle,
    "presence": sockets.presence,
}
# As two workers on whatever cores there are, without request limits: nobody sends this fast.
FREE = {"sends", "sends-one", "growth-messages"}
ALONE = {"memory", "accounts"} | FREE
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
STORES_FOR_FAULTS: dict[str, Opener] = {"Redis": stores.postgres_and_own_redis}


def say(text: str) -> None:
    """A line of progress, on standard error: standard output holds the table alone."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


class Runner:
    """A run: what was chosen, and what came out of it."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        self.chosen = chosen
        self.names: list[str] = chosen.only or list(FAULTS if chosen.faults else SCENARIOS)
        self.stores = STORES
        if FAULTS.keys() & self.names:
            # The store of the process has no way of its own to fail: one column is enough.
            self.stores = STORES_FOR_FAULTS
        if chosen.stores:
            self.stores = {chosen.stores: (STORES | self.stores)[chosen.stores]}
        self.cores = cores()
        self.table = Table()
        self.remarks: list[str] = []
        self.columns: list[str] = []
        self.failed = 0

    def run(self) -> None:
        """Every chosen scenario on every chosen kind of store."""
        with fake_upstream.running(core=self.cores[1]) as fake:
            for kind, opened in self.stores.items():
                try:
                    with opened() as store:
                        self.columns.append(kind)
                        self._on(store, fake)
                except stores.NoSuchStore as problem:
                    say(f"{kind}: skipped: {problem}")
                    self.remarks.append(f"{kind}: skipped, not there")

    def profile(self) -> None:
        """Print where a request of the chosen kind spends its time, on one kind of store."""
        kind = self.chosen.stores or "in-process"
        with fake_upstream.running(core=self.cores[1]) as fake, STORES[kind]() as store:
            what, limits = self.chosen.profile, self.chosen.limits
            print(profile(what, fake, store, limits=limits, core=self.cores[0]))

    def _on(self, store: stores.Stores, fake: fake_upstream.FakeUpstream) -> None:
        floor = direct.measure(fake, self.cores)
        for figure in _direct_rows(floor):
            self.table.add(store.name, figure)
        together = [name for name in self.names if name not in ALONE]
        for names in [together, *([name] for name in self.names if name in ALONE)]:
            if not names:
                continue
            free = bool(FREE & set(names))
            try:
                with service.running(
                    store,
                    fake,
                    limits="off" if free else self.chosen.limits,
                    cores=(None, None) if free else self.cores,
                    workers=2 if free and "REDIS_URL" in store.environment else 1,
                ) as running:
                    bench = Bench(
                        running,
                        store.name,
                        floor,
                        self.chosen.full,
                        say,
                        self.remarks,
                        store.own_redis,
                        self.chosen.outage,
                        store=store,
                    )
                    for name in names:
                        self._scenario(name, bench)
            except CouldNotRun as problem:
                self._failed(f"{store.name}: {problem}")

    def _scenario(self, name: str, bench: Bench) -> None:
        say(f"--- {bench.stores}: {name}")
        try:
            for figure in ALL[name](bench):
                say(f"{figure.row}: {figure.shown()}")
                self.table.add(bench.stores, figure)
        except CouldNotRun as problem:
            self._failed(f"{bench.stores}, {name}: could not run: {problem}")

    def _failed(self, text: str) -> None:
        self.failed += 1
        say(text)
        self.remarks.append(text)


def _direct_rows(floor: Direct) -> list[Figure]:
    return [
        Figure("direct call, no service: p50 by the load driver", floor.raw_p50, "ms"),
        Figure("direct call, no service: p50 by a bare Python client", floor.python_p50, "ms"),
        Figure("direct call, no service: CPU of that client a call", floor.python_cpu, "ms"),
    ]


def report(runner: Runner, before: str) -> str:
    """The table, where and how it was made, and what was missed or could not run."""
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
    parser.add_argument("--faults", action="store_true", help="what goes wrong, three minutes")
    parser.add_argument("--outage", type=float, default=30.0, help="seconds of the outage")
    parser.add_argument("--full", action="store_true", help="memory over 200,000 requests")
    parser.add_argument("--limits", choices=["on", "off"], default="on", help="request limits")
    parser.add_argument("--profile", choices=SUBJECTS, help="show where its time goes, and stop")
    parser.add_argument("--list", action="store_true", help="name the scenarios and stop")
    return parser.parse_args()


def main() -> int:
    """0 when every scenario ran, also when an aim was missed; 1 when one could not run."""
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
    except CouldNotRun as problem:
        say(str(problem))
        return 1
    except KeyboardInterrupt:
        say("stopped")
        return 130
    print(report(runner, before))
    return 1 if runner.failed else 0


if __name__ == "__main__":
    sys.exit(main())
