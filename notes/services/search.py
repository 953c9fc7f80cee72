"""Searching one's own notes."""

from collections.abc import Sequence

from django.db.models import Q

from notes.models import Note


def find_notes(account_id: int, words: Sequence[str], *, after: Q, count: int) -> list[Note]:
    """The account's notes with each word in the title or the text, the last changed first.

    `words` are normalized for search; `after` are the rows of this page and the following ones.
    """
    found = Note.objects.filter(after, account_id=account_id)
    for word in words:
        found = found.filter(search_key__contains=word)
    return list(found.order_by("-updated_at", "-pk")[:count])
