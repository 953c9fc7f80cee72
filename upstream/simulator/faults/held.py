"""Requests that wait until a test releases them, so that tests of races need no sleeping."""

import asyncio
import threading
from collections.abc import Callable
from typing import Self


class HeldRequests:
    """The requests that wait at one point. As a context manager it releases them at the end."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._count = 0
        self._released = False
        self._wakers: list[Callable[[], object]] = []

    @property
    def count(self) -> int:
        """How many requests have arrived."""
        with self._condition:
            return self._count

    def wait_for(self, count: int = 1, timeout: float = 10.0) -> None:
        """Block until this many requests have arrived. Raises: TimeoutError (seconds)."""
        with self._condition:
            if not self._condition.wait_for(lambda: self._count >= count, timeout):
                raise TimeoutError(f"{self._count} of {count} requests arrived")

    def release(self) -> None:
        """Let all requests continue, those that arrive later too."""
        with self._condition:
            self._released = True
            wakers, self._wakers = self._wakers, []
        for wake in wakers:
            wake()

    async def wait_for_release(self) -> None:
        """Called by a request, on the simulator's event loop."""
        loop = asyncio.get_running_loop()
        released = asyncio.Event()

        def wake() -> None:
            loop.call_soon_threadsafe(released.set)

        with self._condition:
            self._count += 1
            self._condition.notify_all()
            if self._released:
                released.set()
            else:
                self._wakers.append(wake)
        try:
            await released.wait()
        finally:
            with self._condition:
                if wake in self._wakers:
                    self._wakers.remove(wake)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
