"""Uploading HEIC, which telephones of Apple write."""

import struct
from io import BytesIO

import pillow_heif
import pytest
from PIL import Image

from accounts.errors import PictureUnreadable
from accounts.heic import _references
from accounts.models import Picture
from tests.accounts.images import heic, heic_of, picture, send, shown
from tests.conftest import Caller

RED, GREEN, BLUE = (255, 0, 0), (10, 200, 90), (0, 0, 255)
CAMERA = "Ellies kamera"
# The entry of a metadata block, before its value.
ORIENTATION = b"\x01\x12\0\x03\0\0\0\x01"


def drawn(caller: Caller, data: bytes, kind: str = "cover") -> Image.Image:
    answer = send(caller, data, kind=kind)
    assert answer.status_code == 201, answer.content
    return shown(answer.json()["url"])


def refused(caller: Caller, data: bytes) -> tuple[int, str]:
    answer = send(caller, data)
    assert not Picture.objects.exists()
    return answer.status_code, answer.json()["code"]


def near(seen: Image.Image, place: tuple[int, int], colour: tuple[int, ...]) -> bool:
    values = seen.convert("RGB").getpixel(place)
    return all(abs(a - b) < 20 for a, b in zip(values, colour, strict=True))  # type: ignore[arg-type]


def two_halves(size: tuple[int, int]) -> Image.Image:
    """The left half is red, the right one blue."""
    image = Image.new("RGB", size, BLUE)
    image.paste(RED, (0, 0, size[0] // 2, size[1]))
    return image


@pytest.mark.parametrize("tile", [0, 512], ids=["one image", "tiles"])
@pytest.mark.parametrize(
    ("kind", "size", "becomes"),
    [("avatar", (1400, 700), (512, 512)), ("cover", (3100, 700), (1500, 339))],
)
def test_it_becomes_a_webp_of_the_size_of_its_kind(
    elsa: Caller, kind: str, size: tuple[int, int], becomes: tuple[int, int], tile: int
) -> None:
    seen = drawn(elsa, heic_of(two_halves(size), tile_size=tile), kind)
    assert (seen.format, seen.size) == ("WEBP", becomes)
    assert near(seen, (becomes[0] // 4, becomes[1] - 2), RED)
    assert near(seen, (becomes[0] * 3 // 4, 1), BLUE)


def test_it_is_upright_once(elsa: Caller) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # rotated by a quarter
    exif[0x010F] = CAMERA
    data = heic_of(two_halves((640, 320)), exif=exif.tobytes())
    assert CAMERA.encode() in data
    assert b"irot" in data  # the box that counts; cameras write both
    data = data.replace(ORIENTATION + b"\0\x01", ORIENTATION + b"\0\x06")
    assert ORIENTATION + b"\0\x06" in data
    seen = drawn(elsa, data)
    assert seen.size == (320, 640)
    assert near(seen, (160, 20), RED)
    assert near(seen, (160, 620), BLUE)
    assert not seen.getexif()
    assert CAMERA.encode() not in bytes(Picture.objects.get().data)


def test_the_main_picture_of_several_is_taken(elsa: Caller) -> None:
    images = pillow_heif.from_pillow(Image.new("RGB", (80, 80), RED))
    for colour in (BLUE, GREEN):
        images.add_from_pillow(Image.new("RGB", (80, 80), colour))
    out = BytesIO()
    images.save(out, primary_index=1)
    assert near(drawn(elsa, out.getvalue()), (40, 40), BLUE)


def test_transparency_and_grey_are_kept(elsa: Caller) -> None:
    seen = drawn(elsa, heic((80, 80), (10, 20, 30, 0), "RGBA"))
    assert seen.mode == "RGBA"
    assert seen.getpixel((5, 5))[3] == 0  # type: ignore[index]
    assert near(drawn(elsa, heic((80, 80), 128, "L")), (40, 40), (128, 128, 128))


def test_ten_bits_a_channel_become_eight(elsa: Caller) -> None:
    pixel = struct.pack("<HHH", *(value * 257 for value in GREEN))
    image = pillow_heif.from_bytes("RGB;16", (64, 64), pixel * 64 * 64)
    out = BytesIO()
    image.save(out)
    assert near(drawn(elsa, out.getvalue()), (30, 30), GREEN)


def test_a_file_that_ends_too_early_is_400(elsa: Caller) -> None:
    data = heic_of(two_halves((640, 320)), tile_size=256)
    for length in range(12, len(data) - 1, len(data) // 8):
        assert refused(elsa, data[:length]) == (400, "invalid_input"), length


def test_a_file_that_is_something_else_is_400(elsa: Caller) -> None:
    data = heic()
    jpeg = picture("JPEG")
    avif = picture("AVIF")
    for name, wrong in {
        "avif": avif,
        "avif that says heic": avif[:8] + b"heic" + avif[12:],
        "jpeg in a heic": data[:24] + jpeg,
        "nothing but a brand": data[:12],
        "movie": data[:8] + b"qt  " + data[12:],
        "no primary image": data.replace(b"pitm", b"free"),
        "two primary images": data.replace(b"hdlr", b"pitm"),
        "unknown coding": data.replace(b"hvc1", b"jpeg"),
        "noise": data[:40] + bytes(range(256)) * 40,
    }.items():
        assert refused(elsa, wrong) == (400, "invalid_input"), name


def sizes(data: bytes, width: int, height: int, *, of: int | None = None) -> bytes:
    """The file with other sizes in its boxes: in all, or in those of squares of this side."""
    ispe = b"ispe\0\0\0\0"
    first, *parts = data.split(ispe)
    size = struct.pack(">II", width, height)
    return first + b"".join(
        ispe
        + (size if of is None or part[:8] == struct.pack(">II", of, of) else part[:8])
        + part[8:]
        for part in parts
    )


def test_too_many_pixels_are_refused_by_the_boxes(elsa: Caller) -> None:
    tiles = heic((640, 640), tile_size=512)
    assert tiles.count(b"ispe") == 2
    for name, data in {
        "one image": sizes(heic(), 30_000, 30_000),
        "a little too large": sizes(heic(), 5000, 5000),
        "with transparency": sizes(heic(mode="RGBA", colour=(1, 2, 3, 4)), 4000, 4000),
        # Each of the four has fewer pixels than a picture may have.
        "small grid of large tiles": sizes(tiles, 4000, 4000, of=512),
    }.items():
        assert refused(elsa, data) == (413, "too_large"), name
    sentence = send(elsa, sizes(heic(), 5000, 5000)).json()["error"]
    assert sentence.startswith("This picture has 25 megapixels. One in HEIC can have at most 24.")


def test_a_grid_of_grids_is_refused(elsa: Caller) -> None:
    nested = heic((640, 640), tile_size=512).replace(b"hvc1", b"grid")
    assert refused(elsa, nested) == (400, "invalid_input")


def test_references_without_number_are_refused_before_they_are_read() -> None:
    entries = b"\0\1" * 5000
    listed = struct.pack(">I4sHH", 12 + len(entries), b"dimg", 1, 5000) + entries
    box = struct.pack(">I4sI", 12 + len(listed), b"iref", 0) + listed
    with pytest.raises(PictureUnreadable):
        list(_references(box, 0, len(box)))


def test_an_image_larger_than_its_box_says_is_refused(elsa: Caller) -> None:
    large = heic((2000, 2000))
    assert len(large) < 100_000
    assert refused(elsa, sizes(large, 64, 64)) == (400, "invalid_input")
