"""The frames that wait to be written to one socket, and the close after them.

The server's `send` waits while the client does not read. If the consumer awaited it, messages of
the channel layer would pile up without a bound. So a task of its own writes the frames, and how
many may wait is bounded: a client that is further behind lags, and is closed.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from social.limits import SocketLimits
from social.realtime.close_codes import CloseCode


class WriteQueue:
    """Make it in a running event loop, and cancel it at the end.

    `write` and `close` are those of the consumer: they wait while the client does not read.
    """

    def __init__(
        self,
        write: Callable[[str], Awaitable[None]],
        close: Callable[[int], Awaitable[None]],
        limits: SocketLimits,
    ) -> None:
        self._write = write
        self._close = close
        self._limits = limits
        # None is the end.
        self._frames: asyncio.Queue[str | None] = asyncio.Queue()
        self.close_code: CloseCode | None = None
        self._gone = False
        self._writer = asyncio.create_task(self._write_all())
        self._closer: asyncio.Task[None] | None = None

    def put(self, text: str) -> None:
        """Write the frame soon; after `close`, never."""
        if self.close_code is not None:
            return
        if self._frames.qsize() < self._limits.waiting_frames:
            self._frames.put_nowait(text)
        else:
            self.close(CloseCode.LAGGING)

    def close(self, code: CloseCode) -> None:
        """Close, once, after the frames that wait already, if the client reads them at once; one
        that lags gets none of them."""
        if self.close_code is None:
            self.close_code = code
            self._frames.put_nowait(None)
            self._closer = asyncio.create_task(self._close_soon(code))

    def cancel(self) -> None:
        for task in (self._writer, self._closer):
            if task is not None:
                task.cancel()

    async def _write_all(self) -> None:
        try:
            while self.close_code is not CloseCode.LAGGING and (text := await self._frames.get()):
                async with asyncio.timeout(self._limits.write_seconds):
                    await self._write(text)
        except TimeoutError:
            self.close(CloseCode.LAGGING)
        except OSError:
            self._gone = True  # by the ASGI specification: the client has disconnected

    async def _close_soon(self, code: CloseCode) -> None:
        seconds = 0 if code is CloseCode.LAGGING else self._limits.flush_seconds
        await asyncio.wait([self._writer], timeout=seconds)
        self._writer.cancel()
        if not self._gone:
            with suppress(OSError):
                await self._close(int(code))
