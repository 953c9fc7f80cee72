"""A server that sends exactly the given bytes, also what no correct server would send."""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import BinaryIO

# Bytes to send; a number is a pause in seconds, cut short when the server is closed.
Piece = bytes | float
Script = Callable[["Received"], Iterable[Piece]]
Wrap = Callable[[socket.socket], socket.socket]


@dataclass(frozen=True)
class Received:
    """One received request, and the number of its connection."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    connection: int


@dataclass
class RawServer:
    """The requests received so far, and the `script` of the responses, which tests set."""

    url: str
    script: Script
    requests: list[Received] = field(default_factory=list)
    connection_closed: threading.Event = field(default_factory=threading.Event)

    @property
    def targets(self) -> list[str]:
        return [request.target for request in self.requests]

    def respond(self, document: object, status: int = 200) -> None:
        """Send this JSON from now on."""
        self.script = always(http(json.dumps(document).encode(), status=status))


def http(
    body: bytes = b"", *, status: int = 200, kind: str = "application/json", **headers: str
) -> bytes:
    """A well-formed response. Underscores in header names stand for hyphens."""
    lines = [f"HTTP/1.1 {status} Whatever", f"Content-Length: {len(body)}"]
    if kind:
        lines.append(f"Content-Type: {kind}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def reset_when_closed(connection: socket.socket) -> None:
    """Let the connection end with a reset (RST)."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def always(*pieces: Piece) -> Script:
    """The same response to every request."""
    return lambda _: pieces


def in_turn(*responses: bytes | Iterable[Piece]) -> Script:
    """One response after the other; the last one repeats."""
    left = list(responses)

    def script(_: Received) -> Iterable[Piece]:
        response = left.pop(0) if len(left) > 1 else left[0]
        return (response,) if isinstance(response, bytes) else response

    return script


class _Serving:
    """The threads of a `RawServer`: one that accepts connections, and one per connection."""

    def __init__(self, server: RawServer, listener: socket.socket, wrap: Wrap) -> None:
        self._server = server
        self._listener = listener
        self._wrap = wrap
        self._closing = threading.Event()
        self._connections: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def _accept(self) -> None:
        while not self._closing.is_set():
            with suppress(OSError):
                connection = self._wrap(self._listener.accept()[0])
                self._connections.append(connection)
                number = len(self._connections)
                self._threads.append(threading.Thread(target=self._talk, args=(connection, number)))
                self._threads[-1].start()

    def _talk(self, connection: socket.socket, number: int) -> None:
        with suppress(OSError), connection, connection.makefile("rb") as lines:
            while (request := _read(lines, number)) is not None:
                self._server.requests.append(request)
                if not self._respond(connection, self._server.script(request)):
                    break
        self._server.connection_closed.set()

    def _respond(self, connection: socket.socket, pieces: Iterable[Piece]) -> bool:
        for piece in pieces:
            if isinstance(piece, int | float):
                self._closing.wait(piece)
            elif not piece:
                return False
            else:
                connection.sendall(piece)
        return True

    def close(self) -> None:
        self._closing.set()
        for open_socket in (self._listener, *self._connections):
            with suppress(OSError):
                open_socket.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(5)


@contextmanager
def serve(
    script: Script, *, wrap: Wrap = lambda plain: plain, scheme: str = "http"
) -> Iterator[RawServer]:
    """Serve on a free loopback port until the block ends. `b""` closes the connection."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    server = RawServer(f"{scheme}://127.0.0.1:{listener.getsockname()[1]}", script)
    serving = _Serving(server, listener, wrap)
    try:
        yield server
    finally:
        serving.close()


def _read(lines: BinaryIO, number: int) -> Received | None:
    first = lines.readline().decode("latin-1").split()
    if len(first) != 3:
        return None
    headers = {}
    while (line := lines.readline().decode("latin-1").strip()) != "":
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    body = lines.read(int(headers.get("content-length", "0")))
    return Received(first[0], first[1], headers, body, number)
