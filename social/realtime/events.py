"""What the service says over a socket: declared types that refuse unknown fields.

No event is the only copy of anything: a client that missed one asks again by REST.
"""

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

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
class MessageEvent(Event):
    """Something about one message, as the REST answer shows it; `revision` is its own."""

    conversationId: str
    revision: int
    message: dict[str, Any]


class MessageCreated(MessageEvent):
    """A new message."""

    __slots__ = ()
    type = "message.created"


class MessageUpdated(MessageEvent):
    """Edited, pinned, unpinned, reacted to."""

    __slots__ = ()
    type = "message.updated"


class MessageDeleted(MessageEvent):
    """What is left of it."""

    __slots__ = ()
    type = "message.deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationEvent(Event):
    """A conversation as its receiver would read it; `revision` is that of its own last change."""

    conversationId: str
    revision: int
    conversation: dict[str, Any]


class ConversationCreated(ConversationEvent):
    """A conversation that the receiver is in from now on."""

    __slots__ = ()
    type = "conversation.created"


class ConversationUpdated(ConversationEvent):
    """Another name, other members, another admin."""

    __slots__ = ()
    type = "conversation.updated"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationRemoved(Event):
    """The receiver is in it no more."""

    type = "conversation.removed"
    conversationId: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationRead(Event):
    """Somebody has read as far as `seq`."""

    type = "conversation.read"
    conversationId: str
    username: str
    seq: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileUpdated(Event):
    """A new name or picture."""

    type = "profile.updated"
    username: str
    displayName: str
    pfpUrl: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceChanged(Event):
    """Of a friend."""

    type = "presence.changed"
    username: str
    status: Literal["online", "idle", "offline"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FriendEvent(Event):
    """A friendship, as the REST answer shows it."""

    friendship: dict[str, Any]


class FriendRequested(FriendEvent):
    """Somebody asks the receiver."""

    __slots__ = ()
    type = "friend.requested"


class FriendAccepted(FriendEvent):
    """Two people are friends."""

    __slots__ = ()
    type = "friend.accepted"


class FriendRemoved(FriendEvent):
    """They are not, or not asked, any more."""

    __slots__ = ()
    type = "friend.removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class InviteEvent(Event):
    """An invite, as the REST answer shows it."""

    invite: dict[str, Any]


class InviteCreated(InviteEvent):
    """Somebody invites the receiver."""

    __slots__ = ()
    type = "invite.created"


class InviteResolved(InviteEvent):
    """Accepted, declined or withdrawn."""

    __slots__ = ()
    type = "invite.resolved"


@dataclass(frozen=True, slots=True, kw_only=True)
class Typing(Event):
    """Somebody writes right now."""

    type = "typing"
    conversationId: str
    username: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnded(Event):
    """The session behind the socket is over."""

    type = "session.ended"
    reason: EndReason

    @property
    def close_code(self) -> CloseCode:
        return CloseCode.SUSPENDED if self.reason == "suspended" else CloseCode.NO_SESSION
