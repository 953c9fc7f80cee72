"""Foreign pictures, made into ours: looked at before they are decoded, and drawn anew.

The header decides: the kind of file by its content, and how many pixels it would become. What goes
out holds pixels and nothing else of what came in. Only the first frame of a moving picture counts.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from threading import BoundedSemaphore
from typing import Final, NamedTuple

# Imported by name, so that Pillow knows these readers and loads no other.
from PIL import GifImagePlugin, Image, ImageOps, JpegImagePlugin, PngImagePlugin, WebPImagePlugin

from accounts.errors import (
    AccountError,
    PictureBroken,
    PictureBusy,
    PictureTooLarge,
    PictureUnreadable,
)
from accounts.limits import PICTURE_PIXELS, PICTURE_SLOTS, PICTURE_WAIT_SECONDS

READERS: Final = {
    plugin.format: plugin
    for plugin in (
        GifImagePlugin.GifImageFile,
        JpegImagePlugin.JpegImageFile,
        PngImagePlugin.PngImageFile,
        WebPImagePlugin.WebPImageFile,
    )
}
# The bound is ours, and checked before any pixel: Pillow's own warns only, at five times as much.
Image.MAX_IMAGE_PIXELS = None
_QUALITY: Final = 82
# Camera pictures have about ten; each is drawn over all pixels, and thousands fit into a file.
_MAX_SCANS: Final = 100
# Sixteen megapixels are 64 MB and more while they are worked on.
_decode_slots = BoundedSemaphore(PICTURE_SLOTS)


@dataclass(frozen=True, slots=True)
class TargetSize:
    """How large a picture becomes at most; `square` cuts off what is too long."""

    side: int
    square: bool


class EncodedImage(NamedTuple):
    """A finished WebP."""

    data: bytes
    width: int
    height: int


def reencode(data: bytes, shape: TargetSize) -> EncodedImage:
    """The picture in `data` (JPEG, PNG, WebP, GIF), upright, in our form and without metadata.

    Raises: PictureUnreadable, PictureBroken, PictureTooLarge (too many pixels), PictureBusy.
    """
    with _errors_as(PictureUnreadable), _open(data) as picture:
        if picture.width * picture.height > PICTURE_PIXELS:
            raise PictureTooLarge
        with _decode_slot(), _errors_as(PictureBroken):
            return _encode(picture, shape)


def _open(data: bytes) -> Image.Image:
    """The picture, not decoded."""
    if data[:4] == b"RIFF":  # its reader makes room for all pixels before it says how many
        width, height = _webp_size(data)
        if width * height > PICTURE_PIXELS:
            raise PictureTooLarge
    elif data[:2] == b"\xff\xd8" and data.count(b"\xff\xda") > _MAX_SCANS:
        raise PictureUnreadable
    return Image.open(BytesIO(data), formats=tuple(READERS))


def _webp_size(data: bytes) -> tuple[int, int]:
    """Width and height as the first part of a WebP file says (RFC 9649, 2.5 to 2.7)."""
    part, body = data[12:16], data[20:30]
    if part == b"VP8X":
        return _number(body[4:7]) + 1, _number(body[7:10]) + 1
    if part == b"VP8L":
        bits = _number(body[1:5])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if part == b"VP8 ":
        return _number(body[6:8]) & 0x3FFF, _number(body[8:10]) & 0x3FFF
    raise PictureUnreadable


def _number(little_endian: bytes) -> int:
    return int.from_bytes(little_endian, "little")


def _encode(picture: Image.Image, shape: TargetSize) -> EncodedImage:
    picture.draft(None, (shape.side, shape.side))  # a JPEG is read at about the size it will have
    picture.load()
    upright = ImageOps.exif_transpose(picture)
    plain = _to_rgb(upright)
    if shape.square:
        side = min(shape.side, *plain.size)
        plain = ImageOps.fit(plain, (side, side))
    else:
        plain.thumbnail((shape.side, shape.side))
    plain.info.clear()
    out = BytesIO()
    plain.save(out, "WEBP", quality=_QUALITY, exif=b"", icc_profile=b"", xmp=b"")
    return EncodedImage(out.getvalue(), *plain.size)


def _to_rgb(picture: Image.Image) -> Image.Image:
    """The same with eight bits a channel, and with transparency where it has any."""
    if picture.mode.startswith("I"):  # sixteen bits of grey, which conversion would cut off
        picture.info.pop("transparency", None)
        picture = picture.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    return picture.convert("RGBA" if picture.has_transparency_data else "RGB")


@contextmanager
def _decode_slot() -> Iterator[None]:
    if not _decode_slots.acquire(timeout=PICTURE_WAIT_SECONDS):
        raise PictureBusy
    try:
        yield
    finally:
        _decode_slots.release()


@contextmanager
def _errors_as(kind: type[PictureUnreadable]) -> Iterator[None]:
    """Whatever a reader of foreign bytes raises, under our name for it."""
    try:
        yield
    except AccountError:
        raise
    except Exception:  # noqa: BLE001 - their kinds of error are not counted
        raise kind from None
