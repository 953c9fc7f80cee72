"""`python -m benchmarks.paired OTHER`: this checkout beside another one, such as an older commit.

Both services run at once, each with stores of its own, and get the same load in short turns: whole
runs one after the other cannot tell 3 %, because the speed of a machine changes within seconds.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

from benchmarks import service, stores
from benchmarks.__main__ import progress
from benchmarks.bench import Bench, Direct
from benchmarks.closed_loop import CouldNotRun, Request, require_wrk
from benchmarks.conversations import dms, group, send
from benchmarks.fake_upstream.server import FakeUpstream, run_fake_upstream
from benchmarks.interleaved import in_rounds, run_rounds
from benchmarks.opening_sockets import compare_opening
from benchmarks.processes import ROOT, cores
from benchmarks.scenarios.schedule import warm_users
from benchmarks.users import User, each_week_once, login_request, version_request

AT_ONCE = 16
Load = Callable[[Bench, int], list[list[Request]]]  # (variant, rounds) -> requests of each round


def _version(_bench: Bench, rounds: int) -> list[list[Request]]:
    return [[version_request()] * 2000] * rounds


def _cached(bench: Bench, rounds: int) -> list[list[Request]]:
    return [[user.schedule(1) for user in warm_users(bench)] * 12] * rounds


def _uncached(bench: Bench, rounds: int) -> list[list[Request]]:
    users = warm_users(bench, max(120, 13 * rounds))
    return in_rounds(each_week_once(users), rounds, 600)


def _session(bench: Bench, rounds: int) -> list[list[Request]]:
    users = warm_users(bench)
    return [[Request("/api/session", cookie=user.cookie) for user in users] * 12] * rounds


def _news_cached(bench: Bench, rounds: int) -> list[list[Request]]:
    users = warm_users(bench)
    bench.replay([user.news() for user in users])
    return [[user.news() for user in users] * 12] * rounds


def _subjects(bench: Bench, rounds: int) -> list[list[Request]]:
    users = warm_users(bench, rounds * 30)
    return in_rounds([user.subjects() for user in users], rounds, 30)


def _login(bench: Bench, rounds: int) -> list[list[Request]]:
    numbers = bench.numbers(60 * rounds)
    return in_rounds([login_request(number) for number in numbers], rounds, 60)


def _messages(
    conversations: list[tuple[User, str]], rounds: int, size: int = 800
) -> list[list[Request]]:
    turns = islice(cycle(conversations), rounds * size)
    requests = [
        send(user, conversation, f"c-{at}") for at, (user, conversation) in enumerate(turns)
    ]
    return in_rounds(requests, rounds, size)


def _sends(bench: Bench, rounds: int) -> list[list[Request]]:
    return _messages(dms(bench.service.port, bench.users(2 * AT_ONCE)), rounds)


def _sends_one(bench: Bench, rounds: int) -> list[list[Request]]:
    users = bench.users(AT_ONCE)
    conversation = group(bench.service.port, users)
    return _messages([(user, conversation) for user in users], rounds)


LOADS: dict[str, Load] = {
    "version": _version,
    "cached": _cached,
    "uncached": _uncached,
    "session": _session,
    "news-cached": _news_cached,
    "subjects": _subjects,
    "login": _login,
    "sends": _sends,
    "sends-one": _sends_one,
}
SOCKETS = "sockets"  # only if asked for, and with Redis


@contextmanager
def _variant(
    chosen: argparse.Namespace, fake: FakeUpstream, root: Path, database: str
) -> Iterator[Bench]:
    opened = stores.in_process() if chosen.in_process else stores.postgres_and_redis(database)
    pinned = cores()
    with (
        opened as store,
        service.run_service(
            store,
            fake,
            limits="off",
            cores=(None if chosen.workers > 1 else pinned[0], pinned[1]),
            workers=chosen.workers,
            root=root,
        ) as running,
    ):
        yield Bench(running, store, Direct(0, 0, 0, 0), progress)


def compare(chosen: argparse.Namespace) -> Iterator[str]:
    """The lines of the table: times and CPU of this checkout by those of the other."""
    yield "| load | other | this | time by time | CPU by CPU | p99 by p99 |"
    yield "|---|---|---|---|---|---|"
    with ExitStack() as stack:
        fake = stack.enter_context(run_fake_upstream(core=cores()[1]))
        other, this = (
            stack.enter_context(_variant(chosen, fake, root, database))
            for root, database in ((chosen.other, "wrapper_other"), (ROOT, "wrapper_this"))
        )
        # Accounts of their own, because the fake upstream knows both services.
        this = replace(this, next_account=50_000)
        for name in chosen.only or LOADS:
            fake.set_latency(chosen.latency)
            if name == SOCKETS and chosen.in_process:
                raise CouldNotRun("the process of the sockets needs Redis to know the sessions")
            if name == SOCKETS:
                one, two, ratio = compare_opening((other, this), chosen.rounds)
                yield f"| {name} | {one} | {two} | – | {ratio} | – |"
                continue
            requests = tuple(LOADS[name](each, chosen.rounds + 1) for each in (other, this))
            warm_up, measured = zip(*((each[:1], each[1:]) for each in requests), strict=True)
            run_rounds((other, this), warm_up, connections=chosen.connections)
            progress(f"{name}: {chosen.rounds} rounds")
            found = run_rounds((other, this), measured, connections=chosen.connections)
            rates = [sorted(each.rate for each in runs) for runs in (found.one, found.other)]
            cpu = [sorted(each.cpu_ms for each in runs) for runs in (found.one, found.other)]
            middle = chosen.rounds // 2
            cells = [
                f"{rate[middle]:.0f}/s, {cost[middle]:.2f} ms"
                for rate, cost in zip(rates, cpu, strict=True)
            ]
            ratios = [
                f"{found.median(field):.3f} ({found.spread(field)})"
                for field in ("seconds", "cpu_ms", "p99")
            ]
            yield f"| {name} | {' | '.join(cells)} | {' | '.join(ratios)} |"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paired", description=__doc__)
    parser.add_argument("other", type=Path, help="a checkout of the commit to compare with")
    parser.add_argument(
        "--only", action="append", choices=[*LOADS, SOCKETS], help="may be repeated"
    )
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--workers", type=int, default=1, help="1 is pinned to a core")
    parser.add_argument("--connections", type=int, default=AT_ONCE)
    parser.add_argument("--latency", type=float, default=0, help="of upstream, in ms")
    parser.add_argument("--in-process", action="store_true", help="SQLite, without Redis")
    chosen = parser.parse_args()
    core = cores()[1]
    if core is not None:
        os.sched_setaffinity(0, {core})
    try:
        require_wrk()
        for line in compare(chosen):
            print(line, flush=True)
    except (CouldNotRun, stores.NoSuchStore) as error:
        progress(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
