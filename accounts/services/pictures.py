"""The pictures of a person: an avatar, a cover, and a few that wait to become one of them.

One that others could see is kept for a report when it is replaced or removed.
"""

import base64
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.errors import InvalidInput, PictureBroken, PictureUnknown
from accounts.image_processing import TargetSize, reencode
from accounts.limits import (
    PICTURE_CHANGES,
    PICTURE_NAME_BYTES,
    UPLOADS,
    WAITING_PICTURE_SECONDS,
    WAITING_PICTURES,
)
from accounts.models import KeptText, Picture, Profile, not_suspended
from accounts.purging import Purged, purge_rows
from accounts.services.kept_texts import kept_text, require_changes_left
from accounts.services.people import person_hash_of, picture_url
from accounts.services.profiles import announce_profile_change, locked_profile
from limits import refund, spend

TARGET_SIZES = {
    Picture.AVATAR: TargetSize(side=512, square=True),
    Picture.COVER: TargetSize(side=1500, square=False),
    Picture.WAITING: TargetSize(side=1500, square=False),
}
FIELDS = {Picture.AVATAR: "pfpUrl", Picture.COVER: "coverUrl"}
# The URL of a picture, with any host.
_ADDRESS = re.compile(r"(?:https?://[^/?#\s]+)?/media/([\w-]{1,40})\.webp", re.ASCII)


@contextmanager
def counted_upload(account_id: int) -> Iterator[None]:
    """Count an upload before its body is read, and undo that if it fails before decoding.

    Raises: TooManyRequests.
    """
    person_hash = person_hash_of(account_id)
    spend(UPLOADS, person_hash)
    try:
        yield
    except PictureBroken:
        raise
    except Exception:
        refund(UPLOADS, person_hash)
        raise


def set_picture(account_id: int, *, kind: str, data: bytes) -> str:
    """Set a person's picture of a kind, replacing the previous one. Returns its URL.

    Raises: ChangedTooOften, PictureUnreadable, PictureBroken, PictureTooLarge, PictureBusy.
    """
    _require_changes_left(account_id)
    image = reencode(data, TARGET_SIZES[kind])
    with transaction.atomic():
        return picture_url(_replace(locked_profile(account_id), kind, *image))


def keep_picture(account_id: int, *, data: bytes) -> str:
    """Keep a picture for an hour, until the profile names it. Returns its URL.

    Of more than four the newest are kept. Raises: as `set_picture`, but for ChangedTooOften.
    """
    image = reencode(data, TARGET_SIZES[Picture.WAITING])
    with transaction.atomic():
        profile = locked_profile(account_id)
        picture = _create(profile, Picture.WAITING, *image)
        waiting = Picture.objects.filter(account_id=account_id, kind=Picture.WAITING)
        newest = waiting.order_by("-created_at").values_list("pk", flat=True)[:WAITING_PICTURES]
        waiting.exclude(pk__in=list(newest)).delete()
    return picture_url(picture.name)


def purge_waiting_pictures(dry_run: bool = False) -> Purged:
    """Delete uploaded pictures that became neither avatar nor cover within an hour."""
    expired = Picture.objects.filter(kind=Picture.WAITING, created_at__lte=_waiting_since())
    return purge_rows(expired, "unused pictures", dry_run=dry_run)


def remove_picture(account_id: int, *, kind: str) -> None:
    with transaction.atomic():
        _remove(locked_profile(account_id), kind)


def show_picture(profile: Profile, *, kind: str, address: str) -> None:
    """Set the picture of a locked profile to one of its own, by URL; "" removes it.

    A picture that waits becomes it and keeps its URL. One of the other kind is encoded again
    for this one, which counts as an upload.
    Raises: InvalidInput for any other URL, ChangedTooOften, TooManyRequests.
    """
    if not address:
        _remove(profile, kind)
        return
    match = _ADDRESS.fullmatch(address)
    name = match[1] if match else ""
    picture = _readable().filter(account_id=profile.account_id, name=name).first()
    if picture is None:
        raise InvalidInput({FIELDS[kind]: [_("Must be the address of one of your pictures.")]})
    if picture.kind == kind:
        return
    _require_changes_left(profile.account_id)
    if picture.kind == Picture.WAITING:
        _use_waiting(profile, kind, picture)
    else:
        spend(UPLOADS, person_hash_of(profile.account_id))
        _replace(profile, kind, *reencode(bytes(picture.data), TARGET_SIZES[kind]))


def read_picture(name: str) -> bytes:
    """The WebP file with this name. Raises: PictureUnknown."""
    shown = _readable().filter(not_suspended("account__"), name=name)
    data = shown.values_list("data", flat=True).first()
    if data is None:
        raise PictureUnknown
    return bytes(data)


def _readable() -> QuerySet[Picture]:
    return Picture.objects.filter(~Q(kind=Picture.WAITING) | Q(created_at__gt=_waiting_since()))


def _waiting_since() -> datetime:
    return timezone.now() - timedelta(seconds=WAITING_PICTURE_SECONDS)


def _use_waiting(profile: Profile, kind: str, picture: Picture) -> None:
    _take_off(profile, kind, change=KeptText.EDITED)
    if TARGET_SIZES[kind] != TARGET_SIZES[Picture.WAITING]:
        data = bytes(picture.data)
        picture.data, picture.width, picture.height = reencode(data, TARGET_SIZES[kind])
    picture.kind = kind
    picture.save()
    _save_change(profile, kind)


def _replace(profile: Profile, kind: str, data: bytes, width: int, height: int) -> str:
    _take_off(profile, kind, change=KeptText.EDITED)
    picture = _create(profile, kind, data, width, height)
    _save_change(profile, kind)
    return picture.name


def _create(profile: Profile, kind: str, data: bytes, width: int, height: int) -> Picture:
    return Picture.objects.create(
        name=secrets.token_urlsafe(PICTURE_NAME_BYTES),
        account_id=profile.account_id,
        kind=kind,
        data=data,
        width=width,
        height=height,
    )


def _remove(profile: Profile, kind: str) -> None:
    if _take_off(profile, kind, change=KeptText.DELETED):
        _save_change(profile, kind)


def _take_off(profile: Profile, kind: str, *, change: str) -> bool:
    """Take the picture of this kind off a locked profile, and keep it for a report. Whether there
    was one."""
    account_id = profile.account_id
    picture = Picture.objects.filter(account_id=account_id, kind=kind).first()
    if picture is None:
        return False
    file = file_by_kind(picture)
    kept_text(KeptText.PICTURE, str(account_id), file, account_id=account_id, change=change).save()
    picture.delete()
    return True


def file_by_kind(picture: Picture) -> dict[str, str]:
    """The file in base64 by the kind of the picture, as it is kept for a report."""
    return {picture.kind: base64.b64encode(bytes(picture.data)).decode()}


def _require_changes_left(account_id: int) -> None:
    """Raises: ChangedTooOften. Taking a picture off is never refused."""
    require_changes_left(KeptText.PICTURE, str(account_id), most=PICTURE_CHANGES)


def _save_change(profile: Profile, kind: str) -> None:
    profile.save(update_fields=["updated_at"])
    if kind == Picture.AVATAR:
        announce_profile_change(profile.account_id)
