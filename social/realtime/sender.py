"""Hands events from request threads to the event loop that talks to the channel layer.

A process that serves sockets sends from the loop that serves them, the only one in which the
in-memory layer works. Any other process starts one loop in a thread of its own and keeps its Redis
connection; a new loop for every call would cost the request ten milliseconds.
"""

import asyncio
import atexit
import logging
import os
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

from channels.layers import get_channel_layer

from social.limits import SEND_SECONDS, SENT_AT_ONCE, WAITING_BATCHES
from social.realtime.layers import GroupMessage

logger = logging.getLogger(__name__)


class Sender:
    """Sends batches from the loop. Never blocks and never raises.

    One round trip is under way at a time; the next one takes all batches that came meanwhile.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Start without threads and loops: they do not survive in a forked child."""
        self._lock = threading.Lock()
        self._waiting: deque[Sequence[GroupMessage]] = deque()
        self._dropping = False
        self._serving: asyncio.AbstractEventLoop | None = None
        self._own: asyncio.AbstractEventLoop | None = None
        # The loop that sends the waiting batches; None while nothing waits.
        self._sending: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None

    def serve_from(self, loop: asyncio.AbstractEventLoop) -> None:
        self._serving = loop

    def send(self, batch: Sequence[GroupMessage]) -> None:
        """Send soon, in order. When the layer is down, log a warning."""
        try:
            with self._lock:
                full = len(self._waiting) >= WAITING_BATCHES
                if full and not self._dropping:  # once, not for every event
                    logger.warning("events dropped: the channel layer is too slow")
                self._dropping = full
                if full:
                    return
                self._waiting.append(batch)
                loop = self._loop()
                if self._sending is not loop:
                    loop.call_soon_threadsafe(self._start, loop)
                    self._sending = loop
        except Exception as error:  # noqa: BLE001 - an event never fails a request
            logger.warning("events dropped: %s", type(error).__name__)

    def flush(self) -> None:
        """Wait until what was published is sent, at most for the time of one round trip.

        For the end of a process: a command that suspends somebody must not exit before the event.
        """
        loop = self._sending
        if loop is None or not loop.is_running():
            return
        with suppress(Exception):
            sent = asyncio.run_coroutine_threadsafe(self._finish(), loop)
            sent.result(SEND_SECONDS)

    async def _finish(self) -> None:
        while self._task is not None and not self._task.done():
            await self._task

    def _loop(self) -> asyncio.AbstractEventLoop:
        if self._serving is not None and self._serving.is_running():
            return self._serving
        if self._own is None:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="events", daemon=True).start()
            self._own = loop
        return self._own

    def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        self._task = loop.create_task(self._send_all(loop))

    async def _send_all(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            while batch := self._take(loop):
                await self._deliver(batch)
        finally:
            if self._sending is loop:  # the loop is being closed
                self._sending = None

    def _take(self, loop: asyncio.AbstractEventLoop) -> list[GroupMessage]:
        """The messages of the next round trip; empty when none wait or another loop sends."""
        with self._lock:
            taken: list[GroupMessage] = []
            if self._sending is not loop:
                return taken
            while self._waiting and len(taken) < SENT_AT_ONCE:
                taken += self._waiting.popleft()
            if not taken:
                self._sending = None
            return taken

    async def _deliver(self, batch: Sequence[GroupMessage]) -> None:
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await get_channel_layer().group_send_many(batch)
        except Exception as error:  # noqa: BLE001 - delivery is at most once
            logger.warning("events not sent: %s", type(error).__name__)


sender = Sender()
os.register_at_fork(after_in_child=sender.reset)
atexit.register(sender.flush)
