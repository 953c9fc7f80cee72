"""The errors of this app. `wrapper_project/error_table.py` has their statuses."""

from collections.abc import Sequence
from typing import Any

from accounts.errors import InvalidInput, Sentence


class TakenDown(Exception):
    """Staff have ended the note's link, and its owner cannot share it again."""


class StaleVersion(Exception):
    """The note was changed in the meantime. `details` holds the stored note."""

    def __init__(self, note: dict[str, Any]) -> None:
        super().__init__()
        self.details = {"note": note}


class QuotaExceeded(Exception):
    """The notes of the account would be larger in total than they may be."""


class InvalidDocument(InvalidInput):
    """The content of a note is not a valid document. `path` leads to the wrong part."""

    def __init__(self, path: Sequence[str], sentence: Sentence) -> None:
        super().__init__({"content": [f"doc{''.join(path)}: {sentence}"]})
