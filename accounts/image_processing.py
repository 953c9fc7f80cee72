"""Uploaded pictures, checked before they are decoded and encoded again as WebP.

Format and number of pixels are read from the file's header. The result has no metadata, and only
the first frame of an animation.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from threading import BoundedSemaphore

# Imported by name, so that Pillow registers these formats and no other.
from PIL import GifImagePlugin, Image, ImageOps, JpegImagePlugin, PngImagePlugin, WebPImagePlugin

from accounts.errors import (
    AccountError,
    PictureBroken,
    PictureBusy,
    PictureTooLarge,
    PictureUnreadable,
)
from accounts.limits import PICTURE_PIXELS, PICTURE_SLOTS, PICTURE_WAIT_SECONDS

READERS = {
    plugin.format: plugin
    for plugin in (
        GifImagePlugin.GifImageFile,
        JpegImagePlugin.JpegImageFile,
        PngImagePlugin.PngImageFile,
        WebPImagePlugin.WebPImageFile,
    )
}
# We check PICTURE_PIXELS ourselves before decoding; Pillow would only warn, at five times as many.
Image.MAX_IMAGE_PIXELS = None
_QUALITY = 82
# Scans of a progressive JPEG: cameras write about ten; each costs a pass over all pixels, and
# thousands fit into a file.
_MAX_SCANS = 100
# Sixteen megapixels take 64 MB and more while they are decoded.
_decode_slots = BoundedSemaphore(PICTURE_SLOTS)


@dataclass(frozen=True, slots=True)
class TargetSize:
    """The largest size of a picture. `square` crops it."""

    side: int
    square: bool


def reencode(data: bytes, target: TargetSize) -> tuple[bytes, int, int]:
    """The picture in `data` (JPEG, PNG, WebP, GIF) as a WebP, upright and without metadata, and its
    width and height.

    Raises: PictureUnreadable, PictureBroken, PictureTooLarge (too many pixels), PictureBusy.
    """
    with _errors_as(PictureUnreadable), _open(data) as picture:
        if picture.width * picture.height > PICTURE_PIXELS:
            raise PictureTooLarge
        if not _decode_slots.acquire(timeout=PICTURE_WAIT_SECONDS):
            raise PictureBusy
        try:
            with _errors_as(PictureBroken):
                return _encode(picture, target)
        finally:
            _decode_slots.release()


def _open(data: bytes) -> Image.Image:
    """The picture with its header read, not decoded."""
    if data[:4] == b"RIFF":  # Pillow would allocate all pixels before it returns the size
        width, height = _webp_size(data)
        if width * height > PICTURE_PIXELS:
            raise PictureTooLarge
    elif data[:2] == b"\xff\xd8" and data.count(b"\xff\xda") > _MAX_SCANS:
        raise PictureUnreadable
    return Image.open(BytesIO(data), formats=tuple(READERS))


def _webp_size(data: bytes) -> tuple[int, int]:
    """Width and height from the first chunk of a WebP file (RFC 9649, 2.5 to 2.7)."""
    chunk, body = data[12:16], data[20:30]
    if chunk == b"VP8X":
        return _number(body[4:7]) + 1, _number(body[7:10]) + 1
    if chunk == b"VP8L":
        bits = _number(body[1:5])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if chunk == b"VP8 ":
        return _number(body[6:8]) & 0x3FFF, _number(body[8:10]) & 0x3FFF
    raise PictureUnreadable


def _number(little_endian: bytes) -> int:
    return int.from_bytes(little_endian, "little")


def _encode(picture: Image.Image, target: TargetSize) -> tuple[bytes, int, int]:
    picture.draft(None, (target.side, target.side))  # decodes a JPEG at about the target size
    picture.load()
    result = _to_rgb(ImageOps.exif_transpose(picture))
    if target.square:
        side = min(target.side, *result.size)
        result = ImageOps.fit(result, (side, side))
    else:
        result.thumbnail((target.side, target.side))
    result.info.clear()
    out = BytesIO()
    result.save(out, "WEBP", quality=_QUALITY, exif=b"", icc_profile=b"", xmp=b"")
    return out.getvalue(), *result.size


def _to_rgb(picture: Image.Image) -> Image.Image:
    """The picture with eight bits a channel, and with an alpha channel if it has transparency."""
    if picture.mode.startswith("I"):  # 16-bit grey: convert("L") alone would clip it
        picture.info.pop("transparency", None)
        picture = picture.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    return picture.convert("RGBA" if picture.has_transparency_data else "RGB")


@contextmanager
def _errors_as(kind: type[PictureUnreadable]) -> Iterator[None]:
    """Turns whatever Pillow raises into `kind`."""
    try:
        yield
    except AccountError:
        raise
    except Exception:  # noqa: BLE001 - Pillow raises many kinds of errors for broken files
        raise kind from None
