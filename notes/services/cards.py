"""A note as a card in a message: title and preview, not the note itself."""

from typing import Any

from django.utils import timezone

from accounts.callers import Caller
from accounts.identifiers import read_id
from accounts.timestamps import milliseconds
from notes.errors import NotThere
from notes.limits import CARD_TITLE_LENGTH
from notes.richtext.plain_text import shorten
from notes.services.notes import note_for_owner


def build_note_card(caller: Caller, note_id_text: str) -> dict[str, Any]:
    """The card of one of the caller's own notes. Raises: NotThere for any other id."""
    note_id = read_id(note_id_text)
    if note_id is None:
        raise NotThere
    note = note_for_owner(caller.account_id, note_id)
    return {
        "type": "note",
        "noteId": note.pk.hex,
        "title": shorten(note.title, CARD_TITLE_LENGTH),
        "preview": note.excerpt,
        "status": note.status,
        "sharedAt": milliseconds(timezone.now()),
    }
