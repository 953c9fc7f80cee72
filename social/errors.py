"""The errors of this app. Their statuses are in `wrapper_project/error_table.py`."""


class SocialError(Exception):
    """Base class."""


class NotAllowed(SocialError):
    """The caller may see it, but not do this with it."""


class DmRefused(SocialError):
    """The person accepts no messages from the caller: privacy, a block, or protection of pupils.

    `fields` names those whom a group cannot invite: {field of the request: [username, ...]}.
    """

    def __init__(self, fields: dict[str, list[str]] | None = None) -> None:
        super().__init__()
        self.fields = fields or {}


class AdultNotKnown(SocialError):
    """An adult joins a group only while all pupils in it are friends of theirs."""


class RequestRefused(SocialError):
    """An adult does not ask a pupil to be friends: the pupil asks first."""


class EditWindowClosed(SocialError):
    """The message is too old to be edited."""


class StateConflict(SocialError):
    """Its current state does not allow this."""


class NotAGroup(StateConflict):
    """A direct conversation has no name, no admin and no invites, and nobody leaves it."""


class AlreadyMember(StateConflict):
    """The person is in the group already."""


class CannotJoin(StateConflict):
    """Whoever sent the invite may not bring this person into the group any more."""


class AlreadyFriends(StateConflict):
    """The two are friends already."""


class AlreadyAsked(StateConflict):
    """The request, or the invite, is open already."""


class AskedRecently(StateConflict):
    """The person declined the caller's request not long ago, or was asked too often."""


class AlreadyAnswered(StateConflict):
    """The request, or the invite, is answered already."""


class DeclinedRecently(StateConflict):
    """The person declined an invite a short time ago. `fields` as in `DmRefused`."""

    def __init__(self, fields: dict[str, list[str]]) -> None:
        super().__init__()
        self.fields = fields


class MembersChanged(StateConflict):
    """Somebody whom the invited person should know of has joined since they read the invite."""


class GroupFull(StateConflict):
    """The group has as many members as a group may have."""


class MessageGone(StateConflict):
    """The message was deleted."""


class ClientIdReused(StateConflict):
    """The same `clientId` was sent with other content."""


class IvReused(StateConflict):
    """The sender has encrypted another message of this conversation with the same IV."""


class NotForEncrypted(SocialError):
    """An encrypted conversation accepts no plaintext and no card."""


class WrongEnvelope(SocialError):
    """The content does not have the form of an encrypted message."""


class CaseChanged(StateConflict):
    """Another member of staff has acted in the case in the meantime."""


class NothingToDo(StateConflict):
    """It is like that already."""


class PersonReportedIt(StateConflict):
    """The person to act on is one of those who reported it, and this was not confirmed."""
