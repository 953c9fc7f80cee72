"""A note as its owner sees it."""

from typing import Any

import orjson
from django.urls import reverse

from accounts.encryption import SecretUnreadable, reveal
from accounts.origins import public_url
from accounts.timestamps import milliseconds
from notes.models import Note
from notes.models.share_links import token_in_address


def render_note(note: Note) -> dict[str, Any]:
    """The JSON of a note that came from `notes.py`.

    `doc` goes out as it is kept, without being read again.
    """
    document = note.valid_document
    token = share_token(note)
    return {
        "id": note.pk.hex,
        "title": note.title,
        "content": note.content,
        "doc": None if document is None else orjson.Fragment(document),
        "excerpt": note.excerpt,
        "status": note.status,
        "shareToken": token,
        "shareUrl": token and share_url(token),
        "version": note.version,
        "createdAt": milliseconds(note.created_at),
        "updatedAt": milliseconds(note.updated_at),
    }


def share_token(note: Note) -> str | None:
    """The token of the note's link; None without a link, or where no key opens it."""
    if note.encrypted_address is None:
        return None
    try:
        return token_in_address(reveal(note.encrypted_address, "ShareLink.address"), note.pk)
    except SecretUnreadable:
        return None


def share_url(token: str) -> str:
    """The address of the page, for people."""
    return public_url(reverse("shared-note", args=[token]))
