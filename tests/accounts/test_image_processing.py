"""Checking an uploaded picture and encoding it again."""

import struct
import zlib
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageOps, ImageStat

from accounts.models import Picture
from tests.accounts.images import picture, send, shown
from tests.conftest import Caller

CAMERA = "Ellies kamera"


def drawn(caller: Caller, data: bytes, kind: str = "avatar") -> Image.Image:
    """The picture that others see after this upload."""
    answer = send(caller, data, kind=kind)
    assert answer.status_code == 201, answer.content
    return shown(answer.json()["url"])


def refused(caller: Caller, data: bytes) -> tuple[int, str]:
    answer = send(caller, data)
    assert not Picture.objects.exists()
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize(
    ("kind", "size", "becomes"),
    [
        ("avatar", (640, 480), (480, 480)),
        ("avatar", (700, 1800), (512, 512)),
        ("avatar", (3, 9), (3, 3)),
        ("cover", (1800, 600), (1500, 500)),
        ("cover", (600, 1800), (500, 1500)),
        ("cover", (700, 20), (700, 20)),
    ],
)
def test_it_becomes_a_webp_of_the_size_of_its_kind(
    elsa: Caller, kind: str, size: tuple[int, int], becomes: tuple[int, int]
) -> None:
    for form in ("JPEG", "PNG", "WEBP", "GIF"):
        seen = drawn(elsa, picture(form, size, (10, 200, 90)), kind)
        assert (seen.format, seen.size) == ("WEBP", becomes)
        middle = (becomes[0] // 2, becomes[1] // 2)
        red, green, blue = seen.convert("RGB").getpixel(middle)  # type: ignore[misc]
        assert max(abs(red - 10), abs(green - 200), abs(blue - 90)) < 12, form
        row = Picture.objects.get()
        assert (row.width, row.height, bytes(row.data)[8:12]) == (*becomes, b"WEBP")


def test_the_metadata_of_the_file_is_removed(elsa: Caller) -> None:
    exif = Image.Exif()
    exif[0x010F] = CAMERA  # camera maker
    exif.get_ifd(0x8825)[1] = "N"  # latitude
    profile = b"icc " + CAMERA.encode()
    for form in ("JPEG", "PNG", "WEBP"):
        data = picture(form, exif=exif, icc_profile=profile, xmp=CAMERA.encode())
        assert CAMERA.encode() in data or form == "PNG"
        seen = drawn(elsa, data + CAMERA.encode())
        assert not seen.getexif()
        assert not {"exif", "icc_profile", "xmp"} & set(seen.info)
        assert CAMERA.encode() not in bytes(Picture.objects.get().data)


def test_it_is_rotated_as_the_metadata_says(elsa: Caller) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # rotated by a quarter
    seen = drawn(elsa, picture("JPEG", (600, 300), exif=exif), "cover")
    assert seen.size == (300, 600)


def test_transparency_is_kept(elsa: Caller) -> None:
    grey, colour = (90, 0), (10, 20, 30, 0)
    for mode, form, clear in (
        ("RGBA", "PNG", colour),
        ("LA", "PNG", grey),
        ("RGBA", "WEBP", colour),
    ):
        seen = drawn(elsa, picture(form, mode=mode, colour=clear))
        assert seen.mode == "RGBA", form
        assert seen.getpixel((5, 5))[3] == 0  # type: ignore[index]


COLOURS = [
    ("CMYK", "JPEG", (0, 0, 0, 0), 255),
    ("L", "JPEG", 128, 128),
    ("1", "PNG", 1, 255),
    ("I;16", "PNG", 128 * 256, 128),
    ("LA", "PNG", (128, 255), 128),
    ("P", "PNG", 0, 0),
    ("P", "GIF", 0, 0),
]


def test_every_colour_mode_is_accepted(elsa: Caller) -> None:
    for mode, form, colour, becomes in COLOURS:
        seen = drawn(elsa, picture(form, mode=mode, colour=colour)).convert("RGB")
        values: Any = seen.getpixel((5, 5))
        assert all(abs(value - becomes) < 6 for value in values), (mode, form)


def test_an_animation_becomes_its_first_frame(elsa: Caller) -> None:
    second = Image.new("RGB", (40, 40), (0, 0, 255))
    for form in ("GIF", "WEBP", "PNG"):
        data = picture(form, (40, 40), (255, 0, 0), save_all=True, append_images=[second] * 3)
        seen = drawn(elsa, data)
        assert getattr(seen, "n_frames", 1) == 1
        red, _, blue = seen.convert("RGB").getpixel((20, 20))  # type: ignore[misc]
        assert red > 200 > blue, form


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


NO_PICTURES = {
    "empty": b"",
    "zeros": b"\x00" * 1000,
    "svg": SVG,
    "bmp": picture("BMP"),
    "tiff": picture("TIFF"),
    "ico": picture("ICO", (32, 32)),
    "eps": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
    "half-png": picture("PNG")[:100],
    "half-jpeg": picture("JPEG")[:300],
    "avif": picture("AVIF", (32, 32)),
    "half-gif": picture("GIF")[:40],
    "half-webp": picture("WEBP")[:60],
    "only-a-webp-header": b"RIFF\xff\xff\xff\xffWEBPVP8X",
    "a-webp-of-nothing": b"RIFF\x00\x00\x00\x00WEBPNOPE" + b"\x01" * 40,
}


def test_a_file_of_another_format_is_400(elsa: Caller) -> None:
    for name, data in NO_PICTURES.items():
        assert refused(elsa, data) == (400, "invalid_input"), name


def test_a_jpeg_with_hundreds_of_scans_is_refused(elsa: Caller) -> None:
    data = picture("JPEG", (64, 64), progressive=True)
    scan = data[data.rindex(b"\xff\xda") : -2]
    assert refused(elsa, data[:-2] + scan * 200 + data[-2:]) == (400, "invalid_input")
    assert drawn(elsa, data[:-2] + scan * 20 + data[-2:]).size == (64, 64)


def png_of(width: int, height: int) -> bytes:
    """A PNG of one colour, which is small for any number of pixels."""
    row = b"\x00" + b"\x00" * ((width + 7) // 8)
    packer = zlib.compressobj(9)
    packed = packer.compress(row * height) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in ((b"IHDR", head), (b"IDAT", packed), (b"IEND", b""))
    )


def gif_of(width: int, height: int, screen: tuple[int, int]) -> bytes:
    """A GIF whose frame may be larger than its header says."""
    return (
        b"GIF89a" + struct.pack("<HHBBB", *screen, 0x80, 0, 0) + b"\x00\x00\x00\xff\xff\xff"
        + b"," + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x02\x02L\x01\x00;"
    )  # fmt: skip


def webp_of(part: bytes, body: bytes) -> bytes:
    """The header of a WebP file."""
    size = struct.pack("<I", len(body))
    return b"RIFF" + struct.pack("<I", len(body) + 12) + b"WEBP" + part + size + body


LARGE = struct.pack("<I", 16382 | 16382 << 14)
JPEG = picture("JPEG", (16, 16))
SIZE = JPEG.index(b"\xff\xc0") + 5
PROGRESSIVE = picture("JPEG", (16, 16), progressive=True, subsampling=0)
START = PROGRESSIVE.index(b"\xff\xc2") + 5
# Its first scan has one component only, so that the samples of all of them are kept.
ONE_COMPONENT = JPEG[SIZE + 4 : JPEG.index(b"\xff\xda")] + b"\xff\xda\0\x08\x01\x01\0\0\x3f\0"
BOMBS = {
    "jpeg": JPEG[:SIZE] + struct.pack(">HH", 9000, 9000) + JPEG[SIZE + 4 :],
    "png": png_of(30_000, 30_000),
    "png-just-too-large": png_of(4250, 4000),
    "gif": gif_of(60_000, 60_000, (60_000, 60_000)),
    "gif-frame": gif_of(60_000, 60_000, (1, 1)),
    "progressive": PROGRESSIVE[:START] + struct.pack(">HH", 5000, 5000) + PROGRESSIVE[START + 4 :],
    "not-interleaved": JPEG[:SIZE] + struct.pack(">HH", 7000, 7000) + ONE_COMPONENT,
    "webp-just-too-large": webp_of(b"VP8X", bytes(4) + b"\xb7\x0b\x00" * 2),
    "webp-extended": webp_of(b"VP8X", bytes(4) + b"\xfe\x3f\x00" * 2),
    "webp-lossless": webp_of(b"VP8L", b"\x2f" + LARGE + bytes(20)),
    "webp-lossy": webp_of(b"VP8 ", b"\x30\x01\x00\x9d\x01\x2a\xfe\x3f\xfe\x3f" + bytes(20)),
}


def test_too_many_pixels_are_refused_by_the_header(elsa: Caller) -> None:
    for name, data in BOMBS.items():
        assert len(data) < 512 * 1024
        assert refused(elsa, data) == (413, "too_large"), name


def test_what_a_telephone_takes_is_accepted(elsa: Caller) -> None:
    # "64 megapixels" are a few more.
    assert drawn(elsa, picture("JPEG", (9248, 6936)), "cover").size == (1500, 1125)
    progressive = picture("JPEG", (6000, 4000), progressive=True)
    assert drawn(elsa, progressive, "cover").size == (1500, 1000)


def test_the_largest_png_is_accepted(elsa: Caller) -> None:
    assert drawn(elsa, png_of(4000, 4000)).size == (512, 512)


def test_the_sentence_names_the_limit_of_the_format(elsa: Caller) -> None:
    for name, sentence in {
        "jpeg": "This picture has 81 megapixels. One in JPEG can have at most 64.",
        "progressive": (
            "This picture has 25 megapixels. One in progressive JPEG can have at most 18."
        ),
        "png-just-too-large": "This picture has 17 megapixels. One in PNG can have at most 16.",
        "webp-just-too-large": "This picture has 9 megapixels. One in WebP can have at most 8.",
    }.items():
        body = send(elsa, BOMBS[name]).json()
        assert body["error"].startswith(sentence), body
        assert body["message"] == body["error"]


def test_a_large_picture_is_turned_in_each_direction_and_not_distorted(elsa: Caller) -> None:
    image = Image.linear_gradient("L").resize((3217, 1603))
    image.paste(255, (100, 100, 900, 400))
    for kind, direction in [*(("cover", number) for number in range(1, 9)), ("avatar", 7)]:
        exif = Image.Exif()
        exif[0x0112] = direction
        out = BytesIO()
        image.save(out, "PNG", exif=exif, compress_level=1)
        expected = ImageOps.exif_transpose(Image.open(out)).convert("RGB")
        if kind == "avatar":
            expected = ImageOps.fit(expected, (512, 512))
        expected.thumbnail((1500, 1500))
        seen = drawn(elsa, out.getvalue(), kind).convert("RGB")
        assert seen.size == expected.size
        unlike = ImageStat.Stat(ImageChops.difference(seen, expected)).mean
        assert max(unlike) < 2, (direction, kind)
