"""The cost of open sockets: a thousand that only ping, and heartbeats of presence."""

from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.closed_loop import CouldNotRun, Request
from benchmarks.results import Figure
from benchmarks.socket_clients import SocketClients
from benchmarks.users import User

SOCKETS = 1000
PING_EVERY = 60.0
PRESENT, BEAT_EVERY = 10_000, 30.0
BEATS_A_SECOND = PRESENT / BEAT_EVERY
BEATING_SECONDS = 20.0
PING = '{"type": "ping"}'
BEAT = '{"type": "presence", "status": "online"}'


def idle(bench: Bench) -> Iterator[Figure]:
    """1,000 sockets that are open and ping once a minute."""
    if not bench.redis:
        return
    users = bench.users(SOCKETS)
    with bench.service.for_sockets() as server:
        empty = server.memory()
        before = server.cpu()
        with SocketClients(server.port, [user.cookie for user in users]) as clients:
            opening = (server.cpu() - before) / SOCKETS * 1000
            bench.progress(f"{SOCKETS} sockets are open; a minute of pings")
            before = server.cpu()
            clients.send_in_turns(PING, PING_EVERY, PING_EVERY)
            share = (server.cpu() - before) / PING_EVERY * 100
            if clients.closed or not clients.wait_for(lambda: clients.frames >= SOCKETS):
                raise CouldNotRun(f"{clients.frames} pongs; closed: {clients.closed[:5]}")
            held = server.memory()
    yield Figure("opening a socket: CPU", opening, "ms", 1.5)
    note = f"{empty:.0f} before the first"
    yield Figure(f"{SOCKETS} idle sockets: memory of their process", held, "MiB", 160, note=note)
    note = "pings of both sides, and whether the session stands"
    yield Figure(f"{SOCKETS} idle sockets: CPU, of one core", share, "%", 5, note=note)


def presence(bench: Bench) -> Iterator[Figure]:
    """As many heartbeats as 10,000 users make, by REST and by socket."""
    if not bench.redis:
        return
    users = bench.users(SOCKETS)
    yield from _by_rest(bench, users)
    yield from _by_socket(bench, users)


def _by_rest(bench: Bench, users: list[User]) -> Iterator[Figure]:
    body = '{"status": "online"}'
    beats = [
        Request("/api/presence", method="PATCH", cookie=user.cookie, body=body, expect="online")
        for user in users
    ]
    bench.replay(beats, connections=8)
    run = bench.replay(beats * 4, connections=8)
    note = f"{run.cpu_ms * BEATS_A_SECOND / 10:.0f} % of a core for {PRESENT} users"
    yield Figure("a heartbeat by REST: CPU", run.cpu_ms, "ms", note=note)
    note = f"{PRESENT} users, each every {BEAT_EVERY:.0f} s, are {BEATS_A_SECOND:.0f} a second"
    yield Figure("a heartbeat by REST: most a second", run.rate, "a second", note=note)


def _by_socket(bench: Bench, users: list[User]) -> Iterator[Figure]:
    cookies = [user.cookie for user in users]
    with bench.service.for_sockets() as server, SocketClients(server.port, cookies) as clients:
        before = server.cpu()
        clients.send_in_turns(BEAT, len(users) / BEATS_A_SECOND, BEATING_SECONDS)
        cpu = server.cpu() - before
        if clients.closed:
            raise CouldNotRun(f"sockets were closed: {clients.closed[:5]}")
    each = cpu * 1000 / (BEATING_SECONDS * BEATS_A_SECOND)
    note = f"{each * BEATS_A_SECOND / 10:.0f} % of a core for {PRESENT} users"
    yield Figure("a heartbeat by socket: CPU", each, "ms", note=note)
