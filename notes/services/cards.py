"""A note as a card in a message: its title and its text, without the formatting."""

import re
from typing import Any

import orjson
from django.utils import timezone

from accounts.callers import Caller
from accounts.identifiers import require_id
from accounts.timestamps import milliseconds
from notes.limits import CARD_TEXT_LENGTH, CARD_TITLE_LENGTH
from notes.models import Note
from notes.richtext.plain_text import plain_text, shorten
from notes.services.notes import note_for_owner


def build_note_card(caller: Caller, note_id_text: str) -> dict[str, Any]:
    """The card of one of the caller's own notes. Raises: NotFound for any other id."""
    note = note_for_owner(caller.account_id, require_id(note_id_text))
    return {
        "type": "note",
        "noteId": note.pk.hex,
        "title": shorten(note.title, CARD_TITLE_LENGTH),
        "preview": note.excerpt,
        "fullContent": _text(note),
        "status": note.status,
        "sharedAt": milliseconds(timezone.now()),
    }


def _text(note: Note) -> str:
    """The note as plain text with a line for each block, cut where it is too long for a card."""
    document, text = note.valid_document, note.content
    if document is not None:
        text = re.sub(r"\n{2,}", "\n", plain_text(orjson.loads(document), separator="\n")).strip()
    return text if len(text) <= CARD_TEXT_LENGTH else f"{text[: CARD_TEXT_LENGTH - 1]}…"
