"""Gates: requests wait at them until a test lets them on."""

import asyncio
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self


class HeldRequests:
    """Holds every request that comes to it. Used as a context manager it opens at the end.

    `arrived` is set when the first request stands there.
    """

    def __init__(self) -> None:
        self.arrived = threading.Event()
        self._condition = threading.Condition()
        self._count = 0
        self._open = False
        self._wakers: list[Callable[[], object]] = []

    @property
    def count(self) -> int:
        """How many requests have come to the gate."""
        with self._condition:
            return self._count

    def wait_for(self, count: int = 1, timeout: float = 10.0) -> None:
        """Block until so many requests have come. Raises: TimeoutError (seconds)."""
        with self._condition:
            if not self._condition.wait_for(lambda: self._count >= count, timeout):
                raise TimeoutError(f"{self._count} of {count} requests came to the gate")

    def release(self) -> None:
        """Let everyone on, now and later."""
        with self._condition:
            self._open = True
            wakers, self._wakers = self._wakers, []
        for wake in wakers:
            wake()

    async def wait_for_release(self) -> None:
        """What a request does here (on the simulator's event loop)."""
        loop = asyncio.get_running_loop()
        opened = asyncio.Event()

        def wake() -> None:
            loop.call_soon_threadsafe(opened.set)

        with self._condition:
            self._count += 1
            self._condition.notify_all()
            if self._open:
                opened.set()
            else:
                self._wakers.append(wake)
        self.arrived.set()
        try:
            await opened.wait()
        finally:
            with self._condition:
                if wake in self._wakers:
                    self._wakers.remove(wake)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()
