"""The link of a note: create it, revoke it, read the note behind it."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import orjson
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.addresses import network_of
from accounts.models import not_suspended
from accounts.rate_limits import spend
from notes.errors import NotThere, TakenDown
from notes.limits import SHARE_READS, SHARE_TOKEN_BYTES
from notes.models import Note, ShareLink
from notes.models.share_links import hash_token
from notes.richtext.render_html import render_html, render_plain_text
from notes.services.notes import delete_link, note_for_owner


@dataclass(frozen=True, slots=True)
class SharedNote:
    """What a link shows of a note. `document` is compact JSON, None for plain text."""

    title: str
    content: str
    document: str | None
    excerpt: str
    html: str
    updated_at: datetime


def share_note(*, account_id: int, note_id: UUID) -> str:
    """Replace the note's link, publish the note, and return the link's token.

    Raises: NotThere, TakenDown. The note's version stays the same, because its content does.
    """
    token = secrets.token_urlsafe(SHARE_TOKEN_BYTES)
    with transaction.atomic():
        # The lock puts simultaneous requests in order: the last link remains.
        note = note_for_owner(account_id, note_id, lock=True)
        if note.taken_down_at is not None:
            raise TakenDown
        delete_link(note)
        link = ShareLink(note=note, created_at=timezone.now())
        link.set_token(token)
        link.save(force_insert=True)
        _set_status(note, Note.PUBLISHED)
    return token


def revoke_link(*, account_id: int, note_id: UUID) -> None:
    """Delete the link, if any. A published note becomes a draft. Raises: NotThere."""
    with transaction.atomic():
        _unpublish(note_for_owner(account_id, note_id, lock=True))


def take_down_note(note_id: UUID) -> bool:
    """Delete the link of any account's note, and let nobody share it again, for staff. Returns
    whether that is new. Raises: NotThere."""
    with transaction.atomic():
        note = _locked_note(note_id)
        if note.taken_down_at is not None:
            return False
        _set_taken_down(note, timezone.now())
        _unpublish(note)
    return True


def allow_sharing(note_id: UUID) -> bool:
    """Let the owner of a note that was taken down share it again. The old link stays dead. Returns
    whether it was taken down. Raises: NotThere."""
    with transaction.atomic():
        note = _locked_note(note_id)
        if note.taken_down_at is None:
            return False
        _set_taken_down(note, None)
    return True


def note_for_token(token: str) -> Note:
    """The note with this link token. Raises: NotThere, also while its account is suspended."""
    note = Note.objects.filter(
        ~Q(status=Note.ARCHIVED),
        not_suspended("account__"),
        share_link__address_hash=hash_token(token),
    ).first()
    if note is None:
        raise NotThere
    return note


def read_shared_note(*, token: str, client_address: str, heading_offset: int = 0) -> SharedNote:
    """The note behind a link. `heading_offset`: see `render_html`. Raises:
    NotThere, TooManyRequests (by the network of the client)."""
    spend(SHARE_READS, network_of(client_address))
    note = note_for_token(token)
    document = note.valid_document
    if document is None:
        html = render_plain_text(note.content)
    else:
        html = render_html(orjson.loads(document), heading_offset=heading_offset)
    return SharedNote(note.title, note.content, document, note.excerpt, html, note.updated_at)


def _locked_note(note_id: UUID) -> Note:
    note = Note.objects.select_for_update(no_key=True).filter(pk=note_id).first()
    if note is None:
        raise NotThere
    return note


def _set_taken_down(note: Note, moment: datetime | None) -> None:
    note.taken_down_at = moment
    note.save(update_fields=["taken_down_at"])


def _unpublish(note: Note) -> None:
    delete_link(note)
    if note.status == Note.PUBLISHED:
        _set_status(note, Note.DRAFT)


def _set_status(note: Note, status: str) -> None:
    note.status = status
    note.save(update_fields=["status"])
