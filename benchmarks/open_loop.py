"""The open loop: requests are sent at a given rate, however slow the answers are.

A closed loop slows down with the server and hides its pauses (coordinated omission). Here each
request has a time at which it is due, with exponential gaps that are the same in every run. Its
latency counts from then, and it never waits for another request: if every connection is busy, a
new one is opened, which is part of the latency.
"""

import asyncio
import random
import time
from dataclasses import dataclass
from typing import cast

import uvloop

from benchmarks.closed_loop import Request

GIVE_UP = 10.0  # seconds after the last request was due


@dataclass(frozen=True)
class Outcome:
    """One answer: to which request, when it was due (seconds from the start), latency in ms,
    status (0: the connection was lost), and whether it was the right answer."""

    at: int
    due: float
    latency: float
    status: int
    right: bool

    @property
    def ended(self) -> float:
        """Seconds from the start to the last byte."""
        return self.due + self.latency / 1000


@dataclass(frozen=True)
class OpenLoopResult:
    """The result of a run. Latencies in ms, from when a request was due to its last byte.

    `started` is by `time.perf_counter`; `outcomes` is in the order of the answers.
    """

    count: int
    p50: float
    p99: float
    worst: float
    errors: int
    connections: int
    first_error: str
    started: float
    outcomes: list[Outcome]


class _Connection(asyncio.Protocol):
    """A keep-alive connection: one request at a time, then back among the idle ones."""

    def __init__(self, run: "_Run") -> None:
        self.run = run
        self.transport: asyncio.Transport | None = None
        self.buffer = bytearray()
        self.at: int | None = None
        self.answers = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.run.open.add(self)

    def send(self, at: int) -> None:
        assert self.transport is not None
        self.at = at
        self.transport.write(self.run.payloads[at])

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0 or self.at is None:
            return
        head = bytes(self.buffer[:end]).lower()
        at = head.find(b"\r\ncontent-length:")
        length = int(head[at + 17 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
        if len(self.buffer) < end + 4 + length:
            return
        answered, self.at = self.at, None
        body = bytes(self.buffer[end + 4 :])
        self.buffer.clear()
        self.answers += 1
        if b"\r\nconnection: close" not in head:
            self.run.idle.append(self)
        self.run.answered(answered, int(head[9:12]), body)

    def connection_lost(self, exc: Exception | None) -> None:
        self.run.open.discard(self)
        if self in self.run.idle:
            self.run.idle.remove(self)
        if self.at is None or self.run.over:
            return
        if self.answers and not self.buffer:  # the server closed the idle connection (RFC 9110)
            self.run.open_and_send(self.at)
        else:
            self.run.answered(self.at, 0, f"connection lost: {exc}".encode())
        self.at = None


class _Run:
    def __init__(self, port: int, requests: list[Request], rate: float) -> None:
        self.port = port
        self.payloads = [_payload(request, port) for request in requests]
        self.expected = [request.expect.encode() for request in requests]
        rng = random.Random(300)
        self.due = [0.0] * len(requests)
        for at in range(1, len(requests)):
            self.due[at] = self.due[at - 1] + rng.expovariate(rate)
        self.idle: list[_Connection] = []
        self.open: set[_Connection] = set()
        self.opened = 0
        self.over = False
        self.latencies: list[float] = []
        self.outcomes: list[Outcome] = []
        self.errors: list[str] = []
        self.finished = asyncio.Event()
        self.started = 0.0
        self.opening: set[asyncio.Task[None]] = set()

    async def go(self) -> OpenLoopResult:
        self.started = time.perf_counter() + 0.05
        for at in range(len(self.due)):
            wait = self.started + self.due[at] - time.perf_counter()
            if wait > 0:
                await asyncio.sleep(wait)
            if self.idle:
                self.idle.pop().send(at)
            else:
                self.open_and_send(at)
        try:
            await asyncio.wait_for(self.finished.wait(), GIVE_UP)
        except TimeoutError:
            missing = len(self.due) - len(self.latencies) - len(self.errors)
            self.errors += ["no answer"] * missing
        result = self._result()
        await self._close()
        return result

    async def _close(self) -> None:
        """Close every connection before the loop ends, because uvloop waits for them forever."""
        self.over = True
        for task in self.opening:
            task.cancel()
        for connection in list(self.open):
            if connection.transport is not None:
                connection.transport.abort()
        while self.open:
            await asyncio.sleep(0)

    def open_and_send(self, at: int) -> None:
        """Send over a new connection."""
        task = asyncio.get_running_loop().create_task(self._opened(at))
        self.opening.add(task)
        task.add_done_callback(self.opening.discard)

    async def _opened(self, at: int) -> None:
        loop = asyncio.get_running_loop()
        try:
            _, connection = await loop.create_connection(
                lambda: _Connection(self), "127.0.0.1", self.port
            )
        except OSError as error:
            self.answered(at, 0, str(error).encode())
            return
        self.opened += 1
        connection.send(at)

    def answered(self, at: int, status: int, body: bytes) -> None:
        """Record one answer: its latency if it is right, else its text."""
        latency = (time.perf_counter() - self.started - self.due[at]) * 1000
        right = status in (200, 201) and self.expected[at] in body
        self.outcomes.append(Outcome(at, self.due[at], latency, status, right))
        if right:
            self.latencies.append(latency)
        else:
            self.errors.append(body[:200].decode(errors="replace"))
        if len(self.latencies) + len(self.errors) == len(self.due):
            self.finished.set()

    def _result(self) -> OpenLoopResult:
        ordered = sorted(self.latencies) or [0.0]
        return OpenLoopResult(
            count=len(self.due),
            p50=percentile(ordered, 0.50),
            p99=percentile(ordered, 0.99),
            worst=ordered[-1],
            errors=len(self.errors),
            connections=self.opened,
            first_error=self.errors[0] if self.errors else "",
            started=self.started,
            outcomes=self.outcomes,
        )


def percentile(ordered: list[float], share: float) -> float:
    """The value below which this share of the sorted values is."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _payload(request: Request, port: int) -> bytes:
    cookie = f"Cookie: {request.cookie}\r\n" if request.cookie else ""
    head = f"{request.method} {request.path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
    length = len(request.body.encode())
    body = f"Content-Length: {length}\r\n\r\n{request.body}" if length else "\r\n"
    return f"{head}Accept: application/json\r\n{cookie}{body}".encode()


def drive(port: int, requests: list[Request], rate: float) -> OpenLoopResult:
    """Send every request once, `rate` a second on average, and wait for the answers."""

    async def go() -> OpenLoopResult:
        return await _Run(port, requests, rate).go()

    return uvloop.run(go())
