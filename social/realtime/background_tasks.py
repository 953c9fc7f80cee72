"""The slow work of one socket, done beside the loop that delivers events to it."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import DatabaseError, InterfaceError, connections

from social.limits import BACKGROUND_THREADS

P = ParamSpec("P")
T = TypeVar("T")
Job = Callable[[], Awaitable[object]]

logger = logging.getLogger(__name__)
_threads = ThreadPoolExecutor(BACKGROUND_THREADS, thread_name_prefix="socket-background")


class BackgroundTasks:
    """Runs a socket's jobs one after the other, in order. A failing job is logged and does not
    close the socket. The rate limit of frames bounds how many wait."""

    def __init__(self) -> None:
        self._waiting: deque[Job] = deque()
        self._runner: asyncio.Task[None] | None = None

    def add(self, job: Job) -> None:
        self._waiting.append(job)
        if self._runner is None:
            self._runner = asyncio.create_task(self._run())

    def cancel(self) -> None:
        self._waiting.clear()
        if self._runner is not None:
            self._runner.cancel()

    async def _run(self) -> None:
        while self._waiting:
            job = self._waiting.popleft()
            try:
                await job()
            except OSError:
                pass  # the client has disconnected
            except (DatabaseError, InterfaceError) as error:
                logger.warning("a frame was not handled: %s", type(error).__name__)
            except Exception:
                logger.exception("a frame failed")
        self._runner = None


def in_thread(
    function: Callable[P, T], threads: ThreadPoolExecutor = _threads
) -> Callable[P, Awaitable[T]]:
    """The function as a coroutine that runs in a thread and closes its database connections."""

    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        finally:
            # Django closes connections at the end of a request; these threads have no requests.
            connections.close_all()

    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(threads, partial(call, *args, **kwargs))

    return run
