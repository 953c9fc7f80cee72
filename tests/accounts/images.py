"""Making, uploading and reading pictures."""

from io import BytesIO
from typing import Any

import pillow_heif
from PIL import Image

from tests.conftest import Caller

UPLOAD = "/api/profile/picture"


def picture(
    form: str = "PNG",
    size: tuple[int, int] = (640, 480),
    colour: Any = (200, 30, 60),
    mode: str = "RGB",
    **words: Any,
) -> bytes:
    """A file of one colour; `words` go to Pillow's `save`."""
    out = BytesIO()
    Image.new(mode, size, colour).save(out, form, **words)
    return out.getvalue()


def heic(
    size: tuple[int, int] = (640, 480), colour: Any = (200, 30, 60), mode: str = "RGB", **words: Any
) -> bytes:
    """A HEIC file of one colour; `words` go to pillow-heif's `save`, such as `tile_size`."""
    return heic_of(Image.new(mode, size, colour), **words)


def heic_of(image: Image.Image, **words: Any) -> bytes:
    out = BytesIO()
    words = {"enc_params": {"preset": "ultrafast"}, **words}
    pillow_heif.from_pillow(image).save(out, **words)
    return out.getvalue()


def send(caller: Caller, image: Any, path: str = UPLOAD, **fields: Any) -> Any:
    """Upload; `image` is bytes, or None for a form without one."""
    if image is not None:
        fields["image"] = file = BytesIO(image)
        file.name = "me.png"
    return caller.http.post(path, fields)


def shown(address: str) -> Image.Image:
    """The picture at a URL, read without a session."""
    answer = Caller().get(path_of(address))
    assert answer.status_code == 200
    return Image.open(BytesIO(answer.content))


def path_of(address: str) -> str:
    """The path of a URL."""
    return "/" + address.partition("://")[2].partition("/")[2]


def new_picture(caller: Caller, kind: str = "avatar", **words: Any) -> str:
    """Upload a picture; returns its path."""
    answer = send(caller, picture(**words), kind=kind)
    assert answer.status_code == 201, answer.content
    return path_of(answer.json()["url"])
