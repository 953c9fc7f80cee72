"""Load in the background of an action: threads that send requests, sockets that reconnect."""

import http.client
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Self

from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import connect

RETRY_SECONDS = 0.1

# The headers of a session: `Cookie` or `Authorization`.
Headers = Mapping[str, str]
NO_HEADERS: Headers = {}


def request(
    port: int, method: str, path: str, body: Any = None, *, headers: Headers = NO_HEADERS
) -> tuple[int, dict[str, Any]]:
    """Send a request on a new connection; (status, JSON). Raises: OSError, HTTPException."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=40)
    sent = {**headers, "Content-Type": "application/json", "Connection": "close"}
    try:
        connection.request(
            method, path, body=None if body is None else json.dumps(body), headers=sent
        )
        response = connection.getresponse()
        text = response.read()
        return response.status, json.loads(text) if text.startswith(b"{") else {}
    finally:
        connection.close()


class BackgroundLoad:
    """Repeats each of `calls`, with a pause, in a thread of its own.

    A call returns a status. `outcomes` counts (name, status), or (name, class of exception).
    """

    def __init__(self, calls: Mapping[str, Callable[[], int]], *, pause: float = 0.02) -> None:
        self.outcomes: Counter[tuple[str, str]] = Counter()
        self.slowest = 0.0
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(name, call, pause))
            for name, call in calls.items()
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _run(self, name: str, call: Callable[[], int], pause: float) -> None:
        while not self._over.wait(pause):
            began = time.perf_counter()
            try:
                outcome = str(call())
            except (OSError, http.client.HTTPException) as error:
                outcome = type(error).__name__
            with self._lock:
                self.slowest = max(self.slowest, time.perf_counter() - began)
                self.outcomes[name, outcome] += 1

    def answered(self) -> int:
        """The number of calls so far."""
        with self._lock:
            return sum(self.outcomes.values())

    def failures(self) -> dict[tuple[str, str], int]:
        """The outcomes that are not 2xx."""
        with self._lock:
            return {key: n for key, n in self.outcomes.items() if not key[1].startswith("2")}


class ReconnectingSocket:
    """A socket that reconnects when it is closed.

    `closed` has the close codes, `away` how long each reconnection took, in seconds.
    """

    def __init__(self, port: int, headers: Headers) -> None:
        self.closed: list[int] = []
        self.away: list[float] = []
        self.refused: Counter[int] = Counter()
        self.frames: list[dict[str, Any]] = []
        self.ready = threading.Event()
        self._url = f"ws://127.0.0.1:{port}/ws"
        self._headers = headers
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

    def _run(self) -> None:
        left: float | None = None
        while not self._over.is_set():
            try:
                with connect(
                    self._url, additional_headers=dict(self._headers), proxy=None, open_timeout=20
                ) as self._socket:
                    self._hear(left)
            except InvalidStatus as refused:
                self.refused[refused.response.status_code] += 1
            except (OSError, WebSocketException):
                self.refused[0] += 1
            else:
                left = time.perf_counter()
            self._over.wait(RETRY_SECONDS)

    def _hear(self, left: float | None) -> None:
        try:
            while True:
                frame = json.loads(self._socket.recv())
                self.frames.append(frame)
                if frame["type"] == "ready":
                    if left is not None:
                        self.away.append(time.perf_counter() - left)
                    self.ready.set()
        except ConnectionClosed as closed:
            self.ready.clear()
            if not self._over.is_set():
                self.closed.append(closed.rcvd.code if closed.rcvd else 0)
