"""The time from a POST in one process to sockets of another."""

from collections.abc import Iterator
from itertools import cycle, islice

from benchmarks.bench import Bench
from benchmarks.closed_loop import CouldNotRun
from benchmarks.conversations import dms, group, send
from benchmarks.open_loop import drive, percentile
from benchmarks.results import Figure
from benchmarks.server import Server
from benchmarks.socket_clients import SocketClients
from benchmarks.users import User

RATE, SECONDS, PAIRS = 50.0, 30, 60
FANOUT, FANOUT_RATE, FANOUT_SECONDS = 30, 5.0, 40
WARM_UP = 20


def delivery(bench: Bench) -> Iterator[Figure]:
    """50 messages a second between pairs; the time until the other one's socket has it."""
    if not bench.redis:
        return
    users = bench.users(2 * PAIRS)
    conversations = dms(bench.service.port, users)
    row = f"{RATE:.0f} messages a second: from POST to a socket on another process"
    cookies = [user.cookie for user in users[1::2]]
    with bench.service.for_sockets() as server, SocketClients(server.port, cookies) as clients:
        latencies, cpu = _run(bench, clients, server, conversations, RATE, SECONDS, recipients=1)
    yield Figure(f"{row}: p50", percentile(latencies, 0.5), "ms", 6)
    yield Figure(f"{row}: p99", percentile(latencies, 0.99), "ms", 20)
    yield Figure(f"{row}: CPU of the socket process a message", cpu, "ms")


def fanout(bench: Bench) -> Iterator[Figure]:
    """One message to the last of 30 sockets."""
    if not bench.redis:
        return
    users = bench.users(FANOUT + 1)
    conversation = group(bench.service.port, users)
    conversations = [(user, conversation) for user in users]
    row = f"one message to the last of {FANOUT} sockets"
    cookies = [user.cookie for user in users[1:]]
    with bench.service.for_sockets() as server, SocketClients(server.port, cookies) as clients:
        latencies, cpu = _run(
            bench, clients, server, conversations, FANOUT_RATE, FANOUT_SECONDS, recipients=FANOUT
        )
    yield Figure(f"{row}: p50", percentile(latencies, 0.5), "ms")
    yield Figure(f"{row}: p99", percentile(latencies, 0.99), "ms", 60)
    yield Figure(f"{row}: CPU of the socket process a message", cpu, "ms")


def _run(
    bench: Bench,
    clients: SocketClients,
    server: Server,
    conversations: list[tuple[User, str]],
    rate: float,
    seconds: int,
    *,
    recipients: int,
) -> tuple[list[float], float]:
    """Send messages, and measure until the last recipient has received each.

    Returns the sorted latencies in ms, and the CPU of the socket process in ms per message.
    Raises: CouldNotRun.
    """
    count = int(rate * seconds)
    # Nobody sends twice in a second, because the limits are on.
    turns = list(islice(cycle(conversations), count + WARM_UP))
    requests = [
        send(user, conversation, f"m-{at}") for at, (user, conversation) in enumerate(turns)
    ]
    drive(bench.service.port, requests[:WARM_UP], rate)
    bench.progress(f"{count} messages, {rate:.0f} a second")
    before = server.cpu()
    run = drive(bench.service.port, requests[WARM_UP:], rate)
    if run.errors:
        raise CouldNotRun(f"{run.errors} messages were not taken: {run.first_error}")
    measured = {outcome.at: run.started + outcome.due for outcome in run.outcomes}

    def received(at: int) -> list[float]:
        return clients.received.get(f"m-{at + WARM_UP}", [])

    if not clients.wait_for(lambda: all(len(received(at)) == recipients for at in measured)):
        missing = sum(len(received(at)) != recipients for at in measured)
        note = f"sockets closed: {clients.closed}" if clients.closed else "no socket closed"
        raise CouldNotRun(
            f"{missing} of {count} messages were not received exactly once by all; {note}"
        )
    cpu = (server.cpu() - before) / count * 1000
    return sorted((max(received(at)) - due) * 1000 for at, due in measured.items()), cpu
