"""Messages: sixteen people at once send, in conversations of their own and into one."""

import http.client
import json
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

from benchmarks.bench import Bench
from benchmarks.closed_loop import CouldNotRun, Request
from benchmarks.fake_answers import username
from benchmarks.people import Person, version_request
from benchmarks.results import Figure

AT_ONCE = 16
MESSAGES = 4000
WARM_UP = 400
# The service, PostgreSQL and the driver share the cores.
RATE, RATE_OF_ONE, CPU = 350.0, 250.0, 3.2


def sends(bench: Bench) -> Iterator[Figure]:
    """Sixteen conversations of two, one sender in each."""
    people = bench.people(2 * AT_ONCE)
    pairs = list(zip(people[::2], people[1::2], strict=True))
    rooms = [(one, _conversation(bench, one, targetUsername=_name(two))) for one, two in pairs]
    yield from _measure(bench, "a message, 16 conversations at once", rooms, RATE)


def sends_one(bench: Bench) -> Iterator[Figure]:
    """One group of sixteen, in which all send."""
    people = bench.people(AT_ONCE)
    rest = [_name(person) for person in people[1:]]
    group = _conversation(bench, people[0], type="group", groupName="Alla", members=rest)
    for person in people[1:]:
        (invite,) = _ask(bench, person, "GET", "/api/group-invites")["invites"]
        answer = {"inviteId": invite["id"], "accept": True}
        _ask(bench, person, "PATCH", "/api/group-invites", answer)
    rooms = [(person, group) for person in people]
    yield from _measure(bench, "a message, one group of 16", rooms, RATE_OF_ONE)


def _measure(
    bench: Bench, row: str, rooms: list[tuple[Person, str]], rate: float
) -> Iterator[Figure]:
    bench.replay([version_request()] * WARM_UP, connections=AT_ONCE)
    frame = bench.replay([version_request()] * MESSAGES, connections=AT_ONCE)
    requests = [_send(person, room, n) for n, (person, room) in enumerate(_turns(rooms))]
    bench.replay(requests[:WARM_UP], connections=AT_ONCE)
    bench.say(f"{MESSAGES} messages, {AT_ONCE} connections")
    run = bench.replay(requests[WARM_UP:], connections=AT_ONCE)
    # "At least" is "at most" of what one takes.
    told = f"{run.rate:.0f} a second; aim {rate:.0f}"
    yield Figure(f"{row}: time each", 1000 / run.rate, "ms", _aim(bench, 1000 / rate), note=told)
    told = f"{run.cpu_ms / frame.cpu_ms:.1f} times `/api/version`"
    yield Figure(f"{row}: CPU each", run.cpu_ms, "ms", _aim(bench, CPU), note=told)
    yield Figure(f"{row}: p99", run.p99, "ms")


def _turns(rooms: list[tuple[Person, str]]) -> Iterator[tuple[Person, str]]:
    return islice(cycle(rooms), WARM_UP + MESSAGES)


def _aim(bench: Bench, value: float) -> float | None:
    return value if bench.redis else None


def _send(person: Person, conversation: str, number: int) -> Request:
    body = json.dumps({"content": f"Meddelande nummer {number}", "clientId": f"c-{number}"})
    path = f"/api/conversations/{conversation}/messages"
    return Request(path, method="POST", cookie=person.cookie, body=body, expect="content")


def _name(person: Person) -> str:
    return username(person.number)


def _conversation(bench: Bench, person: Person, **wanted: Any) -> str:
    made = _ask(bench, person, "POST", "/api/conversations", wanted)
    identifier: str = made["conversation"]["id"]
    return identifier


def _ask(bench: Bench, person: Person, method: str, path: str, body: Any = None) -> Any:
    """One request of a person's; its answer. Raises: CouldNotRun."""
    connection = http.client.HTTPConnection("127.0.0.1", bench.service.port, timeout=30)
    try:
        connection.request(method, path, body=json.dumps(body), headers={"Cookie": person.cookie})
        response = connection.getresponse()
        said = response.read()
    finally:
        connection.close()
    if response.status not in (200, 201):
        raise CouldNotRun(f"{method} {path}: {response.status} {said[:300].decode()}")
    return json.loads(said)
