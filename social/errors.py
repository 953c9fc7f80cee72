"""The errors of this app. Their statuses are in `wrapper_project/error_table.py`."""


class SocialError(Exception):
    """Base class."""


class NotThere(SocialError):
    """It does not exist, or the caller may not see it."""


class NotAllowed(SocialError):
    """The caller may see it, but not do this with it."""


class DmRefused(SocialError):
    """The person accepts no messages from the caller: privacy, a block, or protection of pupils."""


class EditWindowClosed(SocialError):
    """The message is too old to be edited."""


class StateConflict(SocialError):
    """Its current state does not allow this."""


class AlreadyFriends(StateConflict):
    """The two are friends already."""


class AlreadyAsked(StateConflict):
    """The request, or the invite, is open already."""


class AlreadyAnswered(StateConflict):
    """The request, or the invite, is answered already."""


class GroupFull(StateConflict):
    """The group has as many members as a group may have."""


class TooManyKept(StateConflict):
    """The limit of friends, blocks, invites or different emoji is reached."""


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
