"""The loads. A scenario prepares a site for a number of rounds; a round returns its measures."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle, islice

from benchmarks.driver import Request
from benchmarks.processes import CouldNotRun
from benchmarks.site import Site
from benchmarks.sockets import sockets
from benchmarks.users import User, direct_messages, group, log_in, login_request, send_request

Round = Callable[[], dict[str, float]]
Scenario = Callable[[Site, int], list[Round]]

USERS = 120
WEEKS = range(1, 53)
SENDERS, MESSAGES = 16, 800


def version(site: Site, rounds: int) -> list[Round]:
    """`/api/version`: the server, the middleware and the log alone."""
    return [_round(site, [Request("/api/version", expect='"api"')] * 2000)] * rounds


def session(site: Site, rounds: int) -> list[Round]:
    """`/api/session` of people whose session was validated a moment ago."""
    requests = [user.session() for user in log_in(site, USERS)]
    return [_round(site, requests * 12)] * rounds


def cached(site: Site, rounds: int) -> list[Round]:
    """Weeks that the same people read a moment ago: no call to upstream."""
    users = log_in(site, USERS)

    def go(number: int) -> dict[str, float]:
        requests = [user.get(f"/api/schedule?week={number % 52 + 1}") for user in users]
        site.replay(requests)
        return _round(site, requests * 12, lessons=0)()

    return [partial(go, number) for number in range(rounds)]


def uncached(site: Site, rounds: int) -> list[Round]:
    """Weeks that these people have never read: one call to upstream for each."""
    users = log_in(site, max(USERS, 12 * rounds))
    # Neighbours are different people, so that nobody waits for their own request.
    requests = [user.get(f"/api/schedule?week={week}") for week in WEEKS for user in users]
    return [_round(site, part, lessons=len(part)) for part in _parts(requests, rounds, 600)]


def subjects(site: Site, rounds: int) -> list[Round]:
    """Twelve rooms with three parts each, not cached: 37 calls to upstream."""
    requests = [user.get("/api/subjects") for user in log_in(site, 30 * rounds)]
    return [_round(site, part, rooms=len(part)) for part in _parts(requests, rounds, 30)]


def login(site: Site, rounds: int) -> list[Round]:
    """`/api/login` of new people."""
    return [_round(site, [login_request() for _ in range(60)], password=60) for _ in range(rounds)]


def sends(site: Site, rounds: int) -> list[Round]:
    """Messages of sixteen people, each in a conversation of two."""
    return _messages(site, direct_messages(site, log_in(site, 2 * SENDERS)), rounds)


def sends_group(site: Site, rounds: int) -> list[Round]:
    """Messages of sixteen people in one group."""
    return _messages(site, group(site, log_in(site, SENDERS)), rounds)


SCENARIOS: dict[str, Scenario] = {
    "version": version,
    "session": session,
    "cached": cached,
    "uncached": uncached,
    "subjects": subjects,
    "login": login,
    "sends": sends,
    "sends-group": sends_group,
    "sockets": sockets,
}


def _messages(site: Site, conversations: Sequence[tuple[User, str]], rounds: int) -> list[Round]:
    turns = islice(cycle(conversations), rounds * MESSAGES)
    requests = [send_request(user, place, f"c-{at}") for at, (user, place) in enumerate(turns)]
    return [_round(site, part) for part in _parts(requests, rounds, MESSAGES)]


def _parts(requests: list[Request], rounds: int, size: int) -> list[list[Request]]:
    """Other requests for each round."""
    return [requests[at * size : (at + 1) * size] for at in range(rounds)]


def _round(site: Site, requests: list[Request], **expected: int) -> Round:
    """Send these requests. `expected`: how many calls of a kind upstream must get meanwhile."""

    def go() -> dict[str, float]:
        before = {kind: site.fake.calls(kind) for kind in expected}
        run = site.replay(requests)
        for kind, count in expected.items():
            calls = site.fake.calls(kind) - before[kind]
            if calls != count:
                raise CouldNotRun(f"upstream got {calls} calls of {kind}, not {count}")
        return run.measures()

    return go
