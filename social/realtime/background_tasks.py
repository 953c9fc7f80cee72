"""The slow work of one socket, beside the loop that delivers to it."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import DatabaseError, InterfaceError, connections

from social.limits import BACKGROUND_THREADS

P = ParamSpec("P")
T = TypeVar("T")
Job = Callable[[], Awaitable[object]]

logger = logging.getLogger(__name__)
_threads = ThreadPoolExecutor(BACKGROUND_THREADS, thread_name_prefix="socket-background")


class BackgroundTasks:
    """One after another, in order. What goes wrong with one is logged and forgotten: a frame of
    a client is never worth its socket. The client's pace bounds how many wait."""

    def __init__(self) -> None:
        self._waiting: deque[Job] = deque()
        self._runner: asyncio.Task[None] | None = None

    def add(self, job: Job) -> None:
        """Do this soon."""
        self._waiting.append(job)
        if self._runner is None:
            self._runner = asyncio.create_task(self._run())

    def drop(self) -> None:
        """Do nothing more."""
        self._waiting.clear()
        if self._runner is not None:
            self._runner.cancel()

    async def _run(self) -> None:
        while self._waiting:
            job = self._waiting.popleft()
            try:
                await job()
            except OSError:
                pass  # the client is gone
            except (DatabaseError, InterfaceError) as error:
                logger.warning("a frame came to nothing: %s", type(error).__name__)
            except Exception:
                logger.exception("a frame failed")
        self._runner = None


def in_thread(function: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """The function as a coroutine. It may use the database, whose connection is given back."""

    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        finally:
            # The threads are ours: no end of a request gives their connections back.
            connections.close_all()

    return sync_to_async(call, thread_sensitive=False, executor=_threads)
