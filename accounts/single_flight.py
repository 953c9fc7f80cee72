"""Doing the same work once for several callers at the same time."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, TypeVar

from django.conf import settings

import store
from store import StoreUnavailable
from upstream.deadline import seconds_left
from upstream.errors import BulkheadFull, UpstreamTimeout

T = TypeVar("T")

_guard = threading.Lock()
_flights: dict[str, Future[Any]] = {}
_waiting: dict[str, int] = {}


def single_flight(key: str, work: Callable[[], T], *, wait: float) -> T:
    """The result of `work`, which one caller per `key` and process runs at a time.

    A waiting caller occupies a thread of the server, so at most half of the threads may wait for
    one key. Raises to every caller what `work` raised; `UpstreamTimeout` after `wait` seconds or at
    the request's deadline (`upstream.deadline`); `BulkheadFull` when too many wait already.
    """
    with _guard:
        flight = _flights.get(key)
        leading = flight is None
        if flight is None:
            flight, _waiting[key] = Future(), 0
            _flights[key] = flight
        elif _waiting[key] >= settings.WEB_THREADS // 2:
            raise BulkheadFull("too many requests wait for the same result", retry_after=1)
        else:
            _waiting[key] += 1
    if not leading:
        try:
            return flight.result(timeout=seconds_left(wait))  # type: ignore[no-any-return]
        except TimeoutError:
            raise UpstreamTimeout from None
    try:
        flight.set_result(work())
    except Exception as error:  # noqa: BLE001 - every caller gets it
        flight.set_exception(error)
    finally:
        with _guard:
            del _flights[key], _waiting[key]
        if not flight.done():  # a BaseException ends this thread: the others must not wait on
            flight.set_exception(UpstreamTimeout())
    return flight.result()  # type: ignore[no-any-return]


@contextmanager
def best_effort_lock(name: str, *, lease: float, wait: float) -> Iterator[None]:
    """A lock that one caller at a time holds, over all processes that share a store; each has to
    look for a result that the previous one stored. It expires after `lease` seconds if its holder
    died.

    After `wait` seconds, and without the store, the caller continues without the lock, so the work
    must be safe to run twice at once.
    """
    with ExitStack() as held:
        with suppress(StoreUnavailable):
            held.enter_context(store.lock(name, lease=lease, wait=wait))
        yield
