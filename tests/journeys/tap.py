"""A tap on the wire to the school's system: passes every byte on, and keeps a copy."""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import unquote, urlsplit

# Where a secret stands in what the two sides say to each other, in both dialects.
SECRETS = {
    "verifier": rb'"code_verifier": ?"([^"]+)"|codeVerifier=([^& ]+)',
    "state": rb'"state": ?"([^"]+)"|[?&]state=([^& ]+)',
    "code": rb'"code": ?"([^"]+)"|[?&]code=([^& ]+)',
    "access token": rb'"(?:access_)?token": ?"([^"]+)"|\r\ntoken: ([^\r]+)',
    "refresh token": rb'"refresh_?[tT]oken": ?"([^"]+)"|refreshToken=([^& ]+)',
    "JSESSIONID": rb"JSESSIONID=([^;\r]+)",
    "hash": rb"hash=([^;\r]+)",
}
_SHORTEST = 8  # of a secret; what is shorter is a word such as "ok"


class Tap:
    """Listens on `url`; what passed is in `heard`."""

    def __init__(self, listener: socket.socket, upstream: str) -> None:
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self._listener = listener
        self._upstream = urlsplit(upstream).port
        self._lock = threading.Lock()
        self._heard: list[bytearray] = []

    def serve(self) -> None:
        """Until the listener is closed."""
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
        """Everything that passed so far, in both directions."""
        with self._lock:
            return b"\r\n\r\n".join(bytes(copy) for copy in self._heard)

    def secrets(self) -> dict[str, set[str]]:
        """Every secret that passed, by its kind."""
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
    """A tap in front of `upstream` for the length of the block."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        tap = Tap(listener, upstream)
        thread = threading.Thread(target=tap.serve, daemon=True)
        thread.start()
        yield tap
        listener.shutdown(socket.SHUT_RDWR)
    thread.join()
