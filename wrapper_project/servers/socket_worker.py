"""The uvicorn worker of gunicorn, set up for this service."""

from typing import Any, ClassVar

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn_worker import UvicornWorker
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

# Frames are at most 64 KiB; a little more, so that the consumer says so itself.
MAX_FRAME_BYTES = 128 * 1024


class SocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's, which waits for a client that reads nothing, for ever: to send a close frame,
    and then to have it read. Here a close is sent at once, and ten seconds later it is over.

    Messages are compressed each for itself: to remember the ones before would cost 43 KiB a socket,
    which is idle nearly all the time.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn.available_extensions = [
            ServerPerMessageDeflateFactory(
                server_no_context_takeover=True,
                client_no_context_takeover=True,
                server_max_window_bits=12,
                client_max_window_bits=12,
                compress_settings={"memLevel": 5},
            )
        ]

    async def send(self, message: Any) -> None:
        """One ASGI message."""
        if self.close_sent:
            raise ClientDisconnected
        closes = message["type"] == "websocket.close"
        if closes:
            self.writable.set()
        await super().send(message)
        if closes:
            self._give_up_later()

    def keepalive_timeout(self) -> None:
        """The client has answered no ping."""
        super().keepalive_timeout()
        self._give_up_later()

    def _give_up_later(self) -> None:
        # Closing a transport waits until what is buffered has been read.
        self.loop.call_later(self.close_timeout, self.transport.abort)


class SocketWorker(UvicornWorker):  # type: ignore[misc]
    """Trusts no proxy by itself, writes no access log, bounds frames and queues."""

    CONFIG_KWARGS: ClassVar[dict[str, Any]] = {
        "loop": "uvloop",
        "http": "httptools",
        "ws": SocketProtocol,
        "ws_max_size": MAX_FRAME_BYTES,
        "ws_ping_interval": 20,
        "ws_ping_timeout": 20,
        "proxy_headers": False,
        "server_header": False,
        "access_log": False,
        "lifespan": "on",
    }
