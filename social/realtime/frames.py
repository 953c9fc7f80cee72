"""The frames that a client may send: JSON text, read strictly."""

from collections import deque
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

import orjson

from accounts.identifiers import read_id

Status = Literal["online", "idle", "offline"]
_STATUSES: tuple[Status, ...] = ("online", "idle", "offline")


class BadFrame(Exception):
    """A frame that cannot be read. `code` goes back to the client; the socket stays open."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class PingFrame:
    """Keeps the socket open; answered with `pong`."""


@dataclass(frozen=True, slots=True)
class TypingFrame:
    """The person is typing in this conversation."""

    conversation_id: UUID


@dataclass(frozen=True, slots=True)
class PresenceFrame:
    """A heartbeat, or the end of presence."""

    status: Status


Frame = PingFrame | TypingFrame | PresenceFrame


def read_frame(text: str) -> Frame:
    """Parse a frame; unknown fields are ignored. Raises: BadFrame."""
    try:
        frame = orjson.loads(text)
    except orjson.JSONDecodeError:  # NaN, lone surrogates and deep nesting too
        raise BadFrame("invalid_json") from None
    kind = frame.get("type") if isinstance(frame, dict) else None
    if kind == "ping":
        return PingFrame()
    if kind == "typing":
        return TypingFrame(_conversation(frame))
    if kind == "presence":
        return PresenceFrame(_status(frame))
    raise BadFrame("unknown_type")


def _conversation(frame: dict[str, Any]) -> UUID:
    found = read_id(frame.get("conversationId"))
    if found is None:
        raise BadFrame("invalid_input")
    return found


def _status(frame: dict[str, Any]) -> Status:
    given = frame.get("status", "online")
    for status in _STATUSES:
        if given == status:
            return status
    raise BadFrame("invalid_input")


class FrameRateLimit:
    """A sliding window: at most `frames` in any `seconds`."""

    def __init__(self, frames: int, seconds: float) -> None:
        self._seconds = seconds
        self._times: deque[float] = deque(maxlen=frames)

    def allows(self, now: float) -> bool:
        """Count one frame at `now` (seconds, monotonic); False when there were too many."""
        times = self._times
        if len(times) == times.maxlen and now - times[0] < self._seconds:
            return False
        times.append(now)
        return True
