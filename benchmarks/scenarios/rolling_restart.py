"""Two processes for HTTP and one for sockets behind nginx are restarted under load, one by one."""

import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.background_load import BackgroundLoad, Headers, ReconnectingSocket, request
from benchmarks.bench import Bench
from benchmarks.closed_loop import CouldNotRun
from benchmarks.deployment import Deployment
from benchmarks.results import Figure
from benchmarks.users import log_in

HEARD_SECONDS = 60
# One user sends all messages.
UNLIMITED = {"RATE_LIMITS": "off", "ALLOW_UNLIMITED": "1"}


@dataclass
class RestartResult:
    """The result of a load during one restart of everything."""

    requests: int
    failures: dict[tuple[str, str], int]
    slowest: float
    acknowledged: set[str]
    readable: list[str]
    seqs: list[int]
    received: set[str]
    closed: list[int]
    away: list[float]
    refused: int

    @property
    def lost(self) -> set[str]:
        """Acknowledged, but not readable."""
        return self.acknowledged - set(self.readable)

    @property
    def duplicates(self) -> int:
        return len(self.readable) - len(set(self.readable))


class Conversation:
    """A conversation of two, which records what was acknowledged."""

    def __init__(self, port: int, writer: Headers, reader: Headers) -> None:
        self.port = port
        self.writer = writer
        self.reader = reader
        self.acknowledged: set[str] = set()
        self._next = 0
        _, known = request(port, "GET", "/api/session", headers=reader)
        body = {"targetUsername": known["session"]["username"]}
        status, made = request(port, "POST", "/api/conversations", body, headers=writer)
        if status not in (200, 201):
            raise CouldNotRun(f"no conversation: {status} {made}")
        self.messages = f"/api/conversations/{made['conversation']['id']}/messages"

    def write(self) -> int:
        """Send one message. Until it is acknowledged, the next call sends the same one again."""
        text = f"message {self._next}"
        body = {"content": text, "clientId": f"client-{self._next}"}
        status, _ = request(self.port, "POST", self.messages, body, headers=self.writer)
        if status in (200, 201):
            self.acknowledged.add(text)
            self._next += 1
        return status

    def read(self) -> int:
        """Read the newest messages, as the reader."""
        return request(self.port, "GET", self.messages, headers=self.reader)[0]

    def schedule(self) -> int:
        """Read a schedule, from upstream or the cache."""
        return request(self.port, "GET", "/api/schedule?week=12", headers=self.writer)[0]

    def everything(self) -> list[dict[str, Any]]:
        """All messages, oldest first, as the reader."""
        found: list[dict[str, Any]] = []
        after: int | None = 0
        while after is not None:
            path = f"{self.messages}?limit=100&after={after}"
            status, page = request(self.port, "GET", path, headers=self.reader)
            if status != 200:
                raise CouldNotRun(f"the messages cannot be read: {status}")
            found += page["messages"]
            after = page["next"]
        return found


def restart_under_load(
    deployment: Deployment, writer: Headers, reader: Headers, *, drain: float, settle: int = 20
) -> RestartResult:
    """Restart every process of the deployment while two users write, read and listen.

    `settle` is the number of requests that are answered before, between and after.
    """
    chat = Conversation(deployment.port, writer, reader)
    calls = {"write": chat.write, "read": chat.read, "schedule": chat.schedule}
    with ReconnectingSocket(deployment.port, reader) as listener, BackgroundLoad(calls) as load:
        _wait_until_ready(listener.ready)
        for servers in (deployment.web, deployment.sockets):
            _wait_for_requests(load, settle)
            deployment.restart(servers, drain=drain)
        _wait_until_ready(listener.ready)
        _wait_for_requests(load, settle)
    frames = [frame for frame in listener.frames if frame["type"] == "message.created"]
    messages = chat.everything()
    return RestartResult(
        requests=load.answered(),
        failures=load.failures(),
        slowest=load.slowest,
        acknowledged=chat.acknowledged,
        readable=[message["content"] for message in messages],
        seqs=[message["seq"] for message in messages],
        received={frame["message"]["content"] for frame in frames},
        closed=listener.closed,
        away=listener.away,
        refused=sum(listener.refused.values()),
    )


def _wait_until_ready(ready: threading.Event) -> None:
    if not ready.wait(HEARD_SECONDS):
        raise CouldNotRun("the socket does not reconnect")


def _wait_for_requests(load: BackgroundLoad, count: int) -> None:
    target = load.answered() + count
    pause = threading.Event()
    for _ in range(600):
        if load.answered() >= target:
            return
        pause.wait(0.1)
    raise CouldNotRun("the load makes no progress")


def rolling_restart(bench: Bench) -> Iterator[Figure]:
    """Two processes for HTTP and one for sockets, restarted one by one behind nginx, under load."""
    if not bench.redis:
        return
    with (
        tempfile.TemporaryDirectory(prefix="wrapper-deployment-") as name,
        Deployment({**bench.service.variables, **UNLIMITED}, Path(name)) as deployment,
    ):
        alice, bob = log_in(deployment.port, bench.numbers(2))
        writer, reader = ({"Cookie": user.cookie} for user in (alice, bob))
        run = restart_under_load(deployment, writer, reader, drain=2.0, settle=200)
    failed = sum(run.failures.values())
    note = f"of {run.requests}; the slowest took {run.slowest * 1000:.0f} ms"
    yield Figure("rolling restart: requests that failed", failed, "requests", 0, note=note)
    note = f"of {len(run.acknowledged)}; {run.duplicates} twice"
    yield Figure("rolling restart: messages lost", len(run.lost), "messages", 0, note=note)
    note = f"codes {run.closed}, {len(run.acknowledged - run.received)} messages caught up by REST"
    back = max(run.away, default=0.0)
    yield Figure("rolling restart: until the socket is back", back, "s", None, note=note)
