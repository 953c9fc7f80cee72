"""uvicorn's gunicorn worker, configured for this service."""

from typing import Any, ClassVar

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn_worker import UvicornWorker
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

# The consumer allows 64 KiB and sends its own close code; this limit is a little higher.
MAX_FRAME_BYTES = 128 * 1024


class SocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's protocol, but closing does not wait for a client that reads nothing.

    A close frame is sent at once, and the connection is aborted after `close_timeout`.

    Each message is compressed on its own: compression contexts took 43 KiB of the 91 KiB of an idle
    socket.
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
        if self.close_sent:
            raise ClientDisconnected
        closes = message["type"] == "websocket.close"
        if closes:
            self.writable.set()
        await super().send(message)
        if closes:
            self._abort_later()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._abort_later()

    def _abort_later(self) -> None:
        # Closing a transport waits until the client has read the buffer.
        self.loop.call_later(self.close_timeout, self.transport.abort)


class SocketWorker(UvicornWorker):  # type: ignore[misc]
    """Trusts no proxy, writes no access log, limits frames."""

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
