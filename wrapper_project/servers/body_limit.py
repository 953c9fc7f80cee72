"""A limit for request bodies under ASGI, where Django first writes any size to disk."""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import orjson

from wrapper_project import error_table

# Four times the largest body of any route (`parsers.MAX_BODY_BYTES`), which refuses what is
# longer in its own words; this is what may lie on the disk meanwhile.
MAX_BODY_BYTES = 1024 * 1024
# Where files are taken. Their parser refuses what is longer in its own words, too.
LARGER = dict.fromkeys(("/api/profile/picture", "/api/pfp-upload"), 6 * 1024 * 1024)
# Taken in and thrown away before a refusal: a program that is still sending would see a broken
# line, and no reason. Where files are taken, and elsewhere.
MAX_DISCARDED_BYTES = 16 * 1024 * 1024
MAX_DISCARDED_TEXT_BYTES = 4 * 1024 * 1024

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Any, Receive, Send], Awaitable[None]]


class BodyLimit:
    """Answers 413 by the announced length, or as soon as too many bytes came."""

    def __init__(self, app: App, limit: int = MAX_BODY_BYTES) -> None:
        self.app = app
        self.limit = limit

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """One HTTP connection."""
        limit = LARGER.get(scope["path"], self.limit)
        if _announced(scope) > limit:
            await _refuse(scope, receive, send)
            return
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            if seen > limit:
                return {"type": "http.disconnect"}
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > limit:
                await _refuse(scope, receive if message.get("more_body") else None, send)
                # Django takes this for a caller who went away, and answers nothing.
                return {"type": "http.disconnect"}
            return message

        await self.app(scope, counted, send)


def _announced(scope: Any) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0


async def _refuse(scope: Any, receive: Receive | None, send: Send) -> None:
    """Answer 413 after the rest of the body (None: there is no more); at once where even that
    would be too much."""
    seen, most = 0, MAX_DISCARDED_TEXT_BYTES
    if scope["path"] in LARGER:
        most = MAX_DISCARDED_BYTES
    elif _announced(scope) > most:
        receive = None
    while receive and seen < most:
        message = await receive()
        seen += len(message.get("body", b""))
        if not message.get("more_body"):
            break
    await _too_large(send)


async def _too_large(send: Send) -> None:
    row = error_table.TOO_LARGE
    body = orjson.dumps(
        {"success": False, "error": row.sentence, "message": row.sentence, "code": row.code}
    )
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
        (b"x-request-id", secrets.token_hex(16).encode()),
    ]
    await send({"type": "http.response.start", "status": row.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
