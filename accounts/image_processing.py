"""Uploaded pictures, checked before they are decoded and encoded again as WebP.

Format and number of pixels are read from the file's header. The result has no metadata, and only
the first frame of an animation. Decoding one takes at most about 150 MiB and a second of processor
time: the limits of `limits.py` follow from what each format takes for a pixel.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from threading import BoundedSemaphore

# Imported by name, so that Pillow registers these formats and no other.
from PIL import (
    ExifTags,
    GifImagePlugin,
    Image,
    ImageOps,
    JpegImagePlugin,
    PngImagePlugin,
    WebPImagePlugin,
)

from accounts.errors import (
    AccountError,
    PictureBroken,
    PictureBusy,
    PictureTooLarge,
    PictureUnreadable,
)
from accounts.heic import HeicPicture, is_heic
from accounts.limits import (
    GIF_MEGAPIXELS,
    HEIC_MEGAPIXELS,
    PICTURE_MEGAPIXELS,
    PICTURE_SLOTS,
    PICTURE_WAIT_SECONDS,
    PNG_MEGAPIXELS,
    PROGRESSIVE_MEGASAMPLES,
    WEBP_MEGAPIXELS,
)

READERS = {
    plugin.format: plugin
    for plugin in (
        GifImagePlugin.GifImageFile,
        JpegImagePlugin.JpegImageFile,
        PngImagePlugin.PngImageFile,
        WebPImagePlugin.WebPImageFile,
    )
}
MEGAPIXELS = {"GIF": GIF_MEGAPIXELS, "PNG": PNG_MEGAPIXELS, "WEBP": WEBP_MEGAPIXELS}
# We check the pixels ourselves before decoding; Pillow would only warn, at five times as many.
Image.MAX_IMAGE_PIXELS = None
_QUALITY = 82
# The marker of a scan in a JPEG.
_SCAN = b"\xff\xda"
# Scans of a progressive JPEG: cameras write about ten; each costs a pass over all pixels, and
# thousands fit into a file.
_MAX_SCANS = 100
_ORIENTATION = ExifTags.Base.Orientation
# The rows that are shrunk at once, about.
_ROWS = 32
_decode_slots = BoundedSemaphore(PICTURE_SLOTS)


@dataclass(frozen=True, slots=True)
class TargetSize:
    """The largest size of a picture. `square` crops it."""

    side: int
    square: bool


def reencode(data: bytes, target: TargetSize) -> tuple[bytes, int, int]:
    """The picture in `data` (JPEG, PNG, WebP, GIF, HEIC) as a WebP, upright and without metadata,
    and its width and height.

    Raises: PictureUnreadable, PictureBroken, PictureTooLarge (too many pixels), PictureBusy.
    """
    with _errors_as(PictureUnreadable):
        picture = _open(data)
    if not _decode_slots.acquire(timeout=PICTURE_WAIT_SECONDS):
        raise PictureBusy
    try:
        with _errors_as(PictureBroken):
            return _encode(picture, target)
    finally:
        _decode_slots.release()


def _open(data: bytes) -> Image.Image | HeicPicture:
    """The picture with its header read, not decoded, and not larger than its format may be."""
    if is_heic(data):
        heic = HeicPicture(data)
        most = HEIC_MEGAPIXELS // 2 if heic.has_transparency_data else HEIC_MEGAPIXELS
        _require_size("HEIC", heic.width * heic.height, most)
        # Tiles stick out at two edges.
        _require_size("HEIC", heic.decoded_pixels * 2 // 3, most)
        return heic
    if data[:4] == b"RIFF":  # Pillow would allocate all pixels before it returns the size
        width, height = _webp_size(data)
        _require_size("WebP", width * height, WEBP_MEGAPIXELS)
    elif data[:2] == b"\xff\xd8" and data.count(_SCAN) > _MAX_SCANS:
        raise PictureUnreadable
    picture = Image.open(BytesIO(data), formats=tuple(READERS))
    _require_size(*_limited_by(picture, data))
    return picture


def _limited_by(picture: Image.Image, data: bytes) -> tuple[str, int, int]:
    """Format, pixels, and how many megapixels it may have."""
    pixels = picture.width * picture.height
    if not isinstance(picture, JpegImagePlugin.JpegImageFile):
        return str(picture.format), pixels, MEGAPIXELS[str(picture.format)]
    first = data.rfind(_SCAN, 0, picture.fp.tell())  # type: ignore[union-attr]
    if not picture.info.get("progressive") and data[first + 4] == picture.layers:
        return "JPEG", pixels, PICTURE_MEGAPIXELS
    # All samples are kept until the last scan, at full size.
    areas = [across * down for _, across, down, _ in picture.layer]
    most = int(PROGRESSIVE_MEGASAMPLES * max(areas) / sum(areas))
    return "progressive JPEG", pixels, min(most, PICTURE_MEGAPIXELS)


def _require_size(kind: str, pixels: int, most: int) -> None:
    """Raises: PictureTooLarge for more than so many megapixels and a fraction."""
    if pixels // 1_000_000 > most:
        raise PictureTooLarge(kind=kind, megapixels=pixels // 1_000_000, most=most)


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


def _encode(picture: Image.Image | HeicPicture, target: TargetSize) -> tuple[bytes, int, int]:
    if isinstance(picture, Image.Image):
        picture.draft(None, (target.side, target.side))  # decodes a JPEG at about the target size
    picture.load()
    result = ImageOps.exif_transpose(_shrink(picture, target))
    picture.close()  # frees its pixels
    result.info.clear()
    out = BytesIO()
    result.save(out, "WEBP", quality=_QUALITY, exif=b"", icc_profile=b"", xmp=b"")
    return out.getvalue(), *result.size


def _shrink(picture: Image.Image | HeicPicture, target: TargetSize) -> Image.Image:
    """The part of the picture that is shown, in RGB or RGBA and at most as large as the target, not
    rotated yet. Row by row, because converting or cropping the whole picture copies it."""
    width, height = (min(picture.size),) * 2 if target.square else picture.size
    left, top = (picture.width - width) // 2, (picture.height - height) // 2
    longest = max(width, height)
    factor = max(1, longest // target.side)
    rows = factor * max(1, _ROWS // factor)
    mode = "RGBA" if picture.has_transparency_data else "RGB"
    result = Image.new(mode, (-(-width // factor), -(-height // factor)))
    for row in range(0, height, rows):
        end = min(row + rows, height)
        strip = picture.crop((left, top + row, left + width, top + end))
        result.paste(_to_mode(strip, mode).reduce(factor), (0, row // factor))
    if longest > target.side:
        scale = target.side / longest
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        result = result.resize(size, box=(0, 0, width / factor, height / factor))
    if isinstance(picture, Image.Image):  # libheif has rotated a HEIC already
        result.getexif()[_ORIENTATION] = picture.getexif().get(_ORIENTATION, 1)
    return result


def _to_mode(picture: Image.Image, mode: str) -> Image.Image:
    """The picture with eight bits a channel."""
    if picture.mode.startswith("I"):  # 16-bit grey: convert("L") alone would clip it
        picture.info.pop("transparency", None)
        picture = picture.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    return picture.convert(mode)


@contextmanager
def _errors_as(kind: type[PictureUnreadable]) -> Iterator[None]:
    """Turns whatever Pillow and libheif raise into `kind`."""
    try:
        yield
    except AccountError:
        raise
    except Exception:  # noqa: BLE001 - they raise many kinds of errors for broken files
        raise kind from None
