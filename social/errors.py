"""What this app refuses. The status of each is in `wrapper_project/errors.py`."""


class SocialError(Exception):
    """Anything that this app refuses."""


class NotThere(SocialError):
    """It does not exist, or the caller may not know that it does."""


class NotAllowed(SocialError):
    """The caller sees it, and may not do that with it."""


class DmRefused(SocialError):
    """Privacy, a block or the protection of pupils: the person takes no message from the caller."""


class EditWindowClosed(SocialError):
    """The message is too old to be edited."""


class StateConflict(SocialError):
    """As it stands now, that cannot be done."""


class AlreadyFriends(StateConflict):
    """There is a friendship already."""


class AlreadyAsked(StateConflict):
    """The request, or the invite, is open already."""


class AlreadyAnswered(StateConflict):
    """The request, or the invite, is answered already."""


class GroupFull(StateConflict):
    """The group has as many members as a group may have."""


class TooManyKept(StateConflict):
    """A bounded list is full."""


class MessageGone(StateConflict):
    """The message was deleted."""


class ClientIdReused(StateConflict):
    """The same `clientId` was sent with something else."""


class IvReused(StateConflict):
    """The sender has encrypted another message of this conversation with the same IV."""


class NotForEncrypted(SocialError):
    """An encrypted conversation takes no plaintext, no card and no such edit."""


class WrongEnvelope(SocialError):
    """Not the form of an encrypted message."""
