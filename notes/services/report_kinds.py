"""Reports about notes: who can report one, what staff see of it, and what they can do."""

from contextlib import suppress

import orjson

from accounts.contribution_types import (
    Evidence,
    EvidenceLine,
    ReportAction,
    ReportKind,
    ReportTarget,
)
from accounts.identifiers import read_id
from accounts.services.people import NOBODY, people_of
from notes.errors import NotThere
from notes.limits import EVIDENCE_LENGTH
from notes.models import Note
from notes.richtext.plain_text import plain_text
from notes.services.notes import note_for_owner
from notes.services.share_links import note_for_token, unpublish_note


def find_note(account_id: int, target_id: str) -> ReportTarget:
    """A note by its share link's token, or one of the account's own by its id. Raises: NotThere."""
    note_id = read_id(target_id)
    note = note_for_owner(account_id, note_id) if note_id else note_for_token(target_id)
    return ReportTarget(note.pk.hex, note.account_id)


def note_evidence(target_id: str) -> Evidence | None:
    """The note as it is now, as plain text without links; None when it is gone. It is shown also
    when its owner has revoked the link since the report."""
    note_id = read_id(target_id)
    if note_id is None:
        return None
    rows = Note.objects.select_related("share_link").defer("share_link__address")
    note = rows.filter(pk=note_id).first()
    if note is None:
        return None
    person = people_of([note.account_id]).get(note.account_id, NOBODY)
    document = note.valid_document
    text = note.content if document is None else plain_text(orjson.loads(document)).strip()
    return Evidence(
        title="A note",
        facts=[
            ("Title", note.title),
            ("Status", note.status),
            ("Shared by a link", "yes" if hasattr(note, "share_link") else "not any more"),
        ],
        lines=[
            EvidenceLine(person.username, note.updated_at, text[:EVIDENCE_LENGTH], reported=True)
        ],
    )


def unpublish_reported_note(target_id: str) -> None:
    """End the link of a note, so that only its owner can read it. Does nothing when it is gone."""
    note_id = read_id(target_id)
    if note_id is not None:
        with suppress(NotThere):
            unpublish_note(note_id)


UNPUBLISH_NOTE = ReportAction("unpublish_note", "Take the note offline", unpublish_reported_note)
NOTE_REPORTS = ReportKind("note", find_note, note_evidence, actions=[UNPUBLISH_NOTE])
