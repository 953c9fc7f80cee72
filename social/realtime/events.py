"""What the service says over a socket: declared types that refuse unknown fields.

No event is the only copy of anything: a client that missed one asks again by REST.
"""

from dataclasses import dataclass, fields
from typing import ClassVar, Literal

import orjson

from social.realtime.close_codes import CloseCode

EndReason = Literal["logout", "suspended", "expired"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One JSON text frame: `type` and the fields of the class."""

    type: ClassVar[str]

    @property
    def close_code(self) -> CloseCode | None:
        """The socket is closed with this code after the frame; None leaves it open."""
        return None

    def to_text(self) -> str:
        """The frame."""
        body = {field.name: getattr(self, field.name) for field in fields(self)}
        return orjson.dumps({"type": self.type, **body}).decode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready(Event):
    """The first frame of a socket whose session is good."""

    type = "ready"
    username: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pong(Event):
    """The answer to `ping`."""

    type = "pong"


@dataclass(frozen=True, slots=True, kw_only=True)
class SocketError(Event):
    """Something that the client did, or that keeps us from serving it."""

    type = "error"
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnded(Event):
    """The session behind the socket is over."""

    type = "session.ended"
    reason: EndReason

    @property
    def close_code(self) -> CloseCode:
        return CloseCode.SUSPENDED if self.reason == "suspended" else CloseCode.NO_SESSION
