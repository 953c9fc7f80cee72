"""Connections on which a whole response must arrive before a deadline.

A read timeout starts again with every read, so it never ends a response that drips four bytes a
second. Here the deadline applies to the reader that http.client parses from: status line, headers,
chunk sizes, body and trailers all pass through it.
"""

import io
import logging
import socket
import ssl
import time
from functools import partial
from http.client import HTTPResponse as HttpClientResponse  # noqa: TID251, its reader is replaced
from http.client import IncompleteRead  # noqa: TID251
from typing import Any, cast
from urllib.parse import urlsplit

import certifi
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.response import HTTPResponse

# One recv for a usual response: headers and 10 kB of lessons.
_READ_BYTES = 32 * 1024

# urllib3 logs whole paths, and one dialect has the password in the query. A filter set at import
# also holds when logging is configured later; a level would be overwritten.
for _name in ("connection", "connectionpool", "response", "util.retry"):
    logging.getLogger(f"urllib3.{_name}").addFilter(lambda _: False)


class _TimedReader(io.RawIOBase):
    """The socket as a raw stream that raises TimeoutError when the deadline has passed."""

    def __init__(self, sock: socket.socket, deadline: float) -> None:
        self._sock = sock
        self._deadline = deadline
        self.ended = False
        # For a `Connection: close` response http.client closes the socket before the body is
        # read; a makefile of the socket keeps it open.
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

    def makefile(self, _mode: str) -> io.BufferedReader:
        """The only method of a socket that http.client's response uses."""
        return io.BufferedReader(self, _READ_BYTES)


class _TimedResponse(HttpClientResponse):
    """http.client's parser on a timed reader. It also rejects headers that were cut."""

    def __init__(self, deadline: float, sock: socket.socket, **options: Any) -> None:
        self._reader = _TimedReader(sock, deadline)
        super().__init__(cast(socket.socket, self._reader), **options)

    def begin(self) -> None:
        super().begin()
        # http.client would return an empty body, which may mean an empty list.
        if self._reader.ended:
            raise IncompleteRead(b"")


class _TimedConnection(HTTPConnection):
    """A connection with a deadline for the whole response.

    When urllib3 waits for the response, `timeout` holds what is left of `Timeout.total`.
    """

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]
        if not self.timeout:
            raise TimeoutError("the exchange took too long")
        deadline = time.monotonic() + self.timeout
        self.response_class = partial(_TimedResponse, deadline)  # type: ignore[assignment]
        return super().getresponse()


class _TimedTlsConnection(_TimedConnection, HTTPSConnection):
    """The same over TLS."""


class _Pool(HTTPConnectionPool):
    ConnectionCls = _TimedConnection


class _TlsPool(HTTPSConnectionPool):
    ConnectionCls = _TimedTlsConnection


def open_pool(base_url: str, *, size: int, ca_file: str | None = None) -> HTTPConnectionPool:
    """The connection pool of one host. It keeps up to `size` idle connections and never blocks.

    Certificates are always verified. `ca_file` adds authorities to the public ones.
    """
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    if parts.scheme != "https":
        return _Pool(host, parts.port, maxsize=size)
    context = ssl.create_default_context(cafile=certifi.where())
    if ca_file:
        context.load_verify_locations(cafile=ca_file)
    return _TlsPool(host, parts.port, maxsize=size, ssl_context=context, cert_reqs="CERT_REQUIRED")
