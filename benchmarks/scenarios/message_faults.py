"""Sixteen users write while servers, PostgreSQL and Redis are killed: is any message lost?

The long form of tests/journeys/test_faults_messages.py, with the same bookkeeping and readers.
"""

import http.client
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from benchmarks.background_load import request
from benchmarks.bench import Bench
from benchmarks.closed_loop import CouldNotRun
from benchmarks.conversations import group
from benchmarks.processes import ROOT
from benchmarks.results import Figure
from benchmarks.server import Server
from benchmarks.temporary_postgres import TemporaryPostgres
from benchmarks.temporary_redis import TemporaryRedis
from benchmarks.users import User, log_in
from tests.journeys.bookkeeping import Book, Findings, NoAnswer, NotSent
from tests.social.resuming_reader import PollingReader, ResumingReader, Unreachable

WRITERS = 16
BETWEEN = 200  # messages acknowledged before each kill
ROUNDS = 3
TIMEOUT = 120.0
Kill = tuple[str, Callable[[], None]]


class Site:
    """Two servers for requests, one for sockets, on stores of their own."""

    def __init__(self, variables: Mapping[str, str], folder: Path) -> None:
        self.variables = variables
        log = folder / "servers.log"
        self.web = [Server("web", variables, log) for _ in range(2)]
        self.sockets = Server("sockets", variables, log)

    def start(self) -> None:
        """Migrate and start. Raises: CouldNotRun."""
        command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        done = subprocess.run(
            command, cwd=ROOT, env=dict(self.variables), capture_output=True, check=False
        )
        if done.returncode:
            raise CouldNotRun(f"migrate: {done.stderr.decode()[-500:]}")
        for server in (*self.web, self.sockets):
            server.start()
        for server in (*self.web, self.sockets):
            server.wait()

    def stop(self) -> None:
        for server in (*self.web, self.sockets):
            server.stop()

    def post(
        self, user: User, path: str, attempt: int, body: dict[str, Any]
    ) -> tuple[int, dict[str, Any]]:
        """Send a writer's message; each attempt goes to the other server."""
        port = self.web[(attempt + user.number) % 2].port
        try:
            return request(port, "POST", path, body, headers={"Cookie": user.cookie})
        except ConnectionRefusedError as error:
            raise NotSent from error
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswer from error

    def get(self, user: User, path: str) -> dict[str, Any]:
        """Read as a reader, from the server that is killed."""
        try:
            status, answer = request(self.web[1].port, "GET", path, headers={"Cookie": user.cookie})
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable from error
        if status != 200:
            raise Unreachable(status)
        return answer

    def connect(self, user: User) -> ClientConnection:
        url = f"ws://127.0.0.1:{self.sockets.port}/ws"
        return connect(url, additional_headers={"Cookie": user.cookie}, proxy=None)


def message_faults(bench: Bench) -> Iterator[Figure]:
    """Sixteen writers while servers, PostgreSQL and Redis are killed, three times each."""
    if not bench.redis:
        return
    with (
        TemporaryPostgres() as postgres,
        TemporaryRedis() as redis,
        tempfile.TemporaryDirectory(prefix="wrapper-faults-") as name,
    ):
        changes = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url, "DATA_DIR": name}
        changes |= {"RATE_LIMITS": "off", "ALLOW_UNLIMITED": "1"}
        site = Site(bench.service.variables | changes, Path(name))
        kills: list[Kill] = [
            ("a server for requests", partial(_kill_and_start, site.web[1])),
            ("the server for sockets", partial(_kill_and_start, site.sockets)),
            ("PostgreSQL", partial(_kill_and_start, postgres)),
            ("Redis", partial(_kill_and_start, redis)),
        ]
        try:
            site.start()
            yield from _with_kills(bench, site, kills)
        finally:
            site.stop()


def _kill_and_start(killed: Server | TemporaryPostgres | TemporaryRedis) -> None:
    """Crash, and start again as a supervisor does."""
    killed.kill()
    killed.start()
    if isinstance(killed, Server):
        killed.wait()


def _with_kills(bench: Bench, site: Site, kills: list[Kill]) -> Iterator[Figure]:
    users = log_in(site.web[0].port, bench.numbers(WRITERS))
    conversation = group(site.web[0].port, users)
    book, over = Book(), threading.Event()
    polling = PollingReader(partial(site.get, users[0]), conversation)
    resuming = ResumingReader(partial(site.get, users[1]), conversation)
    recovery: dict[str, list[float]] = {name: [] for name, _ in kills}
    path = f"/api/conversations/{conversation}/messages"
    with ThreadPoolExecutor(WRITERS + 2) as threads:
        try:
            running = [
                threads.submit(polling.follow, over),
                threads.submit(resuming.follow, partial(site.connect, users[1]), over),
            ]
            for writer, user in enumerate(users):
                post = partial(site.post, user, path)
                running.append(threads.submit(book.write, writer, post, over, seconds=TIMEOUT))
            for name, kill in kills * ROUNDS:
                book.wait_for(BETWEEN, seconds=TIMEOUT)
                note = f"{len(book.acknowledged)} sent, {resuming.heard} heard by socket"
                bench.progress(f"{note}; {name} is killed and started")
                kill()
                began = time.perf_counter()
                book.wait_for(WRITERS, seconds=TIMEOUT)
                recovery[name].append(time.perf_counter() - began)
            book.wait_for(BETWEEN, seconds=TIMEOUT)
        finally:
            over.set()
        for each in running:
            each.result(TIMEOUT)
    polling.poll()
    resuming.catch_up()
    everything = PollingReader(partial(site.get, users[2]), conversation)
    everything.poll()
    findings = book.audit([everything.messages[seq] for seq in everything.order])
    yield from _figures(findings, polling, resuming, recovery)


def _figures(
    findings: Findings,
    polling: PollingReader,
    resuming: ResumingReader,
    recovery: dict[str, list[float]],
) -> Iterator[Figure]:
    row = "messages while all is killed"
    note = f"of {findings.acknowledged}; {findings.unknown} sends had no answer and were repeated"
    yield Figure(f"{row}: acknowledged and lost", findings.lost, "messages", 0, note=note)
    yield Figure(f"{row}: twice", findings.duplicates, "messages", 0)
    yield Figure(f"{row}: out of order", findings.inversions, "messages", 0)
    yield Figure(f"{row}: numbers left out", findings.gaps, "numbers", 0)
    whole = list(range(1, findings.acknowledged + 1))
    unseen = len(whole) - sum(a == b for a, b in zip(polling.order, whole, strict=False))
    yield Figure(f"{row}: not seen once and in order by polling", unseen, "messages", 0)
    unseen = len(set(whole) ^ set(resuming.order)) + len(resuming.order) - len(set(resuming.order))
    note = f"{resuming.heard} changes heard, {resuming.resumed} times resumed"
    yield Figure(f"{row}: not seen once by socket", unseen, "messages", 0, note=note)
    for name, seconds in recovery.items():
        yield Figure(f"{row}: {name}: until all write again", max(seconds), "s")
