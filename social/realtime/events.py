"""The events that the service sends over a socket: declared types that refuse unknown fields.

No event is the only copy of anything: a client that missed one reads the change by REST.
"""

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

import orjson

from social.realtime.close_codes import CloseCode

EndReason = Literal["logout", "suspended", "expired"]
Status = Literal["online", "idle", "offline"]


@dataclass(frozen=True, kw_only=True)
class Event:
    """One JSON text frame: `type` and the fields of the class."""

    type: ClassVar[str]

    @property
    def close_code(self) -> CloseCode | None:
        """The socket is closed with this code after the frame; None leaves it open."""
        return None

    def to_text(self) -> str:
        body = {field.name: getattr(self, field.name) for field in fields(self)}
        return orjson.dumps({"type": self.type, **body}).decode()


@dataclass(frozen=True, kw_only=True)
class Ready(Event):
    """The first frame of a socket whose session is valid."""

    type = "ready"
    username: str


class Pong(Event):
    type = "pong"


@dataclass(frozen=True, kw_only=True)
class SocketError(Event):
    """A frame that could not be read, or why the socket is closed next."""

    type = "error"
    code: str


@dataclass(frozen=True, kw_only=True)
class MessageEvent(Event):
    """A message as REST renders it for the recipient; `revision` is the message's."""

    conversationId: str
    revision: int
    message: dict[str, Any]


class MessageCreated(MessageEvent):
    type = "message.created"


class MessageUpdated(MessageEvent):
    """Edited, pinned, unpinned, reacted to."""

    type = "message.updated"


class MessageDeleted(MessageEvent):
    """It was deleted or hidden; `message` is a tombstone."""

    type = "message.deleted"


@dataclass(frozen=True, kw_only=True)
class ConversationEvent(Event):
    """A conversation as REST renders it for the recipient; `revision` is its `infoRevision`."""

    conversationId: str
    revision: int
    conversation: dict[str, Any]


class ConversationCreated(ConversationEvent):
    """The recipient is a member from now on."""

    type = "conversation.created"


class ConversationUpdated(ConversationEvent):
    """Another name, other members, another admin."""

    type = "conversation.updated"


@dataclass(frozen=True, kw_only=True)
class ConversationRemoved(Event):
    type = "conversation.removed"
    conversationId: str


@dataclass(frozen=True, kw_only=True)
class ConversationRead(Event):
    type = "conversation.read"
    conversationId: str
    username: str
    seq: int


@dataclass(frozen=True, kw_only=True)
class ProfileUpdated(Event):
    type = "profile.updated"
    username: str
    displayName: str
    pfpUrl: str


@dataclass(frozen=True, kw_only=True)
class PresenceChanged(Event):
    type = "presence.changed"
    username: str
    status: Status


@dataclass(frozen=True, kw_only=True)
class FriendEvent(Event):
    friendship: dict[str, Any]


class FriendRequested(FriendEvent):
    type = "friend.requested"


class FriendAccepted(FriendEvent):
    type = "friend.accepted"


class FriendRemoved(FriendEvent):
    """A friendship ended, or a request was declined or withdrawn."""

    type = "friend.removed"


@dataclass(frozen=True, kw_only=True)
class InviteEvent(Event):
    invite: dict[str, Any]


class InviteCreated(InviteEvent):
    type = "invite.created"


class InviteResolved(InviteEvent):
    """Accepted, declined or withdrawn."""

    type = "invite.resolved"


@dataclass(frozen=True, kw_only=True)
class Typing(Event):
    type = "typing"
    conversationId: str
    username: str


@dataclass(frozen=True, kw_only=True)
class SessionEnded(Event):
    type = "session.ended"
    reason: EndReason

    @property
    def close_code(self) -> CloseCode:
        return CloseCode.SUSPENDED if self.reason == "suspended" else CloseCode.NO_SESSION
