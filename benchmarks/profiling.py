"""Profiles the shipped application: first with a sampler, then with cProfile.

The WSGI application runs in a process of its own, called from one thread without gunicorn (the
scenario `frame` measures server and middleware). The sampler shows where the time is spent.
cProfile counts the calls; it slows every call down, so its times say little.
"""

import cProfile
import json
import pstats
import subprocess
import sys
import time

from benchmarks.closed_loop import CouldNotRun, Request
from benchmarks.fake_upstream.answers import ACCOUNTS_A_SCHOOL, username
from benchmarks.fake_upstream.server import FakeUpstream
from benchmarks.processes import start, stop
from benchmarks.sampler import Sampler
from benchmarks.server import tail
from benchmarks.service import ServiceSetup, prepare_service
from benchmarks.stores import Stores
from benchmarks.users import WEEKS, User, login_request
from benchmarks.wsgi_caller import WsgiCaller, log_in, send

SUBJECTS = (
    "uncached",
    "cached",
    "session",
    "login",
    "news",
    "subjects",
    "lunch",
    "message",
    "growth",
)
USERS = 60
# News and rooms are cached, so each user can make only one request.
USERS_ASKING_ONCE = 480
TOP = 45


def profile(what: str, fake: FakeUpstream, store: Stores, *, limits: str, core: int | None) -> str:
    """The profile of `what` (one of SUBJECTS) as text.

    Raises:
        CouldNotRun: the application did not start or gave a wrong answer.
    """
    with prepare_service(store, fake, limits=limits) as setup:
        return _in_process_of_its_own(what, setup, core)


def _in_process_of_its_own(what: str, setup: ServiceSetup, core: int | None) -> str:
    module = ["benchmarks.object_growth"] if what == "growth" else ["benchmarks.profiling", what]
    command = [sys.executable, "-m", *module]
    with setup.log.open("ab") as sink:
        process = start(
            command, core=core, environment=setup.variables, stdout=subprocess.PIPE, stderr=sink
        )
        try:
            assert process.stdout is not None
            output = process.stdout.read().decode()
            if process.wait():
                raise CouldNotRun(f"the profile failed:\n{tail(setup.log)}")
        finally:
            stop(process)
    return output


def main(what: str) -> None:
    """Log users in, warm up, then read or log in: under the sampler, then under cProfile."""
    from wrapper_project.wsgi import application  # imported late because it reads the environment

    call = WsgiCaller(application)
    count = USERS_ASKING_ONCE if what in ("news", "subjects") else USERS
    users = [log_in(call, number) for number in range(count)]
    requests = _messages(call, users) if what == "message" else _requests(what, users)
    most = len(requests) * 4 // 5
    send(call, [user.schedule(1) for user in users] * 2)
    began = time.process_time()
    with Sampler() as sampler:
        send(call, requests[:most])
    spent = (time.process_time() - began) / most * 1000
    print(f"CPU of the application a request, without the server: {spent:.2f} ms")
    print(sampler.table(spent, 2 * TOP))
    profiler = cProfile.Profile(time.thread_time)  # without the waiting for upstream
    profiler.enable()
    send(call, requests[most:])
    profiler.disable()
    print(f"\nUnder cProfile, {len(requests) - most} requests, seconds of CPU:")
    pstats.Stats(profiler, stream=sys.stdout).sort_stats("tottime").print_stats(TOP)


def _messages(call: WsgiCaller, users: list[User]) -> list[Request]:
    """A message from each to their neighbour. There are so many that `--limits off` is needed."""
    conversations = []
    for user in users:
        target = json.dumps({"targetUsername": username((user.number + 1) % len(users))})
        _, _, body = call("POST", "/api/conversations", user.cookie, target)
        conversations.append(
            f"/api/conversations/{json.loads(body)['conversation']['id']}/messages"
        )
    return [
        Request(
            conversation, method="POST", cookie=user.cookie, body=f'{{"content": "Hej {number}"}}'
        )
        for number in range(len(WEEKS))
        for user, conversation in zip(users, conversations, strict=True)
    ]


def _requests(what: str, users: list[User]) -> list[Request]:
    if what == "login":
        return [login_request(USERS + number) for number in range(600)]
    if what == "session":
        return [Request("/api/session", cookie=user.cookie) for user in users] * 50
    if what == "news":
        return [user.news() for user in users]
    if what == "subjects":  # the calls to upstream show only as waiting: other threads make them
        return [user.subjects() for user in users]
    if what == "lunch":
        firsts = users[::ACCOUNTS_A_SCHOOL]
        return [user.lunch(week) for week in WEEKS[1:] for user in firsts]
    weeks = WEEKS[1:] if what == "uncached" else [1] * len(WEEKS[1:])
    return [user.schedule(week) for week in weeks for user in users]


if __name__ == "__main__":
    main(sys.argv[1])
