"""REST framework's parser of this service: strict JSON of a limited size and depth.

A body is read as JSON whatever its `Content-Type` says, and an empty one counts as `{}`. It must be
an object, which is the first of at most 32 levels of nesting, and have at most 256 KiB. A view
changes these limits with the class attributes `max_body_bytes` and `max_body_depth`.
"""

from collections.abc import Mapping
from typing import Any, Protocol

import orjson
from django.http import HttpRequest
from rest_framework.parsers import BaseParser

MAX_BODY_BYTES = 256 * 1024
MAX_DEPTH = 32
# orjson reads an integer beyond 64 bits as a float, which would change its value.
NUMBER_LIMIT = 2**63
_CHUNK = 64 * 1024
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


class InvalidJson(Exception):
    """The body is not valid JSON, or not JSON that this service accepts."""


class BodyTooLarge(Exception):
    """The body is longer than this route allows."""


class Readable(Protocol):
    """Anything with a `read(n)`: a request, the input of a WSGI server, a file."""

    def read(self, size: int, /) -> bytes: ...


def read_bounded(stream: Readable, limit: int) -> bytes:
    """The whole stream. Raises: BodyTooLarge as soon as it has read more than `limit` bytes."""
    parts: list[bytes] = []
    left = limit + 1
    while left > 0 and (part := stream.read(min(left, _CHUNK))):
        parts.append(part)
        left -= len(part)
    if left <= 0:
        raise BodyTooLarge
    return b"".join(parts)


def parse(body: bytes, depth: int = MAX_DEPTH) -> dict[str, Any]:
    """The JSON object in `body`, at most `depth` levels deep; a blank body is `{}`.

    Raises: InvalidJson if it is not JSON in UTF-8, contains NUL, a lone surrogate, NaN or a number
    beyond 64 bits, is nested too deep, or is not an object.
    """
    if not body.strip():
        return {}
    try:
        # Refuses NaN, lone surrogates, a byte order mark, and nesting beyond 1,024.
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise InvalidJson from None
    if not isinstance(document, dict):
        raise InvalidJson
    _check(document, depth)
    return document


def _check(document: dict[str, Any], depth: int) -> None:
    """Walk level by level, not by recursion, which deep nesting could exhaust."""
    level: list[Any] = [document]
    for _ in range(depth):
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                below.extend(value)
                below.extend(value.values())
            elif isinstance(value, list):
                below.extend(value)
            else:
                _check_plain(value)
        level = below
        if not level:
            return
    for value in level:
        if isinstance(value, dict | list):
            raise InvalidJson
        _check_plain(value)


def _check_plain(value: Any) -> None:
    if isinstance(value, str):
        if "\0" in value:
            raise InvalidJson
    elif isinstance(value, float):
        # A larger integer arrives as a float, rounded to the limit or beyond it.
        if not -NUMBER_LIMIT < value < NUMBER_LIMIT:
            raise InvalidJson
    elif isinstance(value, int) and value >= NUMBER_LIMIT:
        raise InvalidJson


def prepare_body_headers(request: HttpRequest, *, takes_forms: bool = False) -> None:
    """Change the headers of a request so that REST framework parses its body in every form.

    REST framework takes a body without `Content-Length` (chunked) for no body, and returns a
    `QueryDict` for an empty form. Called for unsafe methods before the view. `takes_forms`: the
    view has its own parser for forms.
    """
    meta = request.META
    if not takes_forms and meta.get("CONTENT_TYPE", "").lower().startswith(_FORMS):
        meta["CONTENT_TYPE"] = "application/json"
    if not meta.get("CONTENT_LENGTH") and "chunked" in meta.get("HTTP_TRANSFER_ENCODING", ""):
        meta["CONTENT_LENGTH"] = "-1"  # unknown, and not 0
        if meta.get("wsgi.input_terminated"):
            request._stream = meta["wsgi.input"]


class StrictJSONParser(BaseParser):
    media_type = "application/json"

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The JSON object within the limits of the view. Raises: InvalidJson, BodyTooLarge."""
        context = parser_context or {}
        view = context.get("view")
        request = context.get("request")
        limit = getattr(view, "max_body_bytes", MAX_BODY_BYTES)
        if request is not None and _content_length(request.META) > limit:
            raise BodyTooLarge
        return parse(read_bounded(stream, limit), getattr(view, "max_body_depth", MAX_DEPTH))


def _content_length(meta: Mapping[str, Any]) -> int:
    """The `Content-Length`, or 0 if it is missing or not a number."""
    text = meta.get("CONTENT_LENGTH") or ""
    return int(text) if text.isascii() and text.isdigit() else 0
