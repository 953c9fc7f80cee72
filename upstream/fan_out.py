"""Makes many calls to one school at once and returns their results in order.

The calling thread acquires a slot for each call before it submits the call to the client's pool.
So a pool thread never waits for a slot, and a school that hangs occupies no more pool threads than
it may have calls in flight: a quarter of the pool.
"""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from contextlib import ExitStack
from contextvars import copy_context
from typing import Final, TypeVar

from upstream.client import UpstreamClient
from upstream.errors import (
    BulkheadFull,
    CircuitOpen,
    NotForThisRole,
    SessionDead,
    UpstreamError,
    UpstreamNotFound,
    UpstreamTimeout,
)
from upstream.person import current_person
from upstream.school_guard import SchoolGuard

T = TypeVar("T")

# Upstream has none of what was asked for, or refuses it.
REFUSED: Final = (NotForThisRole, UpstreamNotFound)
# Seconds after the deadline, for calls that end at the last moment.
_GRACE: Final = 0.3


def gather(
    client: UpstreamClient, school: str, calls: Sequence[Callable[[], T]]
) -> list[T | UpstreamError]:
    """Make all calls at once, in one request scope, and return their results in order.

    The result of a failed call is its UpstreamError: BulkheadFull if it got no slot,
    UpstreamTimeout if it did not end by the deadline. The calls run in other threads with the
    context of this one, and must not touch the database.

    Raises: SessionDead as soon as one call raises it, and any other exception of a call that is
    not an UpstreamError; the calls not sent by then are dropped. CircuitOpen and BulkheadFull if
    the request scope cannot be opened.
    """
    if not calls:
        return []
    timed_out = UpstreamTimeout("the exchange took too long")
    not_sent: UpstreamError = timed_out
    sent: list[Future[T | UpstreamError]] = []
    over = threading.Event()
    with client.request_scope(school, person=current_person()) as guard:
        deadline = client.deadline()
        for call in calls:
            # While these calls are in flight, their slots will become free: wait for them.
            in_flight = any(not future.done() for future in reversed(sent))
            left = max(0.0, deadline - time.monotonic())
            try:
                slot = guard.acquire(left if in_flight else None)
            except (CircuitOpen, BulkheadFull) as error:
                not_sent = error
                break
            sent.append(client.pool.submit(copy_context().run, _make, call, guard, slot, over))
            if over.is_set():
                break
        left = max(0.0, deadline - time.monotonic())
        ended, _ = wait(sent, left + _GRACE, FIRST_EXCEPTION)
        over.set()  # calls still queued in the pool must not be sent any more
    results = [future.result() if future in ended else timed_out for future in sent]
    return results + [not_sent] * (len(calls) - len(sent))


def _make(
    call: Callable[[], T], guard: SchoolGuard, slot: ExitStack, over: threading.Event
) -> T | UpstreamError:
    """Make one call, in a thread of the pool, unless the fan-out is over. An exception ends it."""
    guard.use_slot()
    with slot:
        try:
            if over.is_set():
                return UpstreamTimeout("no time was left to send")
            return call()
        except BaseException as error:
            if isinstance(error, UpstreamError) and not isinstance(error, SessionDead):
                return error
            over.set()
            raise


def value_or_raise(result: T | UpstreamError) -> T:
    """The value of a result of `gather`. Raises: the error that stands there instead."""
    if isinstance(result, UpstreamError):
        raise result
    return result


def value_or_empty(result: T | UpstreamError, empty: T) -> T:
    """The same, or `empty` where upstream has none or refuses it. Raises: any other error."""
    if isinstance(result, REFUSED):
        return empty
    return value_or_raise(result)
