"""Two people write, read and listen while every server of a deployment is restarted."""

import contextlib
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

import orjson
import urllib3
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect

from tests.concurrency import wait_until

Headers = dict[str, str]
HEARD_SECONDS = 120.0
FIRST_WAIT, LONGEST_WAIT = 0.1, 5.0  # before a socket is opened again


def request(
    port: int, method: str, path: str, body: Any = None, headers: Headers | None = None
) -> tuple[int, Any]:
    """Status and JSON of the answer, over a connection of its own; status 0: no answer."""
    with urllib3.PoolManager(retries=False, timeout=40) as http:
        try:
            answer = http.request(
                method, f"http://127.0.0.1:{port}{path}", json=body, headers=headers
            )
        except urllib3.exceptions.HTTPError:
            return 0, {}
        return answer.status, answer.json() if answer.data.startswith(b"{") else {}


@dataclass
class Chat:
    """A conversation of two, behind the proxy on `port`. `acknowledged`: what may not be lost."""

    port: int
    writer: Headers
    reader: Headers
    acknowledged: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        _, known = request(self.port, "GET", "/api/session", headers=self.reader)
        body = {"targetUsername": known["session"]["username"]}
        status, made = request(self.port, "POST", "/api/conversations", body, self.writer)
        assert status in (200, 201), made
        self.path = f"/api/conversations/{made['conversation']['id']}/messages"

    def write(self) -> int:
        """Send one message. Until it is acknowledged, the next call sends the same one again."""
        number = len(self.acknowledged)
        body = {"content": f"message {number}", "clientId": f"client-{number}"}
        status, _ = request(self.port, "POST", self.path, body, self.writer)
        if status in (200, 201):
            self.acknowledged.add(body["content"])
        return status

    def read(self) -> int:
        """Read the newest messages, as the reader."""
        return request(self.port, "GET", self.path, headers=self.reader)[0]

    def schedule(self) -> int:
        """Read a week, from upstream or the cache."""
        return request(self.port, "GET", "/api/schedule?week=12", headers=self.writer)[0]

    def everything(self) -> list[dict[str, Any]]:
        """All messages, oldest first, as the reader."""
        messages: list[dict[str, Any]] = []
        after: int | None = 0
        while after is not None:
            path = f"{self.path}?limit=100&after={after}"
            status, page = request(self.port, "GET", path, headers=self.reader)
            assert status == 200
            messages += page["messages"]
            after = page["next"]
        return messages


class BackgroundLoad:
    """Repeats each of `calls`, which return a status, in a thread of its own."""

    def __init__(self, *calls: Callable[[], int]) -> None:
        self.outcomes: Counter[tuple[str, int]] = Counter()
        self._lock, self._over = threading.Lock(), threading.Event()
        self._threads = [threading.Thread(target=self._run, args=(call,)) for call in calls]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _run(self, call: Callable[[], int]) -> None:
        while not self._over.wait(0.02):
            status = call()
            with self._lock:
                self.outcomes[call.__name__, status] += 1

    def _answered(self) -> int:
        with self._lock:
            return self.outcomes.total()

    def wait_for(self, count: int) -> None:
        """Wait for so many answers from now on."""
        target = self._answered() + count
        wait_until(lambda: self._answered() >= target, seconds=HEARD_SECONDS)

    def failures(self) -> dict[tuple[str, int], int]:
        """The calls whose status was not 2xx, by name and status."""
        return {key: n for key, n in self.outcomes.items() if key[1] // 100 != 2}


class ReconnectingSocket:
    """A socket that reconnects when it is closed, waiting longer each time (docs/realtime.md).
    `closed` has the codes of the closes."""

    def __init__(self, port: int, headers: Headers) -> None:
        self.closed: list[int] = []
        self.frames: list[dict[str, Any]] = []
        self.ready = threading.Event()
        self._url, self._headers = f"ws://127.0.0.1:{port}/ws", headers
        self._over = threading.Event()
        self._socket: Any = None
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._socket is not None:
            self._socket.close()
        self._thread.join()

    def take(self, frame: dict[str, Any]) -> None:
        """Each frame, in the thread that hears it."""

    def _run(self) -> None:
        wait = FIRST_WAIT
        while not self._over.wait(wait):
            before = len(self.frames)
            with contextlib.suppress(OSError, WebSocketException):
                self._hear()
            was_ready = any(frame["type"] == "ready" for frame in self.frames[before:])
            wait = FIRST_WAIT if was_ready else min(2 * wait, LONGEST_WAIT)

    def _hear(self) -> None:
        """Connect, and keep what is heard until it is closed."""
        with connect(
            self._url, additional_headers=self._headers, proxy=None, open_timeout=20
        ) as self._socket:
            try:
                while True:
                    frame = orjson.loads(self._socket.recv())
                    self.frames.append(frame)
                    self.take(frame)
                    if frame["type"] == "ready":
                        self.ready.set()
            except ConnectionClosed as closed:
                self.ready.clear()
                if not self._over.is_set():
                    self.closed.append(closed.rcvd.code if closed.rcvd else 0)
