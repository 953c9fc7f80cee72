"""The deadline of all upstream calls that are made for one request.

It is a context variable: `contextvars.copy_context().run` carries it into another thread.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

# For one exchange, and for all calls of one reading request together.
TOTAL_SECONDS: Final = 8.0

_deadline: ContextVar[float] = ContextVar("upstream_deadline", default=math.inf)


@contextmanager
def deadline_scope(moment: float) -> Iterator[None]:
    """End the calls inside by `moment` (`time.monotonic()`), or by an earlier outer deadline."""
    token = _deadline.set(min(moment, _deadline.get()))
    try:
        yield
    finally:
        _deadline.reset(token)


@contextmanager
def own_deadline() -> Iterator[None]:
    """The calls inside have their own time, such as one that cleans up after a deadline."""
    token = _deadline.set(math.inf)
    try:
        yield
    finally:
        _deadline.reset(token)


def current_deadline() -> float:
    """The deadline that applies here (`time.monotonic()`); infinity if there is none."""
    return _deadline.get()


def seconds_left(most: float) -> float:
    """The seconds until the deadline, at least 0 and at most `most`."""
    return max(0.0, min(most, _deadline.get() - time.monotonic()))
