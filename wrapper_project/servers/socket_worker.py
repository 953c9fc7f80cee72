"""uvicorn's gunicorn worker, configured for this service."""

import asyncio
import random
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
# For a client to answer a close frame.
CLOSE_SECONDS = 2.0
# How many clients of a server that ends come back in a second: a core can serve so many beside its
# other work.
RETURNING_A_SECOND = 100
# More than one read of the event loop, which may hold a whole request.
MAX_INCOMPLETE_BYTES = 512 * 1024


class HttpProtocol(HttpToolsProtocol):
    """uvicorn's protocol with a limit for the headers and for the time that a client takes to send
    a request; malformed HTTP gets our JSON error body."""

    # From the first byte, or the opening of the connection, to the end of the headers.
    head_seconds: ClassVar[float] = 15
    # From there to the end of the body. The largest has 6 MiB.
    body_seconds: ClassVar[float] = 60

    header_bytes = 0
    # Bytes received since the parser last found a header or a part of the body.
    incomplete_bytes = 0
    # Runs from the opening of a connection, or the first byte of a request, to its end.
    request_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._limit_request(self.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._limit_request(None)
        super().connection_lost(exc)

    def on_headers_complete(self) -> None:
        self._limit_request(self.body_seconds)
        if self.parser.should_upgrade() and self._should_upgrade() and self._has_body():
            # uvicorn would wait for a handshake that is never over, and not answer.
            raise ValueError("a handshake with a body")  # the parser refuses the request
        super().on_headers_complete()

    def _has_body(self) -> bool:
        headers = dict(self.headers)
        return headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers

    def on_message_complete(self) -> None:
        self._limit_request(None)
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._limit_request(None)
        super().handle_websocket_upgrade()

    def _limit_request(self, seconds: float | None) -> None:
        """Drop the connection after so many seconds; None: there is nothing to wait for."""
        if self.request_timer is not None:
            self.request_timer.cancel()
        self.request_timer = None
        if seconds is not None:
            self.request_timer = self.loop.call_later(seconds, self.transport.abort)

    def data_received(self, data: bytes) -> None:
        if self.request_timer is None and (self.cycle is None or self.cycle.response_complete):
            self._limit_request(self.head_seconds)
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

    A close frame is sent at once, and the connection is aborted after `close_timeout`: two
    seconds, not uvicorn's ten, for which clients without a session could hold it.

    Each message is compressed on its own: compression contexts took 43 KiB of the 91 KiB of an idle
    socket.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.close_timeout = CLOSE_SECONDS
        self.conn.available_extensions = [
            ServerPerMessageDeflateFactory(
                server_no_context_takeover=True,
                client_no_context_takeover=True,
                server_max_window_bits=12,
                client_max_window_bits=12,
                compress_settings={"memLevel": 5},
            )
        ]

    def handle_connect(self, event: Any) -> None:
        """Answer a malformed handshake with our error body, and not with a text of the library."""
        if self.conn.accept(event).status_code == 101:
            super().handle_connect(event)
            return
        self.handshake_initiated = self.handshake_complete = self.close_sent = True
        self.transport.write(startup.malformed_http_response(400, "Bad Request"))
        self.transport.close()

    def shutdown(self) -> None:
        """As uvicorn's, but the close says after how many seconds to come back.

        Opening a socket takes 2 to 3 ms of CPU: 10,000 clients that came back at once would keep a
        core busy for 20 to 30 seconds.
        """
        if not self.handshake_complete or self.close_sent:
            super().shutdown()
            return
        self.stop_keepalive()
        seconds = random.uniform(0, len(self.connections) / RETURNING_A_SECOND)  # noqa: S311
        self.queue.put_nowait({"type": "websocket.disconnect", "code": 1012})
        self.conn.send_close(1012, f"retry-after={seconds:.1f}")
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()

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
        # At `info` there are lines about its start, and one without a name or a reason for each
        # socket that is accepted or refused: 4 % of what opening one costs.
        "log_level": "warning",
        "lifespan": "on",
    }
