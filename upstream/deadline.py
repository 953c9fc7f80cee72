"""The deadline of all calls made for one request, in its thread and in those that it starts.

The moment is in a context variable: `contextvars.copy_context().run` carries it into a thread.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

# The longest that one exchange, or everything for one reading request, may take.
TOTAL_SECONDS: Final = 8.0

_end: ContextVar[float] = ContextVar("upstream_deadline", default=math.inf)


@contextmanager
def deadline_scope(moment: float) -> Iterator[None]:
    """Calls inside have ended by `moment` (`time.monotonic()`), or by what an outer one says."""
    token = _end.set(min(moment, _end.get()))
    try:
        yield
    finally:
        _end.reset(token)


def current_deadline() -> float:
    """The moment by which calls made here have ended; infinity where nothing was said."""
    return _end.get()


def seconds_left(most: float) -> float:
    """What is left until then, at least 0 and at most `most`."""
    return max(0.0, min(most, _end.get() - time.monotonic()))
