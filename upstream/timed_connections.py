"""The adapter of `requests`, on connections that end with a deadline for the whole response.

A read timeout starts again with every read, so it never ends a response that drips four bytes a
second. Here each read from the socket waits no longer than what is left until the deadline: status
line, headers, chunk sizes, body and trailers.
"""

import logging
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import certifi
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

# urllib3 logs whole paths, and one dialect has the password in the query. A filter set at import
# also holds when logging is configured later; a level would be overwritten.
for _name in ("connection", "connectionpool", "response", "util.retry"):
    logging.getLogger(f"urllib3.{_name}").addFilter(lambda _: False)


# Of a whole response with its headers and the sizes of its chunks. http.client reads a chunk of an
# impossible size to the end of the connection.
MAX_RECEIVED = 8 * 1024 * 1024


@dataclass(slots=True)
class Exchange:
    """A request and its response: the deadline (`time.monotonic()`), whether the other side has
    closed the connection, and how many bytes may still come."""

    deadline: float
    closed: bool = False
    bytes_left: int = MAX_RECEIVED

    def receive(self, sock: socket.socket, receive_into: Callable[..., int], args: Any) -> int:
        """Read from the socket once. Raises: TimeoutError after the deadline; ValueError for a
        response that is too large; OSError."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("the exchange took too long")
        sock.settimeout(left)
        count = receive_into(*args)
        self.closed = count == 0
        self.bytes_left -= count
        if self.bytes_left < 0:
            raise ValueError("a response that is too large")
        return count


_exchange: ContextVar[Exchange] = ContextVar("upstream_exchange")


@contextmanager
def exchange_scope(deadline: float, *, bytes_left: int = MAX_RECEIVED) -> Iterator[Exchange]:
    """Everything that this thread reads inside belongs to one exchange."""
    with resumed(Exchange(deadline, bytes_left=bytes_left)) as exchange:
        yield exchange


@contextmanager
def resumed(exchange: Exchange) -> Iterator[Exchange]:
    """Go on with an exchange, perhaps in another thread, as with a body that is read in parts."""
    token = _exchange.set(exchange)
    try:
        yield exchange
    finally:
        _exchange.reset(token)


class _Socket(socket.socket):
    def recv_into(self, *args: Any) -> int:
        return _exchange.get().receive(self, super().recv_into, args)


class _TlsSocket(ssl.SSLSocket):
    def recv_into(self, *args: Any) -> int:
        return _exchange.get().receive(self, super().recv_into, args)


class _Connection(HTTPConnection):
    def _new_conn(self) -> socket.socket:
        timed = _Socket(fileno=super()._new_conn().detach())
        timed.settimeout(self.timeout)
        return timed


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


def timed_tls(ca_file: str | None) -> ssl.SSLContext:
    """For connections that are read in an `exchange_scope`. `ca_file` adds certificate authorities
    to the public ones."""
    tls = ssl.create_default_context(cafile=certifi.where())
    tls.sslsocket_class = _TlsSocket
    if ca_file:
        tls.load_verify_locations(cafile=ca_file)
    return tls


class TimedAdapter(HTTPAdapter):
    """An adapter for one host, to be used in an `exchange_scope` only.

    It keeps up to `pool_size` idle connections and never blocks. `tls`: from `timed_tls`, for a
    host that is asked over HTTPS.
    """

    def __init__(self, *, pool_size: int, tls: ssl.SSLContext | None) -> None:
        self._tls = tls
        super().__init__(pool_connections=1, pool_maxsize=pool_size)

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        super().init_poolmanager(*args, ssl_context=self._tls, **options)
        self.poolmanager.pool_classes_by_scheme = {"http": _Pool, "https": HTTPSConnectionPool}

    def cert_verify(self, *args: Any) -> None:
        """Nothing: the TLS context has the authorities, which would be read for each connection."""
