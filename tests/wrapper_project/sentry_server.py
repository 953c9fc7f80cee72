"""A stand-in for Sentry that keeps the requests it gets."""

import gzip
import http.server
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class SentryServer(http.server.ThreadingHTTPServer):
    """`envelopes` has the decompressed bodies, `request_heads` the request lines and headers."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.envelopes: queue.Queue[bytes] = queue.Queue()
        self.request_heads: queue.Queue[str] = queue.Queue()

    @property
    def dsn(self) -> str:
        return f"http://public@127.0.0.1:{self.server_address[1]}/7"


class _Handler(http.server.BaseHTTPRequestHandler):
    server: SentryServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.server.request_heads.put(f"{self.requestline}\n{self.headers}")
        self.server.envelopes.put(body)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""


@contextmanager
def running() -> Iterator[SentryServer]:
    """A running server."""
    with SentryServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
