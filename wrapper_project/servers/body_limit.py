"""Limits the size of request bodies under ASGI, where Django would write any size to disk."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from wrapper_project import error_table
from wrapper_project.servers.error_responses import header_of, send_error

# As much as the JSON route with the highest limit takes (notes). Each parser has its own limit.
MAX_BODY_BYTES = 1024 * 1024
# Routes for uploads. Their parser has its own limit, too.
UPLOAD_LIMITS = dict.fromkeys(("/api/profile/picture", "/api/pfp-upload"), 6 * 1024 * 1024)
# How much of an oversized body is read and discarded before the 413: a client that is still sending
# would see a reset connection instead of the response.
MAX_DISCARDED_BYTES = 16 * 1024 * 1024

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Any, Receive, Send], Awaitable[None]]


class BodyLimit:
    """ASGI middleware: 413 if `Content-Length` is too large or too many bytes arrive."""

    def __init__(self, app: App, limit: int = MAX_BODY_BYTES) -> None:
        self.app = app
        self.limit = limit

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        limit = UPLOAD_LIMITS.get(scope["path"], self.limit)
        if _content_length(scope) > limit:
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
                # Django treats this as a client that disconnected, and sends no response.
                return {"type": "http.disconnect"}
            return message

        await self.app(scope, counted, send)


def _content_length(scope: Any) -> int:
    text = header_of(scope, b"content-length")
    return int(text) if text.isascii() and text.isdigit() else 0


async def _refuse(scope: Any, receive: Receive | None, send: Send) -> None:
    """Send a 413 after draining the body (`receive` None: it is complete).

    A body that is too large even to drain gets its 413 at once.
    """
    seen = 0
    if _content_length(scope) > MAX_DISCARDED_BYTES:
        receive = None
    while receive and seen < MAX_DISCARDED_BYTES:
        message = await receive()
        seen += len(message.get("body", b""))
        if not message.get("more_body"):
            break
    await send_error(scope, send, error_table.TOO_LARGE)
