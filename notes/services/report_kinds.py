"""Reports about notes: who can report one, what staff see of it, and what they can do."""

import orjson
from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import (
    Evidence,
    EvidenceLine,
    ReportAction,
    ReportKind,
    ReportTarget,
)
from accounts.identifiers import read_id
from accounts.services.people import NOBODY, people_of
from notes.models import Note
from notes.richtext.plain_text import plain_text
from notes.services.notes import note_for_owner
from notes.services.share_links import allow_sharing, note_for_token, take_down_note


def find_note(account_id: int, target_id: str) -> ReportTarget:
    """A note by its share link's token, or one of the account's own by its id. Raises: NotFound."""
    note_id = read_id(target_id)
    if note_id is None:
        return find_shared_note(target_id)
    return _target(note_for_owner(account_id, note_id))


def find_shared_note(token: str) -> ReportTarget:
    """A note by its share link's token, for anybody. Raises: NotFound."""
    return _target(note_for_token(token))


def _target(note: Note) -> ReportTarget:
    return ReportTarget(note.pk.hex, note.account_id)


def note_evidence(target_id: str) -> Evidence | None:
    """The note as it is now, as plain text without links; None when it is gone. It is shown also
    when its owner has revoked the link since the report."""
    note_id = read_id(target_id)
    note = Note.objects.filter(pk=note_id).first() if note_id else None
    if note is None:
        return None
    person = people_of([note.account_id]).get(note.account_id, NOBODY)
    document = note.valid_document
    text = note.content if document is None else plain_text(orjson.loads(document)).strip()
    line = EvidenceLine(
        key="text",
        author=person.username,
        display_name=person.display_name,
        at=note.created_at,
        text=text,
        edited_at=note.updated_at if note.updated_at != note.created_at else None,
        reported=True,
    )
    return Evidence(
        values={"title": note.title, "status": note.status},
        lines=[line],
        changed_at=note.updated_at,
    )


ALLOW_SHARING = ReportAction(
    "allow_sharing",
    _("Allow sharing again"),
    _("The owner can share the note again, with a new link."),
    allow_sharing,
)
TAKE_DOWN = ReportAction(
    "take_down_note",
    _("Take the note offline"),
    _("Its link ends at once, and the owner cannot share the note again. They keep the note."),
    take_down_note,
    undo=ALLOW_SHARING,
)
NOTE_REPORTS = ReportKind(
    name="note",
    label=_("Note"),
    labels={"title": _("Title"), "status": _("State")},
    codes={"status": dict(Note.Status.choices)},
    find_target=find_note,
    find_public_target=find_shared_note,
    collect_evidence=note_evidence,
    actions=[TAKE_DOWN],
)
