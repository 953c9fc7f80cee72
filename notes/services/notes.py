"""Somebody's notes: to list, to keep, to change. Nobody else's are ever found here."""

from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet, TextField
from django.db.models.functions import Cast, Length
from django.utils import timezone

from accounts.models import Account
from notes.cursors import read_cursor, write_cursor
from notes.errors import NotThere, StaleVersion, TooManyKept
from notes.limits import MAX_NOTES, PAGE_CHARACTERS
from notes.models import Note, ShareLink
from notes.richtext.validate import Content
from notes.services.note_view import render_note
from stats import counters

DEFAULT_TITLE: Final = "Untitled"


@dataclass(frozen=True, slots=True)
class NotePage:
    """Notes, and the cursor of the page after them; None at the end."""

    notes: list[Note]
    next: str | None


def list_notes(account_id: int, *, limit: int, cursor: str | None = None) -> NotePage:
    """A page of the account's notes, the one changed last first.

    It may hold fewer than `limit`: notes can be long, and a page is bounded.

    Raises: InvalidInput for what is no cursor.
    """
    own = Note.objects.filter(account_id=account_id)
    asked = own if cursor is None else own.filter(_after(cursor))
    size = Length("content") + Length("document")
    keys = list(
        asked.order_by("-updated_at", "-pk").values_list("updated_at", "pk", size)[: limit + 1]
    )
    fit = _how_many_fit([characters for *_, characters in keys[:limit]])
    chosen = _with_address(own).in_bulk([key for _, key, _ in keys[:fit]])
    more = write_cursor(*keys[fit - 1][:2]) if len(keys) > fit else None
    return NotePage([chosen[key] for _, key, _ in keys[:fit] if key in chosen], more)


def note_for_owner(account_id: int, note_id: UUID, *, lock: bool = False) -> Note:
    """The account's own note, with the address of its link; `lock` inside a transaction.

    Raises: NotThere.
    """
    found = _with_address(Note.objects.filter(account_id=account_id, pk=note_id))
    if lock:
        found = found.select_for_update(of=("self",), no_key=True)
    note = found.first()
    if note is None:
        raise NotThere
    return note


def add_note(*, account_id: int, fields: dict[str, Any]) -> Note:
    """Keep a new one. `fields`: `title`, `content` (a `Content`), `status`. Raises: TooManyKept."""
    now = timezone.now()
    note = Note(account_id=account_id, title=DEFAULT_TITLE, created_at=now, updated_at=now)
    _set(note, fields)
    with transaction.atomic():
        # One at a time: of two that come at once, the second counts the first.
        Account.objects.select_for_update(no_key=True).get(pk=account_id)
        if Note.objects.filter(account_id=account_id).count() >= MAX_NOTES:
            raise TooManyKept
        note.save(force_insert=True)
    counters.count("note", account=account_id)
    return note


def change_note(
    *, account_id: int, note_id: UUID, fields: dict[str, Any], version: int | None = None
) -> Note:
    """The note with these fields changed and no others. Archiving ends its link.

    Under the note's lock: of two changes at once both stay, or, where they name the `version` that
    they began with, the second is refused.

    Raises: NotThere, StaleVersion.
    """
    with transaction.atomic():
        note = note_for_owner(account_id, note_id, lock=True)
        if version not in (None, note.version):
            raise StaleVersion(render_note(note))
        if fields:
            changed = _set(note, fields)
            note.version += 1
            note.updated_at = timezone.now()
            note.save(update_fields=[*changed, "version", "updated_at"])
        if note.status == Note.ARCHIVED:
            delete_link(note)
    return note


def remove_note(*, account_id: int, note_id: UUID) -> None:
    """The note and its link. Raises: NotThere, also the second time."""
    removed, _ = Note.objects.filter(account_id=account_id, pk=note_id).delete()
    if not removed:
        raise NotThere


def delete_link(note: Note) -> None:
    """Nobody but its owner reads the note from now on."""
    ShareLink.objects.filter(pk=note.pk).delete()
    note.encrypted_address = None


def _with_address(notes: QuerySet[Note]) -> QuerySet[Note]:
    """With the encrypted address of the link: a key that is lost must not hide the notes."""
    sealed: Any = {"encrypted_address": Cast(F("share_link__address"), TextField())}
    return notes.annotate(**sealed)


def _after(cursor: str) -> Q:
    moment, note_id = read_cursor(cursor)
    return Q(updated_at__lt=moment) | Q(updated_at=moment, pk__lt=note_id)


def _set(note: Note, fields: dict[str, Any]) -> list[str]:
    """Set what is named; the columns that may have changed."""
    columns = dict(fields)
    content: Content | None = columns.pop("content", None)
    if content is not None:
        document = content.document or ""
        columns |= {
            "content": content.text,
            "is_document": content.document is not None,
            "document": "" if document == content.text else document,
            "excerpt": content.excerpt,
        }
    if "title" in columns:
        columns["title"] = columns["title"] or DEFAULT_TITLE
    for name, value in columns.items():
        setattr(note, name, value)
    return list(columns)


def _how_many_fit(sizes: list[int]) -> int:
    """How many of these a page holds; never none of some."""
    within = sum(total <= PAGE_CHARACTERS for total in accumulate(sizes))
    return max(within, min(1, len(sizes)))
