"""A form with a file in it: the one kind of body that is no JSON."""

from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from typing import Any

from django.core.files.uploadhandler import MemoryFileUploadHandler
from django.http import HttpRequest, UnreadablePostError
from django.http.multipartparser import MultiPartParser, MultiPartParserError
from rest_framework.parsers import BaseParser

from accounts.errors import InvalidInput, PictureTooLarge
from accounts.limits import PICTURE_BYTES

# The file, and what a form has around it.
MAX_FORM_BYTES = PICTURE_BYTES + 64 * 1024
# Of a refused body, more than any camera makes.
MAX_DISCARDED_BYTES = 16 * 1024 * 1024
_CHUNK = 64 * 1024


class FormParser(BaseParser):
    """Reads `multipart/form-data`: text by its name, files as their bytes by theirs.

    For views that say `takes_forms = True`; REST framework calls it after its own checks, so a
    body is not read for who may not send one.
    """

    media_type = "multipart/form-data"

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The fields. Raises: PictureTooLarge, InvalidInput for anything but a form."""
        meta = (parser_context or {})["request"].META
        if _announced(meta) > MAX_FORM_BYTES:
            raise PictureTooLarge
        body = stream.read(MAX_FORM_BYTES + 1)
        if len(body) > MAX_FORM_BYTES:
            raise PictureTooLarge
        try:
            return _fields(body, media_type or "")
        except (MultiPartParserError, ValueError):  # the second for an encoding that nobody knows
            raise InvalidInput(
                {"body": ["Send a form (multipart/form-data) with a picture in it."]}
            ) from None


def discard_body(request: HttpRequest) -> None:
    """Take in what nobody reads. A program that is still sending when it is refused would see a
    broken line, and no reason."""
    left = MAX_DISCARDED_BYTES
    with suppress(UnreadablePostError):
        while left > 0 and (part := request.read(_CHUNK)):
            left -= len(part)


def _announced(meta: Mapping[str, Any]) -> int:
    text = meta.get("CONTENT_LENGTH") or ""
    return int(text) if text.isascii() and text.isdigit() else 0


def _fields(body: bytes, media_type: str) -> dict[str, Any]:
    meta = {"CONTENT_TYPE": media_type, "CONTENT_LENGTH": len(body)}
    form, files = MultiPartParser(meta, BytesIO(body), [_InMemory()], "utf-8").parse()
    fields: dict[str, Any] = form.dict()
    for name in files:
        file: Any = files[name]
        fields[name] = file.read()
    return fields


class _InMemory(MemoryFileUploadHandler):
    """Of any size: the whole body is bounded already."""

    def handle_raw_input(self, *args: Any, **words: Any) -> None:
        self.activated = True
