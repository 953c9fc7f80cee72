"""The pictures of a person: at most one avatar and one cover."""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.errors import InvalidInput, PictureBroken, PictureUnknown
from accounts.image_processing import TargetSize, reencode
from accounts.limits import PICTURE_NAME_BYTES, UPLOADS
from accounts.models import Picture, Profile, not_suspended
from accounts.rate_limits import refund, spend
from accounts.services.people import picture_url
from accounts.services.profiles import announce_profile_change, locked_profile

TARGET_SIZES = {
    Picture.AVATAR: TargetSize(side=512, square=True),
    Picture.COVER: TargetSize(side=1500, square=False),
}
FIELDS = {Picture.AVATAR: "pfpUrl", Picture.COVER: "coverUrl"}
# The URL of a picture, with any host.
_ADDRESS = re.compile(r"(?:https?://[^/?#\s]+)?/media/([\w-]{1,40})\.webp", re.ASCII)


@contextmanager
def counted_upload(account_id: int) -> Iterator[None]:
    """Count an upload before its body is read, and undo that if it fails before decoding.

    Raises: TooManyRequests.
    """
    spend(UPLOADS, str(account_id))
    try:
        yield
    except PictureBroken:
        raise
    except Exception:
        refund(UPLOADS, str(account_id))
        raise


def set_picture(account_id: int, *, kind: str, data: bytes) -> str:
    """Set a person's picture of a kind, replacing the previous one. Returns its URL.

    Raises: PictureUnreadable, PictureBroken, PictureTooLarge, PictureBusy.
    """
    image = reencode(data, TARGET_SIZES[kind])
    with transaction.atomic():
        return picture_url(_replace(locked_profile(account_id), kind, *image))


def remove_picture(account_id: int, *, kind: str) -> None:
    with transaction.atomic():
        _remove(locked_profile(account_id), kind)


def show_picture(profile: Profile, *, kind: str, address: str) -> None:
    """Set the picture of a locked profile to one of its own, by URL; "" removes it.

    A picture of the other kind is encoded again for this one, which counts as an upload.
    Raises: InvalidInput for any other URL, TooManyRequests.
    """
    if not address:
        _remove(profile, kind)
        return
    found = _ADDRESS.fullmatch(address)
    name = found[1] if found else ""
    picture = Picture.objects.filter(account_id=profile.account_id, name=name).first()
    if picture is None:
        raise InvalidInput({FIELDS[kind]: [_("Must be the address of one of your pictures.")]})
    if picture.kind != kind:
        spend(UPLOADS, str(profile.account_id))
        _replace(profile, kind, *reencode(bytes(picture.data), TARGET_SIZES[kind]))


def read_picture(name: str) -> bytes:
    """The WebP file with this name. Raises: PictureUnknown."""
    shown = Picture.objects.filter(not_suspended("account__"), name=name)
    data = shown.values_list("data", flat=True).first()
    if data is None:
        raise PictureUnknown
    return bytes(data)


def _replace(profile: Profile, kind: str, data: bytes, width: int, height: int) -> str:
    Picture.objects.filter(account_id=profile.account_id, kind=kind).delete()
    picture = Picture.objects.create(
        name=secrets.token_urlsafe(PICTURE_NAME_BYTES),
        account_id=profile.account_id,
        kind=kind,
        data=data,
        width=width,
        height=height,
    )
    _save_change(profile, kind)
    return picture.name


def _remove(profile: Profile, kind: str) -> None:
    deleted, _ = Picture.objects.filter(account_id=profile.account_id, kind=kind).delete()
    if deleted:
        _save_change(profile, kind)


def _save_change(profile: Profile, kind: str) -> None:
    profile.save(update_fields=["updated_at"])
    if kind == Picture.AVATAR:
        announce_profile_change(profile.account_id)
