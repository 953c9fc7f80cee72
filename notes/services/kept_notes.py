"""Keeping what a share link has shown, for a report (`accounts.services.kept_texts`).

A note is saved every few seconds while it is written, so not each text of it is kept, but those
that somebody has opened by the link (`ShareLink.opened`): what nobody has read harms nobody. That
also bounds how many there are; nothing is given up to make room, a further change is refused.
"""

from collections.abc import Mapping

import orjson
from django.db.models import Sum
from django.db.models.functions import Length
from django.utils import timezone

from accounts.errors import ChangedTooOften
from accounts.models import KeptText
from accounts.purging import Purged, purge_rows
from accounts.services.kept_texts import kept_since, kept_text
from notes.limits import KEPT_CHARACTERS
from notes.models import EndedLink, Note, ShareLink
from notes.richtext.plain_text import plain_text

# The kind of report.
NOTE = "note"


def note_text(note: Note) -> str:
    """The note as plain text without links, as staff see it."""
    document = note.valid_document
    return note.content if document is None else plain_text(orjson.loads(document)).strip()


def opened_texts(note: Note) -> dict[str, str] | None:
    """The texts of a locked note; None if nobody has opened its link since they changed last."""
    return _texts(note) if _is_opened(note) else None


def keep_if_changed(note: Note, before: Mapping[str, str]) -> None:
    """Keep the texts that a locked note had before it was changed, if they are others now.

    Raises: ChangedTooOften.
    """
    if (before["title"], before["text"]) == (note.title, note_text(note)):
        return
    require_room_for_kept(note.account_id)
    kept_text(NOTE, note.pk.hex, before, account_id=note.account_id, change=KeptText.EDITED).save()
    ShareLink.objects.filter(pk=note.pk).update(opened=False)


def end_link(note: Note, *, change: str) -> None:
    """Delete the link of a locked note, if any. What it has shown can be reported by its address;
    `change` says why it is gone."""
    opened = _is_opened(note)
    if opened is None:
        return
    now = timezone.now()
    if opened:
        kept_text(
            NOTE, note.pk.hex, _texts(note), account_id=note.account_id, change=change, gone_at=now
        ).save()
    links = ShareLink.objects.filter(pk=note.pk)
    texts = KeptText.objects.filter(target_type=NOTE, target_id=note.pk.hex)
    if texts.filter(gone_at__gt=kept_since()).exists():
        EndedLink.objects.bulk_create(
            EndedLink(address_hash=address_hash, note_id=note.pk, ended_at=now)
            for address_hash in links.values_list("address_hash", flat=True)
        )
    links.delete()


def require_room_for_kept(account_id: int) -> None:
    """Raises: ChangedTooOften, when too much is kept of the notes of this account."""
    texts = KeptText.objects.filter(
        target_type=NOTE, account_id=account_id, gone_at__gt=kept_since()
    )
    if (texts.aggregate(length=Sum(Length("texts")))["length"] or 0) >= KEPT_CHARACTERS:
        raise ChangedTooOften


def purge_ended_links(dry_run: bool = False) -> Purged:
    """Delete the links that were ended more than fourteen days ago."""
    expired = EndedLink.objects.filter(ended_at__lte=kept_since())
    return purge_rows(expired, "ended links", dry_run=dry_run)


def _is_opened(note: Note) -> bool | None:
    """Whether somebody has opened the link of a locked note; None without a link. The link stays
    locked, so that who opens it now reads the note after this change. It is asked for, because
    `note.share_link` may be from before the lock."""
    links = ShareLink.objects.filter(pk=note.pk).select_for_update(no_key=True)
    return links.values_list("opened", flat=True).first()


def _texts(note: Note) -> dict[str, str]:
    return {
        "title": note.title,
        "text": note_text(note),
        "status": note.status,
        "created_at": note.created_at.isoformat(),
        "updated_at": note.updated_at.isoformat(),
    }
