"""The notes of an account: list, add, change, remove. Nobody else's notes are ever found here."""

from contextlib import suppress
from itertools import accumulate
from typing import Any, Final
from uuid import UUID

import orjson
from django.db import transaction
from django.db.models import Count, Sum
from django.db.models.functions import Length
from django.urls import reverse
from django.utils import timezone

from accounts.cursors import after_cursor, write_cursor
from accounts.encryption import SecretUnreadable
from accounts.errors import NotFound, TooManyKept
from accounts.models import Account, KeptText
from accounts.origins import public_url
from accounts.timestamps import milliseconds
from notes.errors import QuotaExceeded, StaleVersion
from notes.limits import MAX_NOTES, MAX_NOTES_BYTES, PAGE_CHARACTERS
from notes.models import Note, ShareLink
from notes.richtext.validate import Content
from notes.services.kept_notes import end_link, keep_if_changed, opened_texts
from stats import counters

DEFAULT_TITLE: Final = "Untitled"


def list_notes(account_id: int, *, limit: int, cursor: str = "") -> tuple[list[Note], str | None]:
    """A page of the account's notes, the last changed first, and the cursor of the next page.

    It may hold fewer than `limit`: the total length of a page is limited too. Raises: InvalidInput
    for a malformed cursor.
    """
    own = Note.objects.filter(account_id=account_id)
    after = after_cursor(cursor, moment="updated_at")
    size = Length("content") + Length("document")
    newest_first = own.filter(after).order_by("-updated_at", "-pk")
    rows = list(newest_first.values_list("updated_at", "pk", size)[: limit + 1])
    fit = _how_many_fit([characters for *_, characters in rows[:limit]])
    notes = own.select_related("share_link").in_bulk([pk for _, pk, _ in rows[:fit]])
    next_cursor = write_cursor(*rows[fit - 1][:2]) if len(rows) > fit else None
    return [notes[pk] for _, pk, _ in rows[:fit] if pk in notes], next_cursor


def note_for_owner(account_id: int, note_id: UUID, *, lock: bool = False) -> Note:
    """The account's own note, with its link. `lock` needs a transaction. Raises: NotFound."""
    rows = Note.objects.filter(account_id=account_id, pk=note_id).select_related("share_link")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    note = rows.first()
    if note is None:
        raise NotFound
    return note


def add_note(*, account_id: int, fields: dict[str, Any]) -> Note:
    """A new note. `fields`: `title`, `content` (a `Content`), `status`.

    Raises: TooManyKept, QuotaExceeded.
    """
    now = timezone.now()
    note = Note(account_id=account_id, title=DEFAULT_TITLE, created_at=now, updated_at=now)
    _set(note, fields)
    with transaction.atomic():
        _lock_account(account_id)
        _require_room(note)
        note.save(force_insert=True)
    _remember_no_link(note)
    counters.count("note", account=account_id)
    return note


def change_note(
    *, account_id: int, note_id: UUID, fields: dict[str, Any], version: int | None = None
) -> Note:
    """The note with these fields changed and no others. Archiving deletes its link.

    The note is locked: two changes at once both take effect, unless they name the `version` that
    they started from. Then the second one is refused. Raises: NotFound, StaleVersion,
    QuotaExceeded (not for a note that gets shorter), ChangedTooOften (a shared one).
    """
    with transaction.atomic():
        note = note_for_owner(account_id, note_id, lock=True)
        if version not in (None, note.version):
            raise StaleVersion(render_note(note))
        if fields:
            before, opened = note.size, opened_texts(note)
            changed = _set(note, fields)
            if note.size > before:
                _lock_account(account_id)
                _require_room(note)
            if opened is not None:
                keep_if_changed(note, opened)
            note.version += 1
            note.updated_at = timezone.now()
            note.save(update_fields=[*changed, "version", "updated_at"])
        if note.status == Note.Status.ARCHIVED:
            delete_link(note)
    return note


def remove_note(*, account_id: int, note_id: UUID) -> None:
    """Delete the note and its link. Raises: NotFound, also for a second call."""
    with transaction.atomic():
        note = note_for_owner(account_id, note_id, lock=True)
        end_link(note, change=KeptText.DELETED)
        note.delete()


def erase_notes(account_id: int) -> None:
    """Delete all notes of an account that is being erased. Safe to run again."""
    own = Note.objects.filter(account_id=account_id)
    for note_id in list(own.exclude(share_link=None).values_list("pk", flat=True)):
        with suppress(NotFound):
            remove_note(account_id=account_id, note_id=note_id)
    own.delete()


def delete_link(note: Note) -> None:
    """From now on only the owner of this locked note can read it."""
    end_link(note, change=KeptText.WITHDRAWN)
    _remember_no_link(note)


def render_note(note: Note) -> dict[str, Any]:
    """The JSON of a note that one of the functions above returned, for its owner."""
    token = _link_token(note)
    return {
        "id": note.pk.hex,
        "title": note.title,
        "content": note.content,
        "doc": render_document(note),
        "excerpt": note.excerpt,
        "status": note.status,
        "shareToken": token,
        "shareUrl": token and share_url(token),
        "version": note.version,
        "createdAt": milliseconds(note.created_at),
        "updatedAt": milliseconds(note.updated_at),
    }


def render_document(note: Note) -> orjson.Fragment | None:
    """The document for JSON, as it is stored and without parsing it; None for plain text."""
    document = note.valid_document
    return None if document is None else orjson.Fragment(document)


def share_url(token: str) -> str:
    return public_url(reverse("shared-note", args=[token]))


def _link_token(note: Note) -> str | None:
    """The token of the note's link; None without a link, or if no key decrypts it, or if it is the
    address of another note."""
    link: ShareLink | None = getattr(note, "share_link", None)
    try:
        return link.address if link else None
    except SecretUnreadable:
        return None


def _remember_no_link(note: Note) -> None:
    """Spare reading `note.share_link` a query."""
    Note.share_link.related.set_cached_value(note, None)


def _set(note: Note, fields: dict[str, Any]) -> list[str]:
    """Set the fields and return the names of the columns that may have changed."""
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
    note.set_search_key()
    note.size = sum(len(text.encode()) for text in (note.title, note.content, note.document))
    return [*columns, "search_key", "size"]


def _lock_account(account_id: int) -> None:
    """So that two requests at once cannot both find room for the last note."""
    Account.objects.select_for_update(no_key=True).get(pk=account_id)


def _require_room(note: Note) -> None:
    """Check that the note fits in beside the others of its locked account.

    Raises: TooManyKept, QuotaExceeded.
    """
    others = Note.objects.filter(account_id=note.account_id).exclude(pk=note.pk)
    totals = others.aggregate(count=Count("pk"), bytes=Sum("size"))
    if totals["count"] >= MAX_NOTES:
        raise TooManyKept
    if (totals["bytes"] or 0) + note.size > MAX_NOTES_BYTES:
        raise QuotaExceeded


def _how_many_fit(sizes: list[int]) -> int:
    """How many of these fit on a page: at least one, if there is one."""
    fit = sum(total <= PAGE_CHARACTERS for total in accumulate(sizes))
    return max(fit, min(1, len(sizes)))
