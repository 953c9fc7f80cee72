"""The answer to a WebSocket that is refused before it is accepted."""

from typing import Any

import orjson
from django.utils import translation

from accounts.errors import CrossOrigin, NotFound
from limits import TooManyRequests
from wrapper_project.error_table import FORBIDDEN, row_for
from wrapper_project.languages import language_of


class RefusedSockets:
    """ASGI middleware: our error body when the application refuses with one of these exceptions
    before it accepts. The server's own answer to a closed handshake has none."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await self.app(scope, receive, send)
        except (CrossOrigin, NotFound, TooManyRequests) as refused:
            row = row_for(type(refused)) or FORBIDDEN
            retry_after = getattr(refused, "retry_after", None)
            accepted = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
            language = language_of(accepted)
            with translation.override(language):
                body = orjson.dumps(row.body(retry_after))
            headers = [
                (b"content-type", b"application/json"),
                (b"content-language", language.encode()),
                (b"cache-control", b"no-store"),
            ]
            if retry_after is not None:
                headers.append((b"retry-after", str(retry_after).encode()))
            start = {"type": "websocket.http.response.start", "status": row.status}
            await send({**start, "headers": headers})
            await send({"type": "websocket.http.response.body", "body": body})
