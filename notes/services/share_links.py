"""The link of a note: create it, revoke it, read the note behind it."""

import secrets
from uuid import UUID

import orjson
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.addresses import network_of
from accounts.errors import NotFound
from accounts.identifiers import require_id
from accounts.models import not_suspended
from limits import spend
from notes.errors import TakenDown
from notes.limits import SHARE_READS, SHARE_TOKEN_BYTES
from notes.models import Note, ShareLink
from notes.models.share_links import hash_token
from notes.richtext.render_html import render_html, render_plain_text
from notes.services.kept_notes import require_room_for_kept
from notes.services.notes import delete_link, note_for_owner


def share_note(*, account_id: int, note_id: UUID) -> str:
    """Replace the note's link, publish the note, and return the link's token.

    Raises: NotFound, TakenDown, ChangedTooOften (too much is kept of what links have shown). The
    note's version stays the same, because its content does.
    """
    token = secrets.token_urlsafe(SHARE_TOKEN_BYTES)
    with transaction.atomic():
        # The lock puts simultaneous requests in order: the last link remains.
        note = note_for_owner(account_id, note_id, lock=True)
        if note.taken_down_at is not None:
            raise TakenDown
        require_room_for_kept(account_id)
        delete_link(note)
        link = ShareLink(note=note, created_at=timezone.now())
        link.set_token(token)
        link.save(force_insert=True)
        note.status = Note.Status.PUBLISHED
        note.save(update_fields=["status"])
    return token


def revoke_link(*, account_id: int, note_id: UUID) -> None:
    """Delete the link, if any. A published note becomes a draft. Raises: NotFound."""
    with transaction.atomic():
        _unpublish(note_for_owner(account_id, note_id, lock=True))


def take_down_note(note_id: str) -> bool:
    """Delete the link of any account's note, and let nobody share it again, for staff. Returns
    whether that is new. Raises: NotFound."""
    with transaction.atomic():
        note = _locked_note(note_id)
        if note.taken_down_at is not None:
            return False
        note.taken_down_at = timezone.now()
        note.save(update_fields=["taken_down_at"])
        _unpublish(note)
    return True


def allow_sharing(note_id: str) -> bool:
    """Let the owner of a note that was taken down share it again. The old link stays dead. Returns
    whether it was taken down. Raises: NotFound."""
    with transaction.atomic():
        note = _locked_note(note_id)
        if note.taken_down_at is None:
            return False
        note.taken_down_at = None
        note.save(update_fields=["taken_down_at"])
    return True


def note_for_token(token: str) -> Note:
    """The note with this link token. Raises: NotFound, also while its account is suspended."""
    shared = Note.objects.filter(
        ~Q(status=Note.Status.ARCHIVED),
        not_suspended("account__"),
        share_link__address_hash=hash_token(token),
    )
    note = shared.select_related("share_link").first()
    if note is None:
        raise NotFound
    return note


def read_shared_note(
    *, token: str, client_address: str, heading_offset: int = 0
) -> tuple[Note, str]:
    """The note behind a link, and its content as safe HTML. `heading_offset`: see `render_html`.

    Raises: NotFound, TooManyRequests (by the network of the client).
    """
    spend(SHARE_READS, network_of(client_address))
    note = note_for_token(token)
    if not note.share_link.opened:
        ShareLink.objects.filter(pk=note.pk).update(opened=True)
        # Read again: what it said until now may have been changed, and not kept.
        note = note_for_token(token)
    document = note.valid_document
    if document is None:
        return note, render_plain_text(note.content)
    return note, render_html(orjson.loads(document), heading_offset=heading_offset)


def _locked_note(note_id: str) -> Note:
    note = Note.objects.select_for_update(no_key=True).filter(pk=require_id(note_id)).first()
    if note is None:
        raise NotFound
    return note


def _unpublish(note: Note) -> None:
    delete_link(note)
    if note.status == Note.Status.PUBLISHED:
        note.status = Note.Status.DRAFT
        note.save(update_fields=["status"])
