"""Real server processes on loopback ports, with the deployed configuration."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
HTTP = ("deploy/http.conf.py", "wrapper_project.wsgi:application", "WEB_PORT")
SOCKETS = ("deploy/sockets.conf.py", "wrapper_project.asgi:application", "SOCKETS_PORT")
START_SECONDS = 90
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


def environment(data_dir: Path, port: int, **changes: str) -> dict[str, str]:
    """The environment of the suite, with a separate database and no Redis, so with DEBUG."""
    kept = {name: value for name, value in os.environ.items() if name not in {"REDIS_URL"}}
    own = {
        "DEBUG": "1",
        "LOG_FORMAT": "json",
        "DATA_DIR": str(data_dir),
        "DATABASE_URL": f"sqlite:///{data_dir / 'db.sqlite3'}",
        "BIND_HOST": "127.0.0.1",
        "WEB_PORT": str(port),
        "SOCKETS_PORT": str(port),
        "WEB_THREADS": "4",
    }
    return kept | own | changes


def start(
    kind: tuple[str, str, str], data_dir: Path, port: int, **changes: str
) -> subprocess.Popen[str]:
    """Start gunicorn; its log is in `stderr`."""
    command = [sys.executable, "-m", "gunicorn", "-c", kind[0], kind[1]]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment(data_dir, port, **changes),
        stderr=subprocess.PIPE,
        text=True,
    )


@dataclass
class Server:
    """A running server. `log` is what it has written, once it has ended."""

    port: int
    process: subprocess.Popen[str]
    log: str = ""


@contextmanager
def running(kind: tuple[str, str, str], data_dir: Path, **changes: str) -> Iterator[Server]:
    """A server that responds. `changes` are further environment variables."""
    port = free_port()
    server = Server(port, start(kind, data_dir, port, **changes))
    try:
        _wait(server)
        yield server
    finally:
        server.process.terminate()
        server.log = server.process.communicate(timeout=20)[1]


def _wait(server: Server) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.process.poll() is None:
        try:
            if b" 200 " in exchange(server.port, HEALTH):
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the server does not respond")


def exchange(port: int, request: bytes, *, client: str = "127.0.0.1") -> bytes:
    """The response to these bytes, up to the end of the first response or the connection."""
    here = (client, 0)
    with socket.create_connection(("127.0.0.1", port), 10, source_address=here) as connection:
        connection.sendall(request)
        return read_answer(connection)


def read_answer(connection: socket.socket) -> bytes:
    """The next response, or what came of it before the connection ended."""
    answer = b""
    while part := connection.recv(65536):
        answer += part
        if _is_whole(answer):
            break
    return answer


def _is_whole(answer: bytes) -> bool:
    head, separator, body = answer.partition(b"\r\n\r\n")
    if head.startswith(b"HTTP/1.1 101 "):
        return bool(separator)
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return bool(separator) and len(body) >= int(line.split(b":")[1])
    return False
