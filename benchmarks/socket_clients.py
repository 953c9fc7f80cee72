"""Many sockets in one thread, which record when each message arrives."""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from typing import Any, Self

import orjson
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.closed_loop import CouldNotRun

OPENING = 20  # sockets that open at the same time
TIMEOUT = 120.0


class SocketClients:
    """One socket for each of these cookies, open between `with` and its end.

    `received` has, by `clientId` of a message, the time (`time.perf_counter`) at each socket.
    """

    def __init__(self, port: int, cookies: Sequence[str]) -> None:
        self.received: dict[str, list[float]] = {}
        self.frames = 0
        self.closed: list[int | None] = []
        self._url = f"ws://127.0.0.1:{port}/ws"
        self._cookies = cookies
        self._sockets: list[ClientConnection] = []
        self._readers: list[asyncio.Task[None]] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        try:
            self.run(self._open()).result(TIMEOUT)
        except BaseException as error:
            self.__exit__()
            raise CouldNotRun(f"the sockets did not open: {error!r}") from error
        return self

    def __exit__(self, *_: object) -> None:
        self.run(self._close()).result(TIMEOUT)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def run(self, work: Coroutine[Any, Any, None]) -> "Future[None]":
        """Run this on the event loop of the sockets."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def send_in_turns(self, text: str, every: float, seconds: float) -> None:
        """Each socket sends this text once in `every` seconds, evenly spread, for `seconds`."""
        self.run(self._send_evenly(text, every, seconds)).result(seconds + TIMEOUT)

    async def _send_evenly(self, text: str, every: float, seconds: float) -> None:
        began = time.perf_counter()
        gap = every / len(self._sockets)
        for number in range(int(seconds / gap)):
            wait = began + number * gap - time.perf_counter()
            if wait > 0:
                await asyncio.sleep(wait)
            await self._sockets[number % len(self._sockets)].send(text)

    async def _open(self) -> None:
        turn = asyncio.Semaphore(OPENING)

        async def one(cookie: str) -> ClientConnection:
            async with turn:
                connection = await connect(
                    self._url,
                    additional_headers={"Cookie": cookie},
                    proxy=None,
                    ping_interval=None,
                )
                frame = orjson.loads(await connection.recv())
                if frame["type"] != "ready":
                    raise CouldNotRun(f"a socket received {frame}")
                return connection

        self._sockets = await asyncio.gather(*map(one, self._cookies))
        self._readers = [asyncio.create_task(self._read(socket)) for socket in self._sockets]

    async def _read(self, socket: ClientConnection) -> None:
        async for text in socket:
            now = time.perf_counter()
            self.frames += 1
            frame = orjson.loads(text)
            if frame["type"] == "message.created":
                self.received.setdefault(frame["message"]["clientId"], []).append(now)
        self.closed.append(socket.close_code)

    async def _close(self) -> None:
        for reader in self._readers:
            reader.cancel()
        await asyncio.gather(*(socket.close() for socket in self._sockets))

    def wait_for(self, condition: Callable[[], bool], seconds: float = 10.0) -> bool:
        """Wait for the condition; whether it became true in time."""
        deadline = time.monotonic() + seconds
        while not condition() and time.monotonic() < deadline:
            time.sleep(0.05)
        return condition()
