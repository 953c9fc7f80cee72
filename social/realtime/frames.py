"""The frames that a client may send: JSON text, read strictly."""

from collections import deque
from dataclasses import dataclass
from typing import ClassVar
from uuid import UUID

import orjson

from accounts.identifiers import read_id
from social.realtime.events import Status
from social.services.presence import STATUSES


class BadFrame(Exception):
    """A frame that cannot be read. `code` goes back to the client; the socket stays open."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Frame:
    """`type` and the fields of the class, of which those with a default may be left out."""

    type: ClassVar[str]


@dataclass(frozen=True)
class PingFrame(Frame):
    """Keeps the socket open. Send one about once a minute; it is answered with `pong`."""

    type = "ping"


@dataclass(frozen=True)
class TypingFrame(Frame):
    """Passed on to the other members, at most once in two seconds for each conversation."""

    type = "typing"
    conversationId: UUID


@dataclass(frozen=True)
class PresenceFrame(Frame):
    """A heartbeat. `idle` is one too; `offline` ends presence at once."""

    type = "presence"
    status: Status = "online"


def read_frame(text: str) -> PingFrame | TypingFrame | PresenceFrame:
    """Parse a frame; unknown fields are ignored. Raises: BadFrame."""
    try:
        frame = orjson.loads(text)
    except orjson.JSONDecodeError:  # NaN, lone surrogates and deep nesting too
        raise BadFrame("invalid_json") from None
    kind = frame.get("type") if isinstance(frame, dict) else None
    if kind == PingFrame.type:
        return PingFrame()
    if kind == TypingFrame.type:
        conversation_id = read_id(frame.get("conversationId"))
        if conversation_id is None:
            raise BadFrame("invalid_input")
        return TypingFrame(conversation_id)
    if kind == PresenceFrame.type:
        status = frame.get("status", PresenceFrame.status)
        if status not in STATUSES:
            raise BadFrame("invalid_input")
        return PresenceFrame(status)
    raise BadFrame("unknown_type")


class TypingRateLimit:
    """At most one `typing` frame of each conversation in `seconds`."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        # When the last one of each conversation was passed on.
        self._passed_at: dict[UUID, float] = {}

    def allows(self, conversation_id: UUID, now: float) -> bool:
        """Whether a frame at `now` (seconds, monotonic) is passed on."""
        self._passed_at = {
            key: at for key, at in self._passed_at.items() if at > now - self._seconds
        }
        if conversation_id in self._passed_at:
            return False
        self._passed_at[conversation_id] = now
        return True


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
