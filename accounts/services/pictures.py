"""The pictures of a person: one of each kind, drawn anew, found by an unguessable name."""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import transaction

from accounts.errors import InvalidInput, PictureBroken, PictureUnknown
from accounts.image_processing import EncodedImage, TargetSize, reencode
from accounts.limits import PICTURE_NAME_BYTES, refund, spend
from accounts.models import Picture, Profile
from accounts.services.people import picture_url
from accounts.services.profiles import announce_profile_change, locked_profile

TARGET_SIZES: Final = {
    Picture.AVATAR: TargetSize(side=512, square=True),
    Picture.COVER: TargetSize(side=1500, square=False),
}
FIELDS: Final = {Picture.AVATAR: "pfpUrl", Picture.COVER: "coverUrl"}
# An address that we handed out; under which host, does not matter.
_ADDRESS: Final = re.compile(r"(?:https?://[^/?#\s]+)?/media/([\w-]{1,40})\.webp", re.ASCII)


@contextmanager
def counted_upload(account_id: int) -> Iterator[None]:
    """Counts one upload, before its body is read; not one that has cost us nothing.

    Raises: TooManyRequests.
    """
    spend("uploads", str(account_id))
    try:
        yield
    except PictureBroken:
        raise
    except Exception:
        refund("uploads", str(account_id))
        raise


def set_picture(account_id: int, *, kind: str, data: bytes) -> str:
    """Show `data` as the person's picture of a kind, in place of the one before. Its address.

    Raises: PictureUnreadable, PictureBroken, PictureTooLarge, PictureBusy.
    """
    drawn = reencode(data, TARGET_SIZES[kind])
    with transaction.atomic():
        return picture_url(_replace(locked_profile(account_id), kind, drawn))


def remove_picture(account_id: int, *, kind: str) -> None:
    """Show none of this kind any more. Idempotent."""
    with transaction.atomic():
        _remove(locked_profile(account_id), kind)


def show_picture(profile: Profile, *, kind: str, address: str) -> None:
    """Of a locked profile: show the picture behind one of its own addresses; "" for none.

    One of the other kind is drawn again in the form of this one, which counts as an upload.
    Raises: InvalidInput for any other address, TooManyRequests.
    """
    if not address:
        _remove(profile, kind)
        return
    found = _ADDRESS.fullmatch(address)
    own = Picture.objects.filter(account_id=profile.account_id, name=found[1] if found else "")
    picture = own.first()
    if picture is None:
        raise InvalidInput({FIELDS[kind]: ["Give the address of a picture of your own."]})
    if picture.kind != kind:
        spend("uploads", str(profile.account_id))
        _replace(profile, kind, reencode(bytes(picture.data), TARGET_SIZES[kind]))


def read_picture(name: str) -> bytes:
    """A WebP, for whoever knows its name. Raises: PictureUnknown."""
    shown = Picture.objects.filter(name=name, account__suspended_at=None)
    data = shown.values_list("data", flat=True).first()
    if data is None:
        raise PictureUnknown
    return bytes(data)


def _replace(profile: Profile, kind: str, drawn: EncodedImage) -> str:
    """Under the profile's lock: of two at once, the later one stays."""
    Picture.objects.filter(account_id=profile.account_id, kind=kind).delete()
    picture = Picture.objects.create(
        name=secrets.token_urlsafe(PICTURE_NAME_BYTES),
        account_id=profile.account_id,
        kind=kind,
        data=drawn.data,
        width=drawn.width,
        height=drawn.height,
    )
    _save_change(profile, kind)
    return picture.name


def _remove(profile: Profile, kind: str) -> None:
    gone, _ = Picture.objects.filter(account_id=profile.account_id, kind=kind).delete()
    if gone:
        _save_change(profile, kind)


def _save_change(profile: Profile, kind: str) -> None:
    profile.save(update_fields=["updated_at"])
    if kind == Picture.AVATAR:
        announce_profile_change(profile.account_id)
