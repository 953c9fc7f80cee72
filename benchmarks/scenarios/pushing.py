"""The time from a POST to its push at a push service."""

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.closed_loop import CouldNotRun, Request
from benchmarks.conversations import ask, dm
from benchmarks.open_loop import drive, percentile
from benchmarks.processes import cpu_seconds, start, stop
from benchmarks.push_service import PushService, run_push_service
from benchmarks.results import Figure
from benchmarks.service import Service, run_service
from benchmarks.users import User

RATE, SECONDS, PAIRS, WARM_UP = 50.0, 30, 60, 60
KEY = "dGVzdHMtb25seS1rZXktb2YtMzItYnl0ZXMtLS0tLS0"
WANTED = {"kinds": {"reply": "push"}, "quietHours": None}


def pushes(bench: Bench) -> Iterator[Figure]:
    """50 messages a second; the time until the push about each is at the push service."""
    with (
        tempfile.TemporaryDirectory(prefix="wrapper-bench-push-") as folder,
        run_push_service(Path(folder)) as receiver,
    ):
        variables = {
            "VAPID_PRIVATE_KEY": KEY,
            "VAPID_SUBJECT": "mailto:bench@example.org",
            "PUSH_HOSTS": f"+{receiver.host}",
            "SSL_CERT_FILE": str(receiver.certificates.authority),
        }
        store = replace(bench.store, environment=bench.store.environment | variables)
        cores, fake = bench.service.cores, bench.service.fake
        with run_service(store, fake, limits="off", cores=cores) as service:
            yield from _measure(replace(bench, service=service), receiver)


def _measure(bench: Bench, receiver: PushService) -> Iterator[Figure]:
    service = bench.service
    users = bench.users(2 * PAIRS)
    pairs = list(zip(users[::2], users[1::2], strict=True))
    turns = [
        (one, *_asked(service.port, one, other, receiver, at))
        for at, (one, other) in enumerate(pairs)
    ]
    count = int(RATE * SECONDS)
    requests = [_reply(*turn, at) for at, turn in enumerate(islice(cycle(turns), WARM_UP + count))]
    with _worker(service) as pid:
        drive(service.port, requests[:WARM_UP], RATE)
        _wait(receiver, WARM_UP)
        before = cpu_seconds(pid)
        bench.progress(f"{count} messages, {RATE:.0f} a second")
        run = drive(service.port, requests[WARM_UP:], RATE)
        if run.errors:
            raise CouldNotRun(f"{run.errors} messages were not taken: {run.first_error}")
        _wait(receiver, WARM_UP + count)
        cpu = (cpu_seconds(pid) - before) / count * 1000
    due: dict[int, list[float]] = {number: [] for number in range(PAIRS)}
    for outcome in sorted(run.outcomes, key=lambda each: each.at):
        due[(outcome.at + WARM_UP) % PAIRS].append(run.started + outcome.due)
    latencies = sorted(
        (received - sent) * 1000
        for number, times in due.items()
        # Each was asked once before, to warm up.
        for sent, received in zip(times, sorted(receiver.received[f"/{number}"])[1:], strict=True)
    )
    row = f"{RATE:.0f} messages a second: from POST to the push service"
    yield Figure(f"{row}: p50", percentile(latencies, 0.5), "ms")
    yield Figure(f"{row}: p99", percentile(latencies, 0.99), "ms", 2000)
    yield Figure(f"{row}: CPU of the worker a push", cpu, "ms")


def _asked(
    port: int, one: User, other: User, receiver: PushService, number: int
) -> tuple[str, str]:
    """A conversation, and a message of the other person, who has answers to it pushed."""
    conversation = dm(port, one, other)
    ask(port, other, "POST", "/api/push/subscriptions", receiver.subscription(number))
    ask(port, other, "PATCH", "/api/notifications/settings", WANTED)
    path = f"/api/conversations/{conversation}/messages"
    sent = ask(port, other, "POST", path, {"content": "Vem har boken?"})
    return conversation, str(sent["message"]["id"])


def _reply(user: User, conversation: str, quoted: str, at: int) -> Request:
    body = {"content": f"Jag {at}", "clientId": f"p-{at}", "replyTo": {"messageId": quoted}}
    path = f"/api/conversations/{conversation}/messages"
    return Request(path, method="POST", cookie=user.cookie, body=json.dumps(body), expect=f"p-{at}")


@contextmanager
def _worker(service: Service) -> Iterator[int]:
    """`run_worker`, as it is shipped. Its process id."""
    process = start(
        [sys.executable, "manage.py", "run_worker"],
        core=None,
        environment=service.variables,
    )
    try:
        yield process.pid
    finally:
        stop(process)


def _wait(receiver: PushService, count: int) -> None:
    deadline = time.monotonic() + 60
    while receiver.count < count:
        if time.monotonic() > deadline:
            raise CouldNotRun(f"{receiver.count} of {count} pushes came")
        time.sleep(0.05)
    if receiver.count > count:
        raise CouldNotRun(f"{receiver.count} pushes for {count} messages")
