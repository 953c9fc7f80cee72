"""One piece of work for all callers who ask for it at the same time.

`single_flight` works within one process: the first caller does the work, the others wait for its
result or its error. A leader that hangs is not waited for longer than `wait`.

`best_effort_lock` works across processes when there is Redis: callers take turns, and each must
look for the result that the one before may have left. The lock of a holder that died expires
after `lease`.
"""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, TypeVar

from django.conf import settings

from accounts.errors import StoreUnavailable
from accounts.stores import store
from upstream.deadline import seconds_left
from upstream.errors import BulkheadFull

T = TypeVar("T")

_guard = threading.Lock()
_flights: dict[str, Future[Any]] = {}
_waiting: dict[str, int] = {}


def single_flight(key: str, work: Callable[[], T], *, wait: float) -> T:
    """The result of `work`, which one caller per `key` and process runs at a time.

    Who waits holds a thread of the server, so at most half of the threads wait for one thing.
    Raises what `work` raised, to every caller; `TimeoutError` after `wait` seconds, or when the
    deadline of the waiting request (`upstream.deadline`) passes;
    `BulkheadFull` at once where too many wait already.
    """
    with _guard:
        flight = _flights.get(key)
        leading = flight is None
        if flight is None:
            flight, _waiting[key] = Future(), 0
            _flights[key] = flight
        elif _waiting[key] >= settings.WEB_THREADS // 2:
            raise BulkheadFull("many wait for the same thing already", retry_after=1)
        else:
            _waiting[key] += 1
    if not leading:
        return flight.result(timeout=seconds_left(wait))  # type: ignore[no-any-return]
    try:
        flight.set_result(work())
    except Exception as error:  # noqa: BLE001 - whatever it was, the others hear of it
        flight.set_exception(error)
    finally:
        with _guard:
            del _flights[key], _waiting[key]
        if not flight.done():  # this thread is being stopped: the others ask for themselves
            flight.set_exception(TimeoutError())
    return flight.result()  # type: ignore[no-any-return]


@contextmanager
def best_effort_lock(name: str, *, lease: float, wait: float) -> Iterator[None]:
    """Held by one caller at a time, over all processes that share a store.

    Who does not get it within `wait` seconds goes on without: late is better than never, and the
    work itself must bear it. The same when the store is away.
    """
    with ExitStack() as held:
        with suppress(StoreUnavailable):
            held.enter_context(store().lock(name, lease=lease, wait=wait))
        yield
