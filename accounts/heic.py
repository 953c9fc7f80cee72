"""HEIC pictures: what decoding one takes, by the boxes of its file, and its pixels.

The boxes are those of ISO/IEC 14496-12 and 23008-12. libheif refuses an image that is larger than
its own box says. It does not add up the tiles of a grid, which can name the same tile thousands of
times, or crop away all but a corner of a huge image.
"""

import struct
from collections.abc import Iterator

import pillow_heif
from PIL import Image

from accounts.errors import PictureUnreadable

FORMAT = "HEIC"
# Major brands: one picture, a burst, and what the ones of other makers begin with.
_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"mif1")
_CODED = (b"hvc1", b"hev1")
# libheif lets a tile be as large as this, whatever its box says.
_LEAST_TILE = 256 * 256
# A camera writes some 200 tiles, in a few kilobytes.
_MOST_REFERENCES = 1000
_LARGEST_META = 1024 * 1024

pillow_heif.options.THUMBNAILS = False
pillow_heif.options.DEPTH_IMAGES = False
pillow_heif.options.AUX_IMAGES = False


def is_heic(data: bytes) -> bool:
    return data[4:8] == b"ftyp" and data[8:12] in _BRANDS


class HeicPicture:
    """The primary image of a file, upright. `load` decodes its pixels.

    Raises: PictureUnreadable, and whatever libheif raises.
    """

    format = FORMAT

    def __init__(self, data: bytes) -> None:
        self.decoded_pixels = _decoded_pixels(data)
        images = pillow_heif.HeifFile(  # type: ignore[no-untyped-call]
            data, remove_stride=False, hdr_to_16bit=False
        )
        self._image = images[images.primary_index]
        self.size: tuple[int, int] = self._image.size
        self.width, self.height = self.size
        self.has_transparency_data = bool(self._image.has_alpha)

    def load(self) -> None:
        """Decode all pixels."""
        self._image.load()
        self.width, self.height = self.size = self._image.size

    def close(self) -> None:
        del self._image

    def crop(self, box: tuple[int, int, int, int]) -> Image.Image:
        """A copy of this part. Pillow would first copy all pixels."""
        left, top, right, bottom = box
        stride, mode = self._image.stride, self._image.mode
        rows = bytes(memoryview(self._image.data)[top * stride : bottom * stride])
        whole = Image.frombuffer(mode, (self.size[0], bottom - top), rows, "raw", mode, stride, 1)
        return whole.crop((left, 0, right, bottom - top))


def _decoded_pixels(data: bytes) -> int:
    """How many pixels are decoded for the primary image or for one that belongs to it."""
    meta = _only(data, 0, len(data), b"meta")
    start, end = meta[0] + 4, meta[1]
    if end - start > _LARGEST_META:
        raise PictureUnreadable
    kinds = dict(_items(data, *_only(data, start, end, b"iinf")))
    areas = _areas(data, *_only(data, start, end, b"iprp"))
    tiles: dict[int, list[int]] = {}
    shown = {_primary(data, *_only(data, start, end, b"pitm"))}
    for kind, item, others in _references(data, start, end):
        if kind == b"dimg":
            tiles.setdefault(item, []).extend(others)
        elif kind == b"auxl":
            shown.add(item)
    return max(_pixels_of(item, kinds, areas, tiles) for item in shown)


def _pixels_of(
    item: int, kinds: dict[int, bytes], areas: dict[int, int], tiles: dict[int, list[int]]
) -> int:
    parts = tiles.get(item, [])
    if kinds.get(item) in _CODED and not parts:
        return areas.get(item, 0)
    # Grids of grids and overlays can repeat themselves without end; no camera writes them.
    if kinds.get(item) != b"grid" or any(kinds.get(part) not in _CODED for part in parts):
        raise PictureUnreadable
    return sum(max(areas.get(part, 0), _LEAST_TILE) for part in parts)


def _boxes(data: bytes, start: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """The type of each box between these offsets, and where its content begins and ends."""
    while start + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, start)
        content = start + 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", data, content)
            content += 8
        last = end if size == 0 else start + size
        if not content <= last <= end:
            raise PictureUnreadable
        yield kind, content, last
        start = last


def _only(data: bytes, start: int, end: int, wanted: bytes) -> tuple[int, int]:
    """Where the content of the one box of this type begins and ends."""
    places = [(first, last) for kind, first, last in _boxes(data, start, end) if kind == wanted]
    if len(places) != 1:
        raise PictureUnreadable
    return places[0]


def _number(data: bytes, offset: int, size: int) -> int:
    return int.from_bytes(data[offset : offset + size], "big")


def _primary(data: bytes, start: int, _end: int) -> int:
    return _number(data, start + 4, 4 if data[start] else 2)


def _items(data: bytes, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Id and type of each item."""
    for kind, first, _last in _boxes(data, start + (8 if data[start] else 6), end):
        if kind == b"infe":
            width = 4 if data[first] >= 3 else 2
            after = first + 4 + width + 2
            yield _number(data, first + 4, width), data[after : after + 4]


def _references(data: bytes, start: int, end: int) -> Iterator[tuple[bytes, int, list[int]]]:
    """Type, the item that refers to others, and those, of each reference."""
    for box, first, last in _boxes(data, start, end):
        if box != b"iref":
            continue
        width = 4 if data[first] else 2
        for kind, begins, ends in _boxes(data, first + 4, last):
            listed = range(begins + width + 2, ends, width)
            if len(listed) > _MOST_REFERENCES:
                raise PictureUnreadable
            yield (
                kind, _number(data, begins, width), [_number(data, at, width) for at in listed]
            )  # fmt: skip


def _areas(data: bytes, start: int, end: int) -> dict[int, int]:
    """The pixels of each item, as its properties say."""
    properties = [
        _number(data, first + 4, 4) * _number(data, first + 8, 4) if kind == b"ispe" else 0
        for kind, first, _last in _boxes(data, *_only(data, start, end, b"ipco"))
    ]
    areas: dict[int, int] = {}
    for kind, first, last in _boxes(data, start, end):
        if kind == b"ipma":
            for item, index in _associations(data, first, last):
                if 0 < index <= len(properties):
                    areas[item] = max(areas.get(item, 0), properties[index - 1])
    return areas


def _associations(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Item and index of each of its properties."""
    id_width, index_width = 4 if data[start] else 2, 2 if data[start + 3] & 1 else 1
    at = start + 8
    while at < end:
        item, count = _number(data, at, id_width), _number(data, at + id_width, 1)
        at += id_width + 1
        for _ in range(count):
            yield item, _number(data, at, index_width) & (0x7FFF if index_width == 2 else 0x7F)
            at += index_width
