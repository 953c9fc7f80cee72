"""Where the time goes: the shipped application under a sampler, then under cProfile.

The WSGI application runs in a process of its own, called from one thread without gunicorn
(the scenario `frame` tells what server and middleware cost). The sampler tells where the time
goes. cProfile tells how often what is called; it slows every call, so its times mean little.
"""

import cProfile
import json
import pstats
import subprocess
import sys
import time

from benchmarks.application import Caller, log_in, send
from benchmarks.closed_loop import CouldNotRun, Request
from benchmarks.fake_answers import ACCOUNTS_A_SCHOOL, username
from benchmarks.fake_upstream import FakeUpstream
from benchmarks.people import WEEKS, Person, login_request
from benchmarks.processes import start, stop
from benchmarks.sampler import Sampler
from benchmarks.service import Place, prepared
from benchmarks.stores import Stores

SUBJECTS = ("uncached", "cached", "login", "news", "subjects", "lunch", "message", "growth")
PEOPLE = 60
# News and rooms are kept, so that a person is good for one request.
PEOPLE_ASKING_ONCE = 480
TOP = 45


def profile(what: str, fake: FakeUpstream, store: Stores, *, limits: str, core: int | None) -> str:
    """The profile of `what` (one of SUBJECTS) as text.

    Raises:
        CouldNotRun: the application did not start or answered something else than lessons.
    """
    with prepared(store, fake, limits=limits) as place:
        return _in_process_of_its_own(what, place, core)


def _in_process_of_its_own(what: str, place: Place, core: int | None) -> str:
    module = ["benchmarks.growth"] if what == "growth" else ["benchmarks.profiling", what]
    command = [sys.executable, "-m", *module]
    with place.log.open("ab") as sink:
        process = start(
            command, core=core, environment=place.variables, stdout=subprocess.PIPE, stderr=sink
        )
        try:
            assert process.stdout is not None
            said = process.stdout.read().decode()
            if process.wait():
                raise CouldNotRun(f"the profile failed:\n{place.tail()}")
        finally:
            stop(process)
    return said


def main(what: str) -> None:
    """Log people in, warm up, then read or log in: under the sampler, then under cProfile."""
    from wrapper_project.wsgi import application  # not above: it reads the environment

    call = Caller(application)
    count = PEOPLE_ASKING_ONCE if what in ("news", "subjects") else PEOPLE
    people = [log_in(call, number) for number in range(count)]
    requests = _messages(call, people) if what == "message" else _requests(what, people)
    most = len(requests) * 4 // 5
    send(call, [person.schedule(1) for person in people] * 2)
    began = time.process_time()
    with Sampler() as sampler:
        send(call, requests[:most])
    spent = (time.process_time() - began) / most * 1000
    print(f"CPU of the application a request, without the server: {spent:.2f} ms")
    print(sampler.table(spent, 2 * TOP))
    profiler = cProfile.Profile(time.thread_time)  # waiting for upstream costs nothing here
    profiler.enable()
    send(call, requests[most:])
    profiler.disable()
    print(f"\nUnder cProfile, {len(requests) - most} requests, seconds of CPU:")
    pstats.Stats(profiler, stream=sys.stdout).sort_stats("tottime").print_stats(TOP)


def _messages(call: Caller, people: list[Person]) -> list[Request]:
    """From each to their neighbour; `--limits off`, or they are too many."""
    rooms = []
    for person in people:
        target = json.dumps({"targetUsername": username((person.number + 1) % len(people))})
        _, _, body = call("POST", "/api/conversations", person.cookie, target)
        rooms.append(f"/api/conversations/{json.loads(body)['conversation']['id']}/messages")
    return [
        Request(room, method="POST", cookie=person.cookie, body=f'{{"content": "Hej {number}"}}')
        for number in range(len(WEEKS))
        for person, room in zip(people, rooms, strict=True)
    ]


def _requests(what: str, people: list[Person]) -> list[Request]:
    if what == "login":
        return [login_request(PEOPLE + number) for number in range(600)]
    if what == "news":
        return [person.news() for person in people]
    if (
        what == "subjects"
    ):  # of the calls themselves only the waiting shows: other threads make them
        return [person.subjects() for person in people]
    if what == "lunch":
        firsts = people[::ACCOUNTS_A_SCHOOL]
        return [person.lunch(week) for week in WEEKS[1:] for person in firsts]
    weeks = WEEKS[1:] if what == "uncached" else [1] * len(WEEKS[1:])
    return [person.schedule(week) for week in weeks for person in people]


if __name__ == "__main__":
    main(sys.argv[1])
