"""How many requests some work may send: a context variable that every attempt asks.

Work that nobody waits for, such as a look at the school, runs in a scope. Each attempt inside, in
whatever thread runs with its context, takes one from the quota before it is sent, and none is
retried.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Take = Callable[[], None]
_take: ContextVar[Take | None] = ContextVar("upstream_request_quota", default=None)


@contextmanager
def quota_scope(take: Take) -> Iterator[None]:
    """Have each attempt inside call `take` first, which raises `QuotaSpent` when none is left."""
    token = _take.set(take)
    try:
        yield
    finally:
        _take.reset(token)


def current_quota() -> Take | None:
    """What an attempt has to call before it is sent; None outside of a scope."""
    return _take.get()
