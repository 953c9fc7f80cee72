"""Searching one's own notes."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db.models import Q

from notes.limits import SHORT_NOTE_BYTES
from notes.models import Note


def find_notes(account_id: int, words: Sequence[str], *, after: Q, count: int) -> list[Note]:
    """The account's notes with each word in the title or the text, the last changed first, without
    their contents, which can be long.

    `words` are normalized for search; `after` are the rows of this page and the following ones.
    """
    notes = Note.objects.filter(after, account_id=account_id)
    for word in words:
        notes = notes.filter(search_key__contains=word)
    rows = notes.defer("content", "document", "search_key")
    return list(rows.order_by("-updated_at", "-pk")[:count])


def short_texts(notes: Iterable[Note]) -> dict[UUID, str]:
    """The plain texts of those that are short."""
    short = [note.pk for note in notes if note.size <= SHORT_NOTE_BYTES]
    rows = Note.objects.filter(pk__in=short).defer("search_key")
    return {note.pk: note.plain_text for note in rows}
