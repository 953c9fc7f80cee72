"""A TCP proxy in front of the service that can lose answers and connections."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Connection:
    """One connection of a client (`near`), and its other half to the service (`far`)."""

    def __init__(self, near: socket.socket, far: socket.socket) -> None:
        self.near, self.far = near, far
        self.loses_answers = False

    def close(self) -> None:
        for end in (self.near, self.far):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class Wire:
    """Passes bytes on in both directions. Clients connect to `url`."""

    def __init__(self, listener: socket.socket, port: int) -> None:
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self._listener = listener
        self._port = port
        self._lock = threading.Lock()
        self._open: list[Connection] = []
        self._is_cut = False
        self._loses_answers = False

    def lose_answers(self) -> None:
        """Answers to requests that come from now on are lost, until `mend`."""
        self._loses_answers = True

    def cut(self) -> None:
        """Close every connection, and every new one at once, until `mend`."""
        with self._lock:
            self._is_cut = True
            for connection in self._open:
                connection.close()
            self._open.clear()

    def mend(self) -> None:
        self._loses_answers = self._is_cut = False

    def serve(self) -> None:
        """Until the listener is closed."""
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                with self._lock:
                    if self._is_cut:
                        near.close()
                        continue
                    far = socket.create_connection(("127.0.0.1", self._port))
                    connection = Connection(near, far)
                    self._open.append(connection)
                for passes in (self._pass_requests, self._pass_answers):
                    threading.Thread(target=passes, args=(connection,), daemon=True).start()

    def _pass_requests(self, connection: Connection) -> None:
        with suppress(OSError):
            while part := connection.near.recv(65536):
                if self._loses_answers:
                    connection.loses_answers = True
                connection.far.sendall(part)
        connection.close()

    def _pass_answers(self, connection: Connection) -> None:
        with suppress(OSError):
            while part := connection.far.recv(65536):
                if not connection.loses_answers:
                    connection.near.sendall(part)
        connection.close()


@contextmanager
def wire_to(url: str) -> Iterator[Wire]:
    """A wire to this service for the length of the block."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        wire = Wire(listener, int(url.rpartition(":")[2]))
        thread = threading.Thread(target=wire.serve, daemon=True)
        thread.start()
        yield wire
        wire.cut()
        listener.shutdown(socket.SHUT_RDWR)
    thread.join()
