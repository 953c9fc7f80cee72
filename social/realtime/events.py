"""The events that the service sends over a socket: declared types that refuse unknown fields.

No event is the only copy of anything: a client that missed one reads the change by REST.
"""

from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, Literal

import orjson

from accounts.services.people import UserType
from social.realtime.close_codes import CloseCode

EndReason = Literal["logout", "suspended", "expired"]
Status = Literal["online", "idle", "offline"]


# An object as REST has it, with its name in the OpenAPI document.
MessageJson = Annotated[dict[str, Any], "Message"]
ConversationJson = Annotated[dict[str, Any], "Conversation"]
FriendshipJson = Annotated[dict[str, Any], "Friendship"]
InviteJson = Annotated[dict[str, Any], "Invite"]
NotificationJson = Annotated[dict[str, Any], "Notification"]


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
    """The answer to `ping`."""

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
    message: MessageJson


class MessageCreated(MessageEvent):
    """A new message, for all members and the other clients of its sender."""

    type = "message.created"


class MessageUpdated(MessageEvent):
    """A message was edited, pinned, unpinned, reacted to, or is shown again."""

    type = "message.updated"


class MessageDeleted(MessageEvent):
    """A message was deleted or hidden. Its number, sender and times stay."""

    type = "message.deleted"


@dataclass(frozen=True, kw_only=True)
class ConversationEvent(Event):
    """A conversation as REST renders it for the recipient; `revision` is its `infoRevision`."""

    conversationId: str
    revision: int
    conversation: ConversationJson


class ConversationCreated(ConversationEvent):
    """The recipient is a member of this conversation from now on."""

    type = "conversation.created"


class ConversationUpdated(ConversationEvent):
    """A conversation has another name, other members or another admin."""

    type = "conversation.updated"


@dataclass(frozen=True, kw_only=True)
class ConversationRemoved(Event):
    """The recipient is no longer a member, and receives nothing more of it."""

    type = "conversation.removed"
    conversationId: str


@dataclass(frozen=True, kw_only=True)
class ConversationRead(Event):
    """A member has read the messages up to `seq`."""

    type = "conversation.read"
    conversationId: str
    username: str
    seq: int


@dataclass(frozen=True, kw_only=True)
class ProfileUpdated(Event):
    """A new name or picture of the recipient, a friend, or a member of one's conversations; also a
    new warning in one's own profile."""

    type = "profile.updated"
    username: str
    displayName: str
    userType: UserType
    realName: str | None
    pfpUrl: str


@dataclass(frozen=True, kw_only=True)
class PresenceChanged(Event):
    """A friend came online or went offline."""

    type = "presence.changed"
    username: str
    status: Status


@dataclass(frozen=True, kw_only=True)
class FriendEvent(Event):
    friendship: FriendshipJson


class FriendRequested(FriendEvent):
    """Somebody asks to be a friend; for both people."""

    type = "friend.requested"


class FriendAccepted(FriendEvent):
    """A request was accepted; for both people."""

    type = "friend.accepted"


class FriendRemoved(FriendEvent):
    """A friendship ended, or a request was declined or withdrawn; for both people."""

    type = "friend.removed"


@dataclass(frozen=True, kw_only=True)
class InviteEvent(Event):
    invite: InviteJson


class InviteCreated(InviteEvent):
    """The recipient is invited into a group."""

    type = "invite.created"


class InviteResolved(InviteEvent):
    """An invite was accepted, declined or withdrawn."""

    type = "invite.resolved"


@dataclass(frozen=True, kw_only=True)
class NotificationCreated(Event):
    """The recipient has a new notification."""

    type = "notification.created"
    notification: NotificationJson


@dataclass(frozen=True, kw_only=True)
class NotificationRead(Event):
    """The recipient has read or deleted these notifications. `unread` is how many are left."""

    type = "notification.read"
    ids: list[str]
    unread: int


@dataclass(frozen=True, kw_only=True)
class Typing(Event):
    """Another member is typing. Remove the indicator after a few seconds."""

    type = "typing"
    conversationId: str
    username: str


@dataclass(frozen=True, kw_only=True)
class SessionEnded(Event):
    """The session has ended. The socket is closed next."""

    type = "session.ended"
    reason: EndReason

    @property
    def close_code(self) -> CloseCode:
        return CloseCode.SUSPENDED if self.reason == "suspended" else CloseCode.NO_SESSION
