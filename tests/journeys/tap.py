"""A proxy to the school's system that records every byte."""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import unquote, urlsplit

# Patterns for the secrets in the traffic of both dialects.
SECRETS = {
    "verifier": rb'"code_verifier": ?"([^"]+)"|codeVerifier=([^& ]+)',
    "state": rb'"state": ?"([^"]+)"|[?&]state=([^& ]+)',
    "code": rb'"code": ?"([^"]+)"|[?&]code=([^& ]+)',
    "access token": rb'"(?:access_)?token": ?"([^"]+)"|\r\ntoken: ([^\r]+)',
    "refresh token": rb'"refresh_?[tT]oken": ?"([^"]+)"|refreshToken=([^& ]+)',
    "JSESSIONID": rb"JSESSIONID=([^;\r]+)",
    "hash": rb"hash=([^;\r]+)",
}
_SHORTEST = 8  # of a secret; shorter values are words such as "ok"


class Tap:
    """Listens on `url`; `heard` returns the recorded traffic."""

    def __init__(self, listener: socket.socket, upstream: str) -> None:
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self._listener = listener
        self._upstream = urlsplit(upstream).port
        self._lock = threading.Lock()
        self._heard: list[bytearray] = []

    def serve(self) -> None:
        """Serve until the listener is closed."""
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._upstream))
                for source, target in ((near, far), (far, near)):
                    copy = bytearray()
                    with self._lock:
                        self._heard.append(copy)
                    args = (source, target, copy)
                    threading.Thread(target=self._pass_on, args=args, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, copy: bytearray) -> None:
        with suppress(OSError):
            while part := source.recv(65536):
                with self._lock:
                    copy += part
                target.sendall(part)
        for end in (target, source):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def heard(self) -> bytes:
        """The recorded traffic in both directions."""
        with self._lock:
            return b"\r\n\r\n".join(bytes(copy) for copy in self._heard)

    def secrets(self) -> dict[str, set[str]]:
        """Every recorded secret, by kind."""
        heard = self.heard()
        return {
            kind: {
                unquote(value.decode())
                for found in re.finditer(pattern, heard)
                for value in found.groups()
                if value is not None and len(value) >= _SHORTEST
            }
            for kind, pattern in SECRETS.items()
        }


@contextmanager
def tapped(upstream: str) -> Iterator[Tap]:
    """A running tap in front of `upstream`."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        tap = Tap(listener, upstream)
        thread = threading.Thread(target=tap.serve, daemon=True)
        thread.start()
        yield tap
        listener.shutdown(socket.SHUT_RDWR)
    thread.join()
