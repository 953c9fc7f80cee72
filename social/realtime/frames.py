"""What a client may say: one JSON text frame, read strictly."""

from collections import deque
from typing import Literal

import orjson

Known = Literal["ping"]
# Declared by the contract, for what is not there yet.
_LATER = frozenset({"typing", "presence"})


class BadFrame(Exception):
    """A frame that means nothing to us. `code` goes back to the client; the socket stays."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def read_frame(text: str) -> Known:
    """The `type` of a frame that we understand; other fields are ignored.

    Raises: BadFrame.
    """
    try:
        frame = orjson.loads(text)
    except orjson.JSONDecodeError:  # NaN, lone surrogates and deep nesting too
        raise BadFrame("invalid_json") from None
    kind = frame.get("type") if isinstance(frame, dict) else None
    if kind == "ping":
        return "ping"
    if isinstance(kind, str) and kind in _LATER:
        raise BadFrame("unsupported")
    raise BadFrame("unknown_type")


class Pace:
    """A moving window: at most `frames` in any `seconds`."""

    def __init__(self, frames: int, seconds: float) -> None:
        self._seconds = seconds
        self._times: deque[float] = deque(maxlen=frames)

    def admits(self, now: float) -> bool:
        """Count one frame at `now` (seconds, monotonic)."""
        times = self._times
        if len(times) == times.maxlen and now - times[0] < self._seconds:
            return False
        times.append(now)
        return True
