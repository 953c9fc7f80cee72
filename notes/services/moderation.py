"""What staff see of a reported note, and what they do about it."""

from contextlib import suppress
from typing import Any

import orjson

from accounts.identifiers import read_id
from accounts.services.people import NOBODY, people_of
from notes.errors import NotThere
from notes.limits import EXHIBIT_LENGTH
from notes.models import Note
from notes.richtext.plain import text_of
from notes.services.share_links import unpublish_note


def note_exhibit(target_id: str) -> dict[str, Any] | None:
    """The note as it is now, in words and without its links; None where it is gone.

    Also when its owner has taken the link back since: that must not undo a report.
    """
    note_id = read_id(target_id)
    if note_id is None:
        return None
    kept = Note.objects.select_related("share_link").defer("share_link__address")
    note = kept.filter(pk=note_id).first()
    if note is None:
        return None
    person = people_of([note.account_id]).get(note.account_id, NOBODY)
    return {
        "title": "A note",
        "facts": [
            ("Title", note.title),
            ("Status", note.status),
            ("Shared by a link", "yes" if hasattr(note, "share_link") else "not any more"),
        ],
        "lines": [
            {
                "who": person.username,
                "at": note.updated_at,
                "text": _words(note)[:EXHIBIT_LENGTH],
                "reported": True,
            }
        ],
    }


def unpublish_reported_note(target_id: str) -> None:
    """Nobody but its owner reads it from now on. A note that is gone needs nothing."""
    note_id = read_id(target_id)
    if note_id is not None:
        with suppress(NotThere):
            unpublish_note(note_id)


def _words(note: Note) -> str:
    document = note.valid_document
    return note.content if document is None else text_of(orjson.loads(document)).strip()
