"""The error body of a WebSocket that is refused before it is accepted."""

from typing import Any

from accounts.errors import TooManyRequests
from wrapper_project import error_table
from wrapper_project.servers.error_responses import send_error


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
                await send_error(scope, send, error_table.FORBIDDEN)
            else:
                await send(message)

        try:
            await self.app(scope, receive, watched)
        except TooManyRequests as refused:
            await send_error(scope, send, error_table.TOO_MANY, refused.retry_after)
