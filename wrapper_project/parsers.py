"""How bodies are read: at most 256 KiB, which `limit_of` alone decides, and strict JSON in the API.

A body of the API is read as JSON whatever its `Content-Type` says, and an empty one counts as `{}`.
It must be an object, which is the first of at most 32 levels of nesting. A view changes these
limits with the class attributes `max_body_bytes` and `max_body_depth`.

Pages and the staff site are sent forms. Django would read them without a limit (a file to the disk,
a chunked body into memory), so `read_form_body` reads them before the view.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from django.http import HttpRequest
from rest_framework.parsers import BaseParser

from accounts.strict_json import MAX_DEPTH, parse

MAX_BODY_BYTES = 256 * 1024
MAX_DISCARDED_BYTES = 16 * 1024 * 1024
_CHUNK = 64 * 1024
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


class BodyTooLarge(Exception):
    """The body is longer than this route allows."""


def read_bounded(stream: Any, limit: int) -> bytes:
    """All that `stream.read` gives. Raises: BodyTooLarge as soon as that is more than `limit`."""
    parts: list[bytes] = []
    left = limit + 1
    while left > 0 and (part := stream.read(min(left, _CHUNK))):
        parts.append(part)
        left -= len(part)
    if left <= 0:
        raise BodyTooLarge
    return b"".join(parts)


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


def discard_body(request: HttpRequest) -> None:
    """Read what nobody has read of the body.

    An answer before the end of a body resets the connection, and then the proxy answers 502 in its
    place. A body that says it is longer than any proxy of deploy/ lets through is not read, and of
    one that does not say it only so much.
    """
    left = MAX_DISCARDED_BYTES
    if _content_length(request.META) > left:
        return
    with suppress(OSError):  # the client has gone
        while left > 0 and (part := request.read(_CHUNK)):
            left -= len(part)


def limit_of(view: Any) -> int:
    """The bytes that a body for this view may have."""
    return int(getattr(view, "max_body_bytes", MAX_BODY_BYTES))


def read_form_body(request: HttpRequest, limit: int) -> None:
    """Read a body that no parser of REST framework reads, so that `request.POST` finds it there.

    Raises: BodyTooLarge, before the body is read where its length is said and else as soon as it is
    longer; UnreadablePostError.
    """
    prepare_body_headers(request, takes_forms=True)
    if _content_length(request.META) > limit:
        raise BodyTooLarge
    request._body = read_bounded(request, limit)
    request.META["CONTENT_LENGTH"] = str(len(request.body))


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
        limit = limit_of(view)
        if request is not None and _content_length(request.META) > limit:
            raise BodyTooLarge
        return parse(read_bounded(stream, limit), getattr(view, "max_body_depth", MAX_DEPTH))


def _content_length(meta: Mapping[str, Any]) -> int:
    """The `Content-Length`, or 0 if it is missing or not a number."""
    text = str(meta.get("CONTENT_LENGTH") or "")
    return int(text) if text.isascii() and text.isdigit() else 0
