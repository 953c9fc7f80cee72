"""uvicorn's gunicorn worker, configured for this service."""

from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn_worker import UvicornWorker
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

from wrapper_project.servers import startup

# The consumer allows 64 KiB and sends its own close code; this limit is a little higher.
MAX_FRAME_BYTES = 128 * 1024
MAX_HEADER_BYTES = 64 * 1024
# More than one read of the event loop, which may hold a whole request.
MAX_INCOMPLETE_BYTES = 512 * 1024


class HttpProtocol(HttpToolsProtocol):
    """uvicorn's protocol with a limit for the headers; malformed HTTP gets our JSON error body."""

    header_bytes = 0
    # Received since the parser has last found a header or a part of the body.
    incomplete_bytes = 0

    def data_received(self, data: bytes) -> None:
        self.incomplete_bytes += len(data)
        super().data_received(data)
        if self.incomplete_bytes > MAX_INCOMPLETE_BYTES and not self.transport.is_closing():
            self.send_400_response("")

    def on_message_begin(self) -> None:
        self.header_bytes = 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        self.incomplete_bytes = 0
        self.header_bytes += len(name) + len(value)
        if self.header_bytes > MAX_HEADER_BYTES:
            raise ValueError("the headers are too long")  # the parser refuses the request
        super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        self.incomplete_bytes = 0
        super().on_body(body)

    def send_400_response(self, msg: str) -> None:
        del msg
        self.transport.write(startup.malformed_http_response(400, "Bad Request"))
        self.transport.close()


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
        "http": HttpProtocol,
        "ws": SocketProtocol,
        "ws_max_size": MAX_FRAME_BYTES,
        "ws_ping_interval": 20,
        "ws_ping_timeout": 20,
        "proxy_headers": False,
        "server_header": False,
        "access_log": False,
        "lifespan": "on",
    }
