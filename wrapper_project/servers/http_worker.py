"""gunicorn's thread worker with a time limit for slow clients.

After the first byte, gunicorn waits for the rest of a request without limit: as many clients as
there are threads, each with half a request, would block the service. Waiting for the next request
of a keep-alive connection uses no thread and is unchanged.
"""

import errno
import socket
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Self

from gunicorn.workers import gthread

from wrapper_project.servers.balance import BalancedAccept

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# Sent under one timeout: a slow connection may take long for a large response.
_PIECE_BYTES = 64 * 1024
# Of a refused body: as much as a client may send before it reads the response.
_DRAIN_BYTES = 16 * 1024 * 1024


class ClientSocket(socket.socket):
    """A client's connection with a limit for the time that a thread waits for it.

    A timeout has the errno of a reset connection, so that gunicorn neither responds nor logs.
    """

    # Without a byte in either direction. A phone that changes networks is back by then.
    silence_seconds: ClassVar[float] = 15
    # For the whole request, so that single bytes do not keep it open. The largest has 6 MiB.
    request_seconds: ClassVar[float] = 60
    # For the client to close after the response: closing first could lose it.
    linger_seconds: ClassVar[float] = 2

    deadline = 0.0
    timed_out = False

    @classmethod
    def take_over(cls, accepted: socket.socket) -> Self:
        """The same connection as a ClientSocket; `accepted` is detached."""
        taken = cls(accepted.family, accepted.type, accepted.proto, fileno=accepted.detach())
        taken.setblocking(False)
        return taken

    def begin(self) -> None:
        self.deadline = time.monotonic() + self.request_seconds

    def setblocking(self, flag: bool, /) -> None:
        """Set a timeout where gunicorn wants a blocking socket."""
        self.settimeout(self.silence_seconds if flag else 0.0)

    def recv(self, bufsize: int, flags: int = 0, /) -> bytes:
        if time.monotonic() > self.deadline:
            raise self._too_slow()
        try:
            return super().recv(bufsize, flags)
        except TimeoutError:
            raise self._too_slow() from None

    def sendall(self, data: "ReadableBuffer", flags: int = 0, /) -> None:
        view = memoryview(data)
        try:
            for at in range(0, len(view), _PIECE_BYTES):
                super().sendall(view[at : at + _PIECE_BYTES], flags)
        except TimeoutError:
            raise self._too_slow() from None

    def sendfile(self, file: Any, offset: int = 0, count: int | None = None) -> int:
        try:
            return super().sendfile(file, offset, count)
        except TimeoutError:
            raise self._too_slow() from None

    def finish(self) -> None:
        """Shut down our side, and wait shortly for the client to close."""
        with suppress(OSError):
            if not self.timed_out:
                self.shutdown(socket.SHUT_WR)
                self._drain()
            self.shutdown(socket.SHUT_RDWR)

    def _drain(self) -> None:
        deadline, drained = time.monotonic() + self.linger_seconds, 0
        while drained < _DRAIN_BYTES and (left := deadline - time.monotonic()) > 0:
            self.settimeout(left)
            try:
                data = super().recv(_PIECE_BYTES)
            except OSError:
                return
            if not data:
                return
            drained += len(data)

    def _too_slow(self) -> TimeoutError:
        self.timed_out = True
        return TimeoutError(errno.ECONNRESET, "the client took too long")


class HttpWorker(BalancedAccept, gthread.ThreadWorker):  # type: ignore[misc]
    """gunicorn's `gthread` worker with time limits for clients."""

    def enqueue_req(self, conn: Any) -> None:
        """Every new connection passes here."""
        if not isinstance(conn.sock, ClientSocket):
            conn.sock = ClientSocket.take_over(conn.sock)
        conn.is_put_off = False
        super().enqueue_req(conn)

    def handle(self, conn: Any) -> Any:
        """Serve one request in a thread; False when the connection is finished.

        gunicorn would wait for the client to close in the thread that accepts connections; here
        the thread that served the client waits. A connection that has sent nothing yet would keep
        its thread for five seconds; here it goes to the poller at once.
        """
        has_data = conn.initialized or conn.data_ready or conn.wait_for_data(0)
        conn.is_put_off = self.alive and not has_data
        if conn.is_put_off:
            return gthread._DEFER
        conn.sock.begin()
        more = super().handle(conn)
        if more is False:
            conn.sock.finish()
        return more

    def finish_request(self, conn: Any, fs: Any) -> None:
        """As gunicorn's, but a connection that has sent nothing is not kept as long as one between
        two requests: a thousand of them would stop the accepting of others."""
        if conn.is_put_off and not self.alive:
            self.enqueue_req(conn)  # the worker is ending, and the request may be on its way
            return
        super().finish_request(conn, fs)
        if self.pending_conns and self.pending_conns[-1] is conn:
            conn.timeout = time.monotonic() + ClientSocket.silence_seconds

    def _cap_keepalive(self, deadline: float) -> None:
        """A stopping worker waits no longer for connections that have sent nothing than for those
        between two requests."""
        super()._cap_keepalive(deadline)
        for conn in self.pending_conns:
            conn.timeout = min(conn.timeout, deadline)

    def handle_request(self, req: Any, conn: Any) -> Any:
        """Announce "Connection: close" with a body that may be too long to drain.

        Otherwise a refused body would be answered "keep-alive" and then cut: the next request on
        that connection would get no answer.
        """
        declared = getattr(req.body.reader, "length", None)  # None: sent in chunks
        if declared is None or declared > _DRAIN_BYTES:
            req.force_close()
        return super().handle_request(req, conn)

    def _keepalive_after(self, conn: Any, keepalive: Any) -> bool:
        """As gunicorn's, which drains 64 KiB of an unread body only."""
        if not keepalive:
            return False
        deadline = time.monotonic() + gthread.DEFAULT_WORKER_DATA_TIMEOUT
        return bool(conn.parser.finish_body(deadline=deadline, max_bytes=_DRAIN_BYTES))
