"""What open sockets cost: a thousand that only ping, and heartbeats of presence."""

from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.closed_loop import CouldNotRun, Request
from benchmarks.listeners import Listeners
from benchmarks.people import Person
from benchmarks.results import Figure
from benchmarks.socket_server import SocketServer

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
    people = bench.people(SOCKETS)
    with SocketServer(bench.service) as server:
        empty = server.memory()
        with Listeners(server.port, [person.cookie for person in people]) as listeners:
            bench.say(f"{SOCKETS} sockets are open; a minute of pings")
            before = server.cpu()
            listeners.say_in_turns(PING, PING_EVERY, PING_EVERY)
            share = (server.cpu() - before) / PING_EVERY * 100
            if listeners.closed or not listeners.wait_for(lambda: listeners.frames >= SOCKETS):
                raise CouldNotRun(f"{listeners.frames} pongs; closed: {listeners.closed[:5]}")
            held = server.memory()
    told = f"{empty:.0f} before the first"
    yield Figure(f"{SOCKETS} idle sockets: memory of their process", held, "MiB", 160, note=told)
    told = "pings of both sides, and whether the session stands"
    yield Figure(f"{SOCKETS} idle sockets: CPU, of one core", share, "%", 5, note=told)


def presence(bench: Bench) -> Iterator[Figure]:
    """As many heartbeats as 10,000 people make, by REST and by socket."""
    if not bench.redis:
        return
    people = bench.people(SOCKETS)
    yield from _by_rest(bench, people)
    yield from _by_socket(bench, people)


def _by_rest(bench: Bench, people: list[Person]) -> Iterator[Figure]:
    body = '{"status": "online"}'
    beats = [
        Request("/api/presence", method="PATCH", cookie=person.cookie, body=body, expect="online")
        for person in people
    ]
    bench.replay(beats, connections=8)
    run = bench.replay(beats * 4, connections=8)
    told = f"{run.cpu_ms * BEATS_A_SECOND / 10:.0f} % of a core for {PRESENT} people"
    yield Figure("a heartbeat by REST: CPU", run.cpu_ms, "ms", note=told)
    told = f"{PRESENT} people, each every {BEAT_EVERY:.0f} s, are {BEATS_A_SECOND:.0f} a second"
    yield Figure("a heartbeat by REST: most a second", run.rate, "a second", note=told)


def _by_socket(bench: Bench, people: list[Person]) -> Iterator[Figure]:
    cookies = [person.cookie for person in people]
    with SocketServer(bench.service) as server, Listeners(server.port, cookies) as listeners:
        before = server.cpu()
        listeners.say_in_turns(BEAT, len(people) / BEATS_A_SECOND, BEATING_SECONDS)
        cpu = server.cpu() - before
        if listeners.closed:
            raise CouldNotRun(f"sockets were closed: {listeners.closed[:5]}")
    each = cpu * 1000 / (BEATING_SECONDS * BEATS_A_SECOND)
    told = f"{each * BEATS_A_SECOND / 10:.0f} % of a core for {PRESENT} people"
    yield Figure("a heartbeat by socket: CPU", each, "ms", note=told)
