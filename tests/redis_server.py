"""A Redis server for tests, so that they empty nobody else's."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from tests.ports import free_port

_STARTING = Retry(ConstantBackoff(0.05), 200)


class RedisServer:
    """A server that stores nothing. It can be stopped, and started again on the same port."""

    def __init__(self, program: str, folder: Path) -> None:
        port = free_port()
        self.url = f"redis://127.0.0.1:{port}/0"
        options = {"bind": "127.0.0.1", "port": str(port), "save": "", "dir": str(folder)}
        words = (word for name, value in options.items() for word in (f"--{name}", value))
        self._command = [program, *words]
        self._log = folder / "log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)
        with redis.Redis.from_url(self.url, retry=_STARTING) as client:
            client.ping()

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(10)


@contextmanager
def running(folder: Path) -> Iterator[RedisServer]:
    """A running server. Skips the test where Redis is not installed."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("needs redis-server")
    server = RedisServer(program, folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()


def database_beside(url: str) -> str:
    """A database of the suite's own server that nothing else in this run uses, not even its other
    workers."""
    parts = urlsplit(url)
    return parts._replace(path=f"/{(int(parts.path.strip('/') or 0) + 8) % 16}").geturl()
