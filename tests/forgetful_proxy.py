"""A TCP proxy that can lose its connections without a word, as a failover or a NAT does."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

# Closing then resets the connection, and says nothing before.
_RESET = struct.pack("ii", 1, 0)


class ForgetfulProxy:
    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._known: set[socket.socket] = set()
        self._forgotten: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def forget(self) -> None:
        """Reset each connection of now when its client sends something."""
        self._forgotten |= self._known

    def close(self) -> None:
        self._listener.close()
        for each in self._known:
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._target)
                self._known.add(client)
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=self._copy, args=pair, daemon=True).start()

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if source in self._forgotten:
                    source.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                    source.close()
                    target.shutdown(socket.SHUT_RDWR)  # so that the server is rid of it
                    return
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


@contextmanager
def forgetful_proxy(host: str, port: int) -> Iterator[ForgetfulProxy]:
    proxy = ForgetfulProxy(host, port)
    try:
        yield proxy
    finally:
        proxy.close()
