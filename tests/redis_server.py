"""A Redis server for tests, so that they empty nobody else's."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
import redis

from tests.concurrency import wait_until
from tests.ports import free_port

READY_SECONDS = 30.0


class TemporaryRedis:
    """Stores nothing on disk. A test may kill it and start it again, empty."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1"]
        self._process = subprocess.Popen(
            [*command, "--save", "", "--appendonly", "no"], stdout=subprocess.DEVNULL
        )
        wait_until(self._answers, seconds=READY_SECONDS)

    def _answers(self) -> bool:
        with redis.Redis.from_url(self.url, socket_timeout=1) as client:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False

    def kill(self) -> None:
        """Kill it: connections to its port are refused."""
        self._process.kill()
        self._process.wait()


@contextmanager
def running() -> Iterator[TemporaryRedis]:
    """A server that stores nothing. Skips the test where Redis is not installed."""
    if shutil.which("redis-server") is None:
        pytest.skip("needs redis-server")
    server = TemporaryRedis()
    try:
        yield server
    finally:
        server.kill()


def database_beside(url: str) -> str:
    """A database of the suite's own server that nothing else in this run uses, not even its other
    workers."""
    parts = urlsplit(url)
    return parts._replace(path=f"/{(int(parts.path.strip('/') or 0) + 8) % 16}").geturl()
