"""The error body of a WebSocket that is refused before it is accepted."""

from typing import Any

from accounts.errors import TooManyRequests
from wrapper_project import error_table
from wrapper_project.error_table import Row
from wrapper_project.servers.error_responses import error_response


class RefusedSockets:
    """ASGI middleware: answers instead of the handshake, 403 when the application closes before it
    accepts (another path, a page of another site), 429 when it raises TooManyRequests then."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        accepted = False

        async def watched(message: Any) -> None:
            nonlocal accepted
            accepted = accepted or message["type"] == "websocket.accept"
            if message["type"] == "websocket.close" and not accepted:
                await _refuse(scope, send, error_table.FORBIDDEN)
            else:
                await send(message)

        try:
            await self.app(scope, receive, watched)
        except TooManyRequests as refused:
            await _refuse(scope, send, error_table.TOO_MANY, refused.retry_after)


async def _refuse(scope: Any, send: Any, row: Row, retry_after: int | None = None) -> None:
    headers, body = error_response(scope, row)
    if retry_after is not None:
        headers.append((b"retry-after", str(retry_after).encode()))
    start = {"type": "websocket.http.response.start", "status": row.status, "headers": headers}
    await send(start)
    await send({"type": "websocket.http.response.body", "body": body})
