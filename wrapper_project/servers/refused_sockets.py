"""The answer to a WebSocket that is refused before it is accepted because there are too many."""

from typing import Any

import orjson
from django.utils import translation

from limits import TooManyRequests
from wrapper_project.error_table import TOO_MANY
from wrapper_project.languages import language_of


class RefusedSockets:
    """ASGI middleware: 429 with our error body when the application raises TooManyRequests before
    it accepts. It is no part of the handshake, so the server has no answer of its own for it."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await self.app(scope, receive, send)
        except TooManyRequests as refused:
            accepted = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
            language = language_of(accepted)
            with translation.override(language):
                body = orjson.dumps(TOO_MANY.body(refused.retry_after))
            headers = [
                (b"content-type", b"application/json"),
                (b"content-language", language.encode()),
                (b"cache-control", b"no-store"),
                (b"retry-after", str(refused.retry_after).encode()),
            ]
            start = {"type": "websocket.http.response.start", "status": TOO_MANY.status}
            await send({**start, "headers": headers})
            await send({"type": "websocket.http.response.body", "body": body})
