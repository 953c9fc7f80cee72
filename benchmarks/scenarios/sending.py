"""Messages: sixteen users send at once, in sixteen conversations or in one."""

from collections.abc import Iterator
from itertools import cycle, islice

from benchmarks.bench import Bench
from benchmarks.conversations import dms, group, send
from benchmarks.results import Figure
from benchmarks.users import User, version_request

AT_ONCE = 16
MESSAGES = 4000
WARM_UP = 400
# The service, PostgreSQL and the driver share the cores.
RATE, RATE_OF_ONE, CPU = 550.0, 250.0, 3.2


def sends(bench: Bench) -> Iterator[Figure]:
    """Sixteen conversations of two, one sender in each."""
    conversations = dms(bench.service.port, bench.users(2 * AT_ONCE))
    yield from _measure(bench, "a message, 16 conversations at once", conversations, RATE)


def sends_one(bench: Bench) -> Iterator[Figure]:
    """One group of sixteen, in which all send."""
    users = bench.users(AT_ONCE)
    conversation = group(bench.service.port, users)
    conversations = [(user, conversation) for user in users]
    yield from _measure(bench, "a message, one group of 16", conversations, RATE_OF_ONE)


def _measure(
    bench: Bench, row: str, conversations: list[tuple[User, str]], rate: float
) -> Iterator[Figure]:
    bench.replay([version_request()] * WARM_UP, connections=AT_ONCE)
    frame = bench.replay([version_request()] * MESSAGES, connections=AT_ONCE)
    turns = islice(cycle(conversations), WARM_UP + MESSAGES)
    requests = [send(user, conversation, f"c-{n}") for n, (user, conversation) in enumerate(turns)]
    bench.replay(requests[:WARM_UP], connections=AT_ONCE)
    bench.progress(f"{MESSAGES} messages, {AT_ONCE} connections")
    run = bench.replay(requests[WARM_UP:], connections=AT_ONCE)
    # An aim is a maximum, so the rate is shown as the time of one message.
    note = f"{run.rate:.0f} a second; aim {rate:.0f}"
    yield Figure(f"{row}: time each", 1000 / run.rate, "ms", _aim(bench, 1000 / rate), note=note)
    note = f"{run.cpu_ms / frame.cpu_ms:.1f} times `/api/version`"
    yield Figure(f"{row}: CPU each", run.cpu_ms, "ms", _aim(bench, CPU), note=note)
    yield Figure(f"{row}: p99", run.p99, "ms")


def _aim(bench: Bench, value: float) -> float | None:
    return value if bench.redis else None
