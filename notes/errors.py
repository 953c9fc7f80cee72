"""What this app refuses. The status of each is in `wrapper_project/errors.py`."""

from typing import Any

from accounts.errors import InvalidInput


class NotesError(Exception):
    """Anything that this app refuses."""


class NotThere(NotesError):
    """It does not exist, or not for the caller."""


class StaleVersion(NotesError):
    """The note was changed elsewhere in the meantime. `details` holds it as it is now."""

    def __init__(self, note: dict[str, Any]) -> None:
        super().__init__()
        self.details = {"note": note}


class TooManyKept(NotesError):
    """A bounded list is full."""


class InvalidDocument(InvalidInput):
    """A note's content is no document that is let in; says where in it, and why."""

    def __init__(self, place: str, sentence: str) -> None:
        super().__init__({"content": [f"{place}: {sentence}" if place else sentence]})
