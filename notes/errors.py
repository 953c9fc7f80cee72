"""What this app refuses. The status of each is in `wrapper_project/errors.py`."""


class NotesError(Exception):
    """Anything that this app refuses."""


class NotThere(NotesError):
    """It does not exist, or not for the caller."""


class StaleVersion(NotesError):
    """The note was changed elsewhere in the meantime."""


class TooManyKept(NotesError):
    """A bounded list is full."""
