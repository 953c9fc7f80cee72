"""Error responses outside Django: of the ASGI server, before a request gets there."""

import secrets
from typing import Any

import orjson
from django.utils import translation

from wrapper_project.error_table import Row
from wrapper_project.languages import language_of


def header_of(scope: Any, wanted: bytes) -> str:
    """The first header of this name, or an empty text."""
    found = (value for name, value in scope["headers"] if name == wanted)
    return str(next(found, b"").decode("latin-1"))


async def send_error(scope: Any, send: Any, row: Row, retry_after: int | None = None) -> None:
    """Answer a request or a handshake, in its language; the connection is closed afterwards."""
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
    if retry_after is not None:
        headers.append((b"retry-after", str(retry_after).encode()))
    response = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    await send({"type": f"{response}.start", "status": row.status, "headers": headers})
    await send({"type": f"{response}.body", "body": body})
