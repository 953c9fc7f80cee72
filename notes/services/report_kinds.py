"""Reports about notes: who can report one, what staff see of it, and what they can do."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import (
    EarlierText,
    Evidence,
    EvidenceLine,
    ReportAction,
    ReportKind,
    ReportTarget,
)
from accounts.errors import NotFound
from accounts.identifiers import read_id
from accounts.models import KeptText
from accounts.services.kept_texts import kept_target, kept_texts
from accounts.services.people import NOBODY, people_of
from notes.models import EndedLink, Note
from notes.models.share_links import hash_token
from notes.services.kept_notes import NOTE, note_text
from notes.services.notes import note_for_owner
from notes.services.share_links import allow_sharing, note_for_token, take_down_note


def find_note(account_id: int, target_id: str) -> ReportTarget:
    """A note by its share link's token, or one of the account's own by its id. Raises: NotFound."""
    note_id = read_id(target_id)
    if note_id is None:
        return find_shared_note(target_id)
    return _target(note_for_owner(account_id, note_id))


def find_shared_note(token: str) -> ReportTarget:
    """A note by its share link's token, for anybody; also by a link that was ended in the last
    fourteen days, and had been read. Raises: NotFound."""
    try:
        return _target(note_for_token(token))
    except NotFound:
        return _target_of_ended_link(token)


def _target(note: Note) -> ReportTarget:
    return ReportTarget(note.pk.hex, note.account_id)


def _target_of_ended_link(token: str) -> ReportTarget:
    """The note may be deleted, and its account erased. Raises: NotFound."""
    link = EndedLink.objects.filter(address_hash=hash_token(token)).first()
    texts = _kept(link.note_id.hex, link.ended_at) if link else []
    if link is None or not texts:
        raise NotFound
    return kept_target(texts[-1], seen_until=link.ended_at)


def _kept(note_id: str, until: datetime | None) -> list[KeptText]:
    """What is kept of a note that was read by a link, of until then; the oldest first."""
    rows = kept_texts(NOTE, [note_id]).get(note_id, [])
    return [row for row in rows if until is None or row.gone_at <= until]


def note_evidence(target_id: str) -> Evidence | None:
    """The note as it is now, as plain text without links; None when it is gone. It is shown also
    when its owner has revoked the link since the report."""
    note_id = read_id(target_id)
    note = Note.objects.filter(pk=note_id).first() if note_id else None
    if note is None:
        return None
    person = people_of([note.account_id]).get(note.account_id, NOBODY)
    line = EvidenceLine(
        key="text",
        author=person.username,
        display_name=person.display_name,
        at=note.created_at,
        text=note_text(note),
        edited_at=note.updated_at if note.updated_at != note.created_at else None,
        reported=True,
    )
    return Evidence(
        values={"title": note.title, "status": note.status},
        lines=[line],
        changed_at=note.updated_at,
    )


def reported_note(target: ReportTarget) -> Evidence | None:
    """The same, with what the links have shown before; where the link was ended, or the note
    deleted, as it was read last."""
    # The note first: what is changed in between is in both, instead of in neither.
    evidence = note_evidence(target.id)
    kept_rows = _kept(target.id, target.seen_until)
    if kept_rows and (evidence is None or target.seen_until):
        evidence = _evidence_of(kept_rows.pop())
    if evidence is None:
        return None
    history = [(row, row.values) for row in kept_rows]
    (line,) = evidence.lines
    texts = _earlier(history, "text", line.text)
    return replace(
        evidence,
        lines=[replace(line, earlier=[replace(text, name="") for text in texts])],
        earlier=_earlier(history, "title", evidence.values["title"]),
        seen_until=target.seen_until,
    )


def _evidence_of(row: KeptText) -> Evidence:
    """What a link showed last; the author's public name where the account is erased."""
    person = people_of([row.account_id or 0]).get(row.account_id or 0, NOBODY)
    texts = row.values
    created_at, updated_at = (datetime.fromisoformat(texts[name]) for name in _MOMENTS)
    line = EvidenceLine(
        key="text",
        author=person.username or str(row.person_name),
        display_name=person.display_name or str(row.person_name),
        at=created_at,
        text=texts["text"],
        edited_at=updated_at if updated_at != created_at else None,
        reported=True,
    )
    values = {name: texts[name] for name in ("title", "status")}
    return Evidence(values=values, lines=[line], changed_at=updated_at)


_MOMENTS = ("created_at", "updated_at")


def _earlier(
    history: Sequence[tuple[KeptText, Mapping[str, str]]], name: str, last: str
) -> list[EarlierText]:
    """The texts of this name that another one followed, before the last one."""
    following = [*(values[name] for _, values in history[1:]), last]
    return [
        EarlierText(values[name], row.gone_at, row.change, name)
        for (row, values), after in zip(history, following, strict=False)
        if values[name] != after
    ]


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
    name=NOTE,
    label=_("Note"),
    labels={"title": _("Title"), "status": _("State")},
    codes={"status": dict(Note.Status.choices)},
    find_target=find_note,
    find_public_target=find_shared_note,
    collect_evidence=note_evidence,
    collect_reported=reported_note,
    actions=[TAKE_DOWN],
)
