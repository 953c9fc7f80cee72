"""Concurrent calls, each in a thread with its own database connection."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import Any, TypeVar

from django.db import connections

T = TypeVar("T")
Start = Callable[[Callable[[], Any]], "Future[Any]"]


def _then_close_connections(call: Callable[[], T]) -> T:
    try:
        return call()
    finally:
        connections.close_all()


@contextmanager
def crowd(size: int) -> Iterator[Start]:
    """Yields a function that starts a call in a thread; waits for all calls at the end."""
    with ThreadPoolExecutor(size) as pool:
        yield lambda call: pool.submit(_then_close_connections, call)


def wait_until(happened: Callable[[], bool], seconds: float = 30, *, pause: float = 0.01) -> None:
    """Ask again and again, where nothing announces it. Raises: TimeoutError."""
    end = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(pause)


def at_once(calls: Sequence[Callable[[], T]]) -> list[T]:
    """Start all calls at the same time; returns their results in order.

    A client of tests works in one thread at a time: give each call its own (`Caller.twin`).
    """
    barrier = Barrier(len(calls))

    def go(call: Callable[[], T]) -> T:
        barrier.wait(10)
        return call()

    with crowd(len(calls)) as start:
        running = [start(lambda call=call: go(call)) for call in calls]  # type: ignore[misc]
        return [one.result(60) for one in running]
