"""The frames that wait to be written to one socket.

The server's `send` waits while the client does not read. If the consumer awaited it, messages of
the channel layer would pile up without a bound, and a logout behind them. So a task of its own
writes the frames, and how many wait is bounded: beyond that the client is lagging.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from social.limits import SocketLimits


class WriteQueue:
    """Frames in order, written by one task, which exists only while frames wait.

    `on_lag` is awaited once, when the client is too far behind; nothing is written after that.
    """

    def __init__(
        self,
        write: Callable[[str], Awaitable[None]],
        on_lag: Callable[[], Awaitable[None]],
        limits: SocketLimits,
    ) -> None:
        self._write = write
        self._on_lag = on_lag
        self._limits = limits
        self._frames: deque[str] = deque()
        self._characters = 0
        self._closed = False
        self._writer: asyncio.Task[None] | None = None

    async def put(self, text: str) -> None:
        if self._closed:
            return
        self._frames.append(text)
        self._characters += len(text)
        if (
            len(self._frames) > self._limits.waiting_frames
            or self._characters > self._limits.waiting_characters
        ):
            await self._lag()
        elif self._writer is None:
            self._writer = asyncio.create_task(self._write_all())

    async def flush(self) -> None:
        """Write what waits, if the client reads it in time, and nothing after it."""
        if self._writer is not None and not self._closed:
            await asyncio.wait([self._writer], timeout=self._limits.flush_seconds)
        self.close()

    def close(self) -> None:
        self._closed = True
        self._frames.clear()
        if self._writer is not None and self._writer is not asyncio.current_task():
            self._writer.cancel()

    async def _write_all(self) -> None:
        try:
            while self._frames:
                text = self._frames.popleft()
                async with asyncio.timeout(self._limits.write_seconds):
                    await self._write(text)
                self._characters -= len(text)
            self._writer = None
        except TimeoutError:
            await self._lag()
        except OSError:
            self.close()  # by the ASGI specification: the client has disconnected

    async def _lag(self) -> None:
        self.close()
        await self._on_lag()
