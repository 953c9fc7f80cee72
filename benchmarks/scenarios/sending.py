"""Messages: sixteen users at once send, in conversations of their own and into one."""

import http.client
import json
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

from benchmarks.bench import Bench
from benchmarks.closed_loop import CouldNotRun, Request
from benchmarks.fake_upstream.answers import username
from benchmarks.results import Figure
from benchmarks.users import User, version_request

AT_ONCE = 16
MESSAGES = 4000
WARM_UP = 400
# The service, PostgreSQL and the driver share the cores.
RATE, RATE_OF_ONE, CPU = 350.0, 250.0, 3.2


def sends(bench: Bench) -> Iterator[Figure]:
    """Sixteen conversations of two, one sender in each."""
    users = bench.users(2 * AT_ONCE)
    pairs = list(zip(users[::2], users[1::2], strict=True))
    conversations = [
        (one, _conversation(bench, one, targetUsername=_name(two))) for one, two in pairs
    ]
    yield from _measure(bench, "a message, 16 conversations at once", conversations, RATE)


def sends_one(bench: Bench) -> Iterator[Figure]:
    """One group of sixteen, in which all send."""
    users = bench.users(AT_ONCE)
    rest = [_name(user) for user in users[1:]]
    group = _conversation(bench, users[0], type="group", groupName="Alla", members=rest)
    for user in users[1:]:
        (invite,) = _ask(bench, user, "GET", "/api/group-invites")["invites"]
        answer = {"inviteId": invite["id"], "accept": True}
        _ask(bench, user, "PATCH", "/api/group-invites", answer)
    conversations = [(user, group) for user in users]
    yield from _measure(bench, "a message, one group of 16", conversations, RATE_OF_ONE)


def _measure(
    bench: Bench, row: str, conversations: list[tuple[User, str]], rate: float
) -> Iterator[Figure]:
    bench.replay([version_request()] * WARM_UP, connections=AT_ONCE)
    frame = bench.replay([version_request()] * MESSAGES, connections=AT_ONCE)
    requests = [
        _send(user, conversation, n) for n, (user, conversation) in enumerate(_turns(conversations))
    ]
    bench.replay(requests[:WARM_UP], connections=AT_ONCE)
    bench.progress(f"{MESSAGES} messages, {AT_ONCE} connections")
    run = bench.replay(requests[WARM_UP:], connections=AT_ONCE)
    # "At least" is "at most" of what one takes.
    note = f"{run.rate:.0f} a second; aim {rate:.0f}"
    yield Figure(f"{row}: time each", 1000 / run.rate, "ms", _aim(bench, 1000 / rate), note=note)
    note = f"{run.cpu_ms / frame.cpu_ms:.1f} times `/api/version`"
    yield Figure(f"{row}: CPU each", run.cpu_ms, "ms", _aim(bench, CPU), note=note)
    yield Figure(f"{row}: p99", run.p99, "ms")


def _turns(conversations: list[tuple[User, str]]) -> Iterator[tuple[User, str]]:
    return islice(cycle(conversations), WARM_UP + MESSAGES)


def _aim(bench: Bench, value: float) -> float | None:
    return value if bench.redis else None


def _send(user: User, conversation: str, number: int) -> Request:
    body = json.dumps({"content": f"Meddelande nummer {number}", "clientId": f"c-{number}"})
    path = f"/api/conversations/{conversation}/messages"
    return Request(path, method="POST", cookie=user.cookie, body=body, expect="content")


def _name(user: User) -> str:
    return username(user.number)


def _conversation(bench: Bench, user: User, **wanted: Any) -> str:
    made = _ask(bench, user, "POST", "/api/conversations", wanted)
    identifier: str = made["conversation"]["id"]
    return identifier


def _ask(bench: Bench, user: User, method: str, path: str, body: Any = None) -> Any:
    """One request of a user's; its answer. Raises: CouldNotRun."""
    connection = http.client.HTTPConnection("127.0.0.1", bench.service.port, timeout=30)
    try:
        connection.request(method, path, body=json.dumps(body), headers={"Cookie": user.cookie})
        response = connection.getresponse()
        output = response.read()
    finally:
        connection.close()
    if response.status not in (200, 201):
        raise CouldNotRun(f"{method} {path}: {response.status} {output[:300].decode()}")
    return json.loads(output)
