"""Error responses outside Django: of the ASGI server, before a request gets there."""

import secrets
from typing import Any

import orjson
from django.utils import translation

from wrapper_project.error_table import Row
from wrapper_project.languages import language_of

Headers = list[tuple[bytes, bytes]]


def header_of(scope: Any, wanted: bytes) -> str:
    """The first header of this name, or an empty text."""
    found = (value for name, value in scope["headers"] if name == wanted)
    return str(next(found, b"").decode("latin-1"))


def error_response(scope: Any, row: Row) -> tuple[Headers, bytes]:
    """Headers and body, in the language of the request; the connection is closed afterwards."""
    language = language_of(header_of(scope, b"accept-language"))
    with translation.override(language):
        body = orjson.dumps(row.body())
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"content-language", language.encode()),
        (b"vary", b"Accept-Language"),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
        (b"x-request-id", secrets.token_hex(16).encode()),
    ]
    return headers, body
