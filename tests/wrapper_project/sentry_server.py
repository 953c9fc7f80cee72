"""A stand-in for Sentry: takes what it is sent over a real socket, and keeps it."""

import gzip
import http.server
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Ingest(http.server.ThreadingHTTPServer):
    """Envelopes, inflated, in `letters`; `heads` has each request's line and headers."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Taking)
        self.letters: queue.Queue[bytes] = queue.Queue()
        self.heads: queue.Queue[str] = queue.Queue()

    @property
    def dsn(self) -> str:
        return f"http://public@127.0.0.1:{self.server_address[1]}/7"


class _Taking(http.server.BaseHTTPRequestHandler):
    server: Ingest

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.server.heads.put(f"{self.requestline}\n{self.headers}")
        self.server.letters.put(body)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def running() -> Iterator[Ingest]:
    """A server of its own for the length of the block."""
    with Ingest() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
