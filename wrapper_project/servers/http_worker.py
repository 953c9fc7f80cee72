"""The thread worker of gunicorn, with a bound on how long a client may hold a thread.

Once the first byte is there, gunicorn waits for the rest of a request for as long as it takes:
as many clients as there are threads, each with half a request, would stop the service. Waiting
for a request on a connection that is kept alive costs no thread, and stays as it is.
"""

import errno
import socket
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Self

from gunicorn.workers import gthread

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# At most this much is sent under one time-out: a slow line may take long over a large answer.
_PIECE_BYTES = 64 * 1024
# Of a body that was refused: as much as a program may have under way before it reads the reason.
_DRAIN_BYTES = 4 * 1024 * 1024


class ClientSocket(socket.socket):
    """A client's connection, on which a thread waits so long and no longer.

    A time-out has the number of a reset connection: that is how gunicorn is told that there is
    nobody to answer and nothing to report.
    """

    # Without a byte in either direction. A phone that changes its network is back by then.
    silence_seconds: ClassVar[float] = 15
    # For a whole request to come, or one byte now and then would do. The largest is 6 MiB.
    request_seconds: ClassVar[float] = 60
    # For the client to close, once all is said; closing first can cost it the answer.
    linger_seconds: ClassVar[float] = 2

    ends = 0.0
    timed_out = False

    @classmethod
    def take_over(cls, accepted: socket.socket) -> Self:
        """The same connection; `accepted` is no more."""
        taken = cls(accepted.family, accepted.type, accepted.proto, fileno=accepted.detach())
        taken.setblocking(False)
        return taken

    def begin(self) -> None:
        """A thread waits for a request from now on."""
        self.ends = time.monotonic() + self.request_seconds

    def setblocking(self, flag: bool, /) -> None:
        """What gunicorn calls blocking has an end here."""
        self.settimeout(self.silence_seconds if flag else 0.0)

    def recv(self, bufsize: int, flags: int = 0, /) -> bytes:
        if time.monotonic() > self.ends:
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
        """Say that no more comes, and wait a moment for the client to close."""
        with suppress(OSError):
            if not self.timed_out:
                self.shutdown(socket.SHUT_WR)
                self._drain()
            self.shutdown(socket.SHUT_RDWR)

    def _drain(self) -> None:
        ends, drained = time.monotonic() + self.linger_seconds, 0
        while drained < _DRAIN_BYTES and (left := ends - time.monotonic()) > 0:
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


class HttpWorker(gthread.ThreadWorker):  # type: ignore[misc]
    """gunicorn's `gthread` on connections that do not wait for ever."""

    def enqueue_req(self, conn: Any) -> None:
        """Have a thread serve a connection; every new one comes by here."""
        if not isinstance(conn.sock, ClientSocket):
            conn.sock = ClientSocket.take_over(conn.sock)
        super().enqueue_req(conn)

    def handle(self, conn: Any) -> Any:
        """Serve one request, in a thread; False when the connection is over.

        gunicorn would wait for the client to close in the thread that accepts connections: here
        the one that has served the client does.
        """
        conn.sock.begin()
        more = super().handle(conn)
        if more is False:
            conn.sock.finish()
        return more
