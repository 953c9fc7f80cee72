"""Connections whose answers must be complete at a fixed moment.

A read time-out counts from one read to the next: headers that drip four bytes a second never hit
it. So the deadline sits under the reader that http.client parses from, where every byte of status
line, headers, chunk sizes, body and trailers has to pass.
"""

import io
import logging
import socket
import ssl
import time
from functools import partial
from http.client import HTTPResponse as PlainResponse  # noqa: TID251, its reader is replaced
from http.client import IncompleteRead  # noqa: TID251
from typing import Any, cast
from urllib.parse import urlsplit

import certifi
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.response import HTTPResponse

# One recv for a usual answer: headers and 10 kB of lessons.
_READ_BYTES = 32 * 1024

# urllib3 writes whole paths into its log lines, and one dialect puts the password into a query.
# A filter survives any logging configuration that comes later; a level would not.
for _name in ("connection", "connectionpool", "response", "util.retry"):
    logging.getLogger(f"urllib3.{_name}").addFilter(lambda _: False)


class _TimedReader(io.RawIOBase):
    """The socket as a raw stream that gives up when the deadline passes."""

    def __init__(self, sock: socket.socket, deadline: float) -> None:
        self._sock = sock
        self._deadline = deadline
        self.ended = False
        # A makefile of the socket keeps it open for `Connection: close` answers, where
        # http.client closes the socket before the body is read.
        self._raw = cast(io.RawIOBase, sock.makefile("rb", buffering=0))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("the exchange took too long")
        self._sock.settimeout(left)
        count = self._raw.readinto(buffer)
        self.ended = count == 0
        return count

    def close(self) -> None:
        try:
            self._raw.close()
        finally:
            super().close()


class _File:
    """What http.client's response asks of a socket: a file to read from."""

    def __init__(self, reader: _TimedReader) -> None:
        self._reader = reader

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self._reader, _READ_BYTES)


class _TimedResponse(PlainResponse):
    """http.client's parser over a timed reader, and stricter in one point."""

    def __init__(self, deadline: float, sock: socket.socket, **options: Any) -> None:
        self._reader = _TimedReader(sock, deadline)
        super().__init__(cast(socket.socket, _File(self._reader)), **options)

    def begin(self) -> None:
        """Headers that were cut are no headers: the parser would take their end for an answer
        with an empty body, and an empty body may mean an empty list."""
        super().begin()
        if self._reader.ended:
            raise IncompleteRead(b"")


class _Timed(HTTPConnection):
    """urllib3 leaves in `timeout` what remains of `Timeout.total` when the answer is due."""

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]
        if not self.timeout:
            raise TimeoutError("the exchange took too long")
        deadline = time.monotonic() + self.timeout
        self.response_class = partial(_TimedResponse, deadline)  # type: ignore[assignment]
        return super().getresponse()


class _TimedTls(_Timed, HTTPSConnection):
    """The same over TLS."""


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Timed


class _TlsPool(HTTPSConnectionPool):
    ConnectionCls = _TimedTls


def open_pool(base_url: str, *, size: int, ca_file: str | None = None) -> HTTPConnectionPool:
    """The pool of one host that keeps up to `size` idle connections and never makes one wait.

    Certificates are always verified; `ca_file` replaces the public roots (a private authority).
    """
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    if parts.scheme != "https":
        return _Pool(host, parts.port, maxsize=size)
    context = ssl.create_default_context(cafile=ca_file or certifi.where())
    return _TlsPool(host, parts.port, maxsize=size, ssl_context=context, cert_reqs="CERT_REQUIRED")
